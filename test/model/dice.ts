// The choices of one walk, drawn beforehand so that they shrink. When they are used up every choice is the first one,
// which is always the one that leads to an end.
export class Dice {
	private at = 0;
	private readonly faces: readonly number[];

	constructor(faces: readonly number[]) {
		this.faces = faces;
	}

	get left(): number {
		return Math.max(0, this.faces.length - this.at);
	}

	/** A number below `sides`. */
	roll(sides: number): number {
		const face = this.faces[this.at] ?? 0;
		this.at += 1;
		return face % sides;
	}

	pick<Choice>(choices: readonly [Choice, ...Choice[]]): Choice {
		return choices[this.roll(choices.length)] ?? choices[0];
	}
}
