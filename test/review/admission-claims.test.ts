// What an answer claims: words that are no inspection, places that prove nothing, and what a diagnostic echoes.
import { describe, expect, it } from "vitest";
import { admitResult } from "../../packages/gentle-ai/src/review/index.ts";
import { admit, admitted, refusal } from "./admitting.ts";
import { answer, blocker, CONTEXT, finding, SUBJECT, slotOf } from "./slots.ts";

describe("evidence that says that nothing could be inspected", () => {
	it.each([
		"Inspection blocked.",
		"the  inspection\nwas blocked",
		"ACCESS DENIED",
		"permission denied",
		"candidate unavailable",
		"the candidate was unavailable",
		"immutable candidate unavailable",
		"I could not inspect it",
		"unable to inspect the trees",
		"it was not inspected",
		"not inspected",
		"no candidate contents were available",
		"no candidate content was available",
	])("is no inspection: %j", (text) => {
		expect(refusal(answer({ evidence: [text] }))).toMatchObject({ check: 17, decision: "incomplete" });
		expect(refusal(answer({ evidence: [text, "access denied again"] }))).toMatchObject({ check: 17 });
	});

	it("does not spoil evidence that says more", () => {
		expect(
			admitted(answer({ evidence: ["access denied for the vendored part", "read internal/a.go whole"] })).admitted,
		).toBe(true);
	});

	it("counts only outside of quotes", () => {
		expect(admitted(answer({ evidence: ['returns "permission denied" to the caller'] })).admitted).toBe(true);
		expect(admitted(answer({ evidence: ["the message `access denied` is right"] })).admitted).toBe(true);
	});

	it("is not hidden by the apostrophes of ordinary English", () => {
		const text = "I couldn't open the candidate: access denied, so the files weren't read";
		expect(refusal(answer({ evidence: [text] }))).toMatchObject({ check: 17, decision: "incomplete" });
	});
});

describe("a severe claim against the candidate", () => {
	it.each([
		["internal/a.go:2", true],
		["internal/a.go:3", true],
		["internal/a.go:2-3", true],
		["internal/a.go:002-0003", true],
		["internal/a.go:10", true],
		["internal/b.go:1-5", true],
		["internal/a.go:1", false],
		["internal/a.go:4", false],
		["internal/a.go:3-4", false],
		["internal/a.go:1-2", false],
		["internal/a.go:9-10", false],
		["internal/a.go:11", false],
		["internal/b.go:1-6", false],
		["internal/b.go:2147483648", false],
		["internal/b.go:9223372036854775807", false],
	])("at %s holds: %s", (location, holds) => {
		for (const causal_disposition of ["introduced", "worsened"]) {
			const outcome = admit(JSON.stringify(answer({ findings: [blocker({ location, causal_disposition })] })));
			expect(outcome.admitted).toBe(holds);
			if (!outcome.admitted) expect(outcome).toMatchObject({ check: 23, decision: "out_of_scope" });
		}
	});

	it("is not judged for a finding that is not severe", () => {
		const outcome = admitted(
			answer({ findings: [finding({ location: "internal/a.go:7", causal_disposition: "introduced" })] }),
		);
		expect(outcome.candidate_causal_finding_ids).toEqual([]);
	});

	it("binds the answer to its own slot: another subject never fits (D.9)", () => {
		const other = admitResult(Buffer.from(JSON.stringify(answer())), {
			...slotOf(CONTEXT),
			subject_hash: `sha256:${"b".repeat(64)}`,
		});
		expect(other).toMatchObject({ admitted: false, check: 8 });
		expect(SUBJECT).not.toBe(`sha256:${"b".repeat(64)}`);
	});
});

describe("a diagnostic", () => {
	it.each(["a b.go:x", "internal/a.go:1,2", "internal/a.go:+1", "a.go:-5"])(
		"echoes the plain location %j",
		(location) => {
			expect(refusal(answer({ findings: [finding({ location })] })).diagnostic).toMatchObject({ location });
		},
	);

	it.each([
		["two colons", "a:b.go:x"],
		["a control character", "a\u0001.go:x"],
		["a C1 control character", "a\u009b31m.go:x"],
		["a path that leaves the repository", "../a.go:x"],
		["a suffix of other letters", "a.go:x y"],
		["more than 256 bytes", `${"é".repeat(127)}.go:x`],
	])("does not echo a location with %s", (_, location) => {
		expect(refusal(answer({ findings: [finding({ location })] })).diagnostic).not.toHaveProperty("location");
	});

	it("echoes 256 bytes", () => {
		const location = `${"x".repeat(251)}.go:x`;
		expect(Buffer.byteLength(location)).toBe(256);
		expect(refusal(answer({ findings: [finding({ location })] })).diagnostic).toMatchObject({ location });
	});

	it("echoes a finding id of at most 128 bytes", () => {
		const id = (length: number) => `R3-${"x".repeat(length - 3)}`;
		const echoed = refusal(answer({ findings: [finding({ id: id(128), location: "x" })] })).diagnostic;
		expect(echoed).toMatchObject({ finding_id: id(128) });
		const silent = refusal(answer({ findings: [finding({ id: id(129), location: "x" })] })).diagnostic;
		expect(silent).not.toHaveProperty("finding_id");
	});

	it("shows an offending value bounded and visible", () => {
		const { value, pointer } = refusal(answer({ findings: [finding({ severity: `\u001b[2J${"x".repeat(500)}` })] }));
		expect(pointer).toBe("/findings/0/severity");
		expect(value.length).toBeLessThanOrEqual(80);
		expect(value).toMatch(/^\\x1b\[2Jx+…$/);
	});
});
