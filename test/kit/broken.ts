// Loaded into the program by NODE_OPTIONS=--import: the store's reader fails in a way that nobody foresaw.
const sqlite = process.getBuiltinModule("node:sqlite");

Reflect.set(sqlite.DatabaseSync.prototype, "prepare", () => {
	throw new TypeError(`boom at ${process.cwd()}/authority.sqlite3`);
});
