// How the tests run: every test file under test/, each in its own process, nothing global.
import { defineConfig } from "vitest/config";

export default defineConfig({
	test: {
		include: ["test/**/*.test.ts"],
		pool: "forks",
		globals: false,
		testTimeout: 60_000,
	},
});
