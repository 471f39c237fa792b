import { it } from "vitest";
import { inProcess, asChild } from "./programs.ts";
import { walk } from "./walk.ts";
it("one", { timeout: 60000 }, async () => { console.log(await walk(JSON.parse(process.env.DICE ?? "[]"), { flavour: process.env.CHILD ? asChild : inProcess })); });
