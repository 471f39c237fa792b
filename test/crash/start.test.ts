// START killed at each of its durable steps, granted and declined.
import { describe, expect, it } from "vitest";
import { startWords, status } from "../kit/drive.ts";
import { TestRepo } from "../kit/repo.ts";
import { orderFrom, reportOf } from "./report.ts";
import { Scene } from "./scene.ts";

const LONG = { timeout: 240_000 };

async function scene(...flags: string[]): Promise<Scene> {
	const repo = new TestRepo();
	repo.write("app.ts", "export const n = 2;\n");
	repo.write("new.ts", "export const fresh = true;\n");
	const { target_identity } = await status(repo);
	return new Scene(repo, startWords(target_identity, ...flags));
}

const started = reportOf("all", () => scene());
const declined = reportOf("differing", () => scene("--consent", "declined"));

describe.concurrent("START killed at each step", () => {
	it("makes the pack durable, shows it keep first and index last, then commits, then answers (A6)", LONG, async () => {
		const order = [
			"git pack-objects",
			"fsync objects/pack/tmp_gentle_*/pack-*.pack",
			"rename objects/pack/pack-*.keep",
			"rename objects/pack/pack-*.pack",
			"rename objects/pack/pack-*.idx",
			"fsync objects/pack",
			"sql INSERT INTO lineages",
			"print",
		];
		const { steps } = await started();
		expect(orderFrom(steps, "git pack-objects", order)).toEqual(order);
		// The second commit is that of the sweep.
		const last = ["sql COMMIT", "sql COMMIT", "print"];
		expect(orderFrom(steps, "sql INSERT INTO lineages", ["sql COMMIT", "print"])).toEqual(last);
	});

	it("leaves the truth, and the same command converges", LONG, async () => {
		expect((await started()).problems).toEqual([]);
	});

	it("leaves no temporary file in the Git folder once it converged", LONG, async () => {
		expect((await started()).leftovers).toEqual([]);
	});
});

describe.concurrent("a declined START killed at each step", () => {
	it("keeps the decline in one statement", LONG, async () => {
		const order = ["sql INSERT OR IGNORE", "sql COMMIT", "print"];
		expect(orderFrom((await declined()).steps, "sql INSERT OR IGNORE", order)).toEqual(order);
	});

	it("leaves the truth, and the same command converges", LONG, async () => {
		expect((await declined()).problems).toEqual([]);
	});

	it("leaves no temporary file in the Git folder once it converged", LONG, async () => {
		expect((await declined()).leftovers).toEqual([]);
	});
});
