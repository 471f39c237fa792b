// Loaded into the program by NODE_OPTIONS=--import: the clock stands still, so that what records a time is the same in
// every run of it.
const Real = Date;
const stands = Number(process.env.STILL_CLOCK ?? Real.now());

class StillDate extends Real {
	constructor(...args: readonly unknown[]) {
		super(...((args.length === 0 ? [stands] : args) as [number]));
	}

	static override now(): number {
		return stands;
	}
}
globalThis.Date = StillDate as DateConstructor;
