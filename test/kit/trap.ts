// Commands that leave a mark when anything runs them: proof that something ran, or that nothing did.
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { TestRepo } from "./repo.ts";

export class Trap {
	/** A shell command line that answers nothing: whoever waits for an answer sees it end. */
	readonly command: string;
	private readonly mark: string;

	constructor(repo: TestRepo, name: string) {
		this.mark = join(repo.folder, `sprung-${name}`);
		this.command = `sh ${repo.outside(`trap-${name}.sh`, `#!/bin/sh\ntouch '${this.mark}'\n`)}`;
	}

	get sprung(): boolean {
		return existsSync(this.mark);
	}

	/** Makes sure that `provoke` springs it, so that its silence afterwards means something, and sets it again. */
	arm(provoke: () => unknown): void {
		try {
			provoke();
		} catch {
			// What the trap answers need not please Git.
		}
		if (!this.sprung) throw new Error(`nothing runs ${this.command}: this trap proves nothing`);
		rmSync(this.mark);
	}
}
