// MODE: reads and turns the switch. It needs no store, so that a broken one cannot hide it.
import { type ModeReading, readMode, writeCloneMode, writeGlobalMode } from "../authority/index.ts";
import { ReviewError } from "../contract/errors.ts";
import { type Caller, isoTime, type Workplace } from "./caller.ts";

export type { ModeReading };

export function modeStatus(caller: Caller, commonDir: string | undefined): ModeReading {
	return readMode(caller.home, commonDir);
}

export function setGlobalMode(caller: Caller, mode: "on" | "off"): void {
	writeGlobalMode(caller.home, mode, isoTime(caller));
}

export function setCloneMode(place: Workplace, mode: "on" | "off", expected: string | undefined): void {
	writeCloneMode(place.repository.commonDir, mode === "off" ? "off" : "inherit", expected, isoTime(place.caller));
}

function disabled(): ReviewError {
	return new ReviewError("rdd_disabled", {
		message: "reviews are switched off here",
		next: "Run `gentle-ai review mode enable` to switch them on, `gentle-ai review mode status` to see why",
	});
}

/** Asked again after whatever may take a person hours. */
export function requireReviewsOn({ caller, repository }: Workplace): void {
	if (readMode(caller.home, repository.commonDir).effective === "off") throw disabled();
}
