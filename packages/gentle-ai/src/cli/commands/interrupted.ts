// Ctrl-C as an abort signal that every part of a run respects.
import { ReviewError } from "../../contract/errors.ts";

export function interrupted(): AbortSignal {
	const controller = new AbortController();
	process.once("SIGINT", () => {
		controller.abort(
			new ReviewError("operation_timeout", { message: "interrupted", next: "Run the same command again; it resumes" }),
		);
	});
	return controller.signal;
}
