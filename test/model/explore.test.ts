import fc from "fast-check";
import { it } from "vitest";
import { inProcess } from "./programs.ts";
import { walk } from "./walk.ts";
import { writeFileSync } from "node:fs";
it("explores", { timeout: 6_000_000 }, async () => {
	const seen = new Map<string, number>(); const endings = new Map<string, number>(); const fails = new Map<string, string>(); const counts = new Map<string, number>();
	let total = 0; const t = performance.now();
	const N = Number(process.env.N ?? 100), S = Number(process.env.S ?? 1);
	for (const dice of fc.sample(fc.array(fc.nat(2519), { minLength: 20, maxLength: 60 }), { numRuns: N, seed: S })) {
		try {
			const { ending, reasons, steps } = await walk(dice, { flavour: inProcess });
			for (const reason of reasons) seen.set(reason, 1 + (seen.get(reason) ?? 0));
			endings.set(ending, 1 + (endings.get(ending) ?? 0)); total += steps;
		} catch (e: any) {
			const lines = e.message.split("\n");
			const at = lines.findLastIndex((l: string) => /^(   |--|[a-z_]+$)/.test(l));
			const key = (lines[at] + " | " + lines.slice(at + 1).join(" ")).replace(/[0-9a-f]{8,}/g, "H").replace(/successor-\d+|review-H(-\d+)?/g, "L").slice(0, 160);
			counts.set(key, 1 + (counts.get(key) ?? 0));
			const old = fails.get(key); 
			const text = `${e.message}\n${e.stack?.split("\n").filter((l: string) => /^\s+at .*(test\/model|packages)/.test(l)).slice(0,6).join("\n")}\ndice ${JSON.stringify(dice)}`;
			if (old === undefined || text.length < old.length) fails.set(key, text);
		}
	}
	const summary = JSON.stringify({ ms: (performance.now() - t) / N, total, endings: [...endings], seen: [...seen].sort(), counts: [...counts] }, null, 1);
	writeFileSync(`/tmp/walks-${S}.txt`, summary + "\n\n" + [...fails.values()].join("\n=======\n"));
});
