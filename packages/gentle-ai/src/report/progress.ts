// Live progress: one line a lens, side by side, redrawn in place on a terminal and written once elsewhere.
import { visible } from "../contract/paths.ts";
import { type Lens, shortLens } from "../contract/vocabulary.ts";

export type ProgressSink = { readonly isTTY: boolean; readonly write: (text: string) => void };

const NAME = 12;

export class Progress {
	private readonly sink: ProgressSink;
	private readonly lines = new Map<Lens, string>();
	private drawn = 0;

	constructor(sink: ProgressSink) {
		this.sink = sink;
	}

	lens(lens: Lens, text: string): void {
		const changed = this.lines.get(lens) !== text;
		this.lines.set(lens, text);
		if (this.sink.isTTY) this.redraw();
		else if (changed) this.sink.write(`${this.row(lens, text)}\n`);
	}

	private row(lens: Lens, text: string): string {
		return `  ${shortLens(lens).padEnd(NAME)} ${visible(text)}`;
	}

	private redraw(): void {
		const up = this.drawn > 0 ? `\u001b[${this.drawn}A` : "";
		const rows = [...this.lines].map(([lens, text]) => `\u001b[2K${this.row(lens, text)}\n`);
		this.sink.write(up + rows.join(""));
		this.drawn = rows.length;
	}
}
