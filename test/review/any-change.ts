// Arbitrary changes of arbitrary files, weighted towards the names and contents that risk rules look at.
import fc from "fast-check";
import type { ChangedFile } from "../../packages/gentle-ai/src/review/index.ts";
import { changedFile, type Side } from "./changes.ts";

const segment = fc.constantFrom(
	"src",
	"docs",
	"auth",
	"security",
	"testdata",
	"golden",
	"internal",
	"agents",
	".github",
	"workflows",
	"é",
	"😀",
);

const stem = fc.constantFrom(
	"a",
	"guide",
	"service-token",
	"update",
	"README",
	"AGENTS",
	"Makefile",
	"package",
	".env",
	"x-payments",
);

const extension = fc.constantFrom("", ".md", ".mdx", ".ts", ".sh", ".yml", ".json", ".txt", ".png", ".py");

const path = fc
	.tuple(fc.array(segment, { maxLength: 3 }), stem, extension)
	.map(([folders, name, ending]) => [...folders, `${name}${ending}`].join("/"));

const side: fc.Arbitrary<Side> = fc.oneof(
	fc.constant(null),
	fc.record({
		mode: fc.constantFrom("100644", "100644", "100644", "100755", "120000"),
		text: fc.constantFrom(
			"",
			"x\n",
			"one\ntwo\n",
			"#!/bin/sh\n",
			"exec\n",
			"import subprocess\n",
			"a\0b\n",
			"import x\n",
			"{x}\n",
		),
	}),
	fc.constant({ mode: "100644", base64: "/w==" }),
	fc.record({
		mode: fc.constant("100644"),
		text_repeat: fc.tuple(fc.constant("line"), fc.constantFrom(150, 399, 400, 401)),
	}),
);

export const file: fc.Arbitrary<ChangedFile> = fc
	.tuple(path, side, side)
	.filter(([, old, candidate]) => JSON.stringify(old) !== JSON.stringify(candidate))
	.map(([name, old, candidate]) => changedFile(name, old, candidate));

export function byPath(left: ChangedFile, right: ChangedFile): number {
	return Buffer.compare(Buffer.from(left.path), Buffer.from(right.path));
}

export const change = fc
	.uniqueArray(file, { selector: (each) => each.path, maxLength: 8 })
	.map((files) => files.sort(byPath));
