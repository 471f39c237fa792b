// `gentle-ai review --demo`: draws the demonstration.
import { playDemo } from "../../provider/demo.ts";
import { eventLines, painter, resultText } from "../../report/index.ts";
import { printText } from "../output.ts";
import { interrupted } from "./interrupted.ts";

export async function runDemo(): Promise<number> {
	const paint = painter(process.stdout);
	const went = await playDemo(
		(step) => {
			if (step.type === "scene") printText(`\n${paint("bold", step.text)}`);
			else if (step.type === "run") printText(resultText(step.run, paint).trim());
			else
				printText(
					`${paint(step.allowed ? "green" : "red", step.allowed ? "The gate allows it:" : "The gate denies it:")} ${step.text}`,
				);
		},
		(event) => {
			for (const text of eventLines(event, paint)) printText(text);
		},
		interrupted(),
	);
	printText(
		went
			? "\nThat is all: frozen, judged, corrected, approved, and bound to exactly those bytes. Now in a repository of yours:\n\nNext          gentle-ai review"
			: "\nThe demonstration did not go as told; please report what you see above.",
	);
	return went ? 0 : 2;
}
