// Every sink of Go, Java and shell with a value and with a literal, and what only looks like one.
import { BASH_SINKS } from "../../packages/gentle-ai/src/reviewers/static/ast/bash.ts";
import { GO_SINKS } from "../../packages/gentle-ai/src/reviewers/static/ast/go.ts";
import { JAVA_SINKS } from "../../packages/gentle-ai/src/reviewers/static/ast/java.ts";
import { describeSinks, type Suite } from "./sinks.ts";

const go: Suite = {
	name: "go",
	extension: ".go",
	value: "value",
	literal: '"fixed"',
	file: (code) => {
		const [imports = "", ...body] = code.split("\n");
		return `package a\n\nimport (\n${imports.split(";").join("\n")}\n)\n\nfunc run(value string) {\n${body.join("\n")}\n}\n`;
	},
	sinks: GO_SINKS.map((sink) => sink.replaceAll("/", ".")),
	cases: [
		["os.exec.Command", '"os/exec"\nexec.Command("sh", "-c", "ls "+«»).Run()'],
		["os.exec.Command", 'e "os/exec"\ne.Command("/bin/bash", "-lc", «»)'],
		["os.exec.Command", '. "os/exec"\nCommand("sh", "-c", «»)'],
		["os.exec.Command", '"os/exec";"fmt"\nexec.Command("sh", "-c", fmt.Sprintf("ls %s", «»))'],
		["os.exec.Command", '"os/exec"\nscript := "ls " + «»\nexec.Command("sh", "-c", script)'],
		["os.exec.Command", '"os/exec"\nargs := []string{"-c", «»}\nexec.Command("sh", args...)'],
		["os.exec.Command", '"os/exec"\nexec.Command("cmd", "/C", «»)'],
		["os.exec.CommandContext", '"os/exec"\nexec.CommandContext(ctx, "sudo", "sh", "-c", «»)'],
		["os.exec.Cmd", '"os/exec"\nc := &exec.Cmd{Path: "/bin/sh", Args: []string{"sh", "-c", «»}}\nc.Run()'],
		["syscall.Exec", '"syscall"\nsyscall.Exec("/bin/sh", []string{"sh", "-c", «»}, nil)'],
		["syscall.ForkExec", '"syscall"\nsyscall.ForkExec("/bin/sh", []string{"sh", "-c", «»}, nil)'],
		["syscall.StartProcess", '"syscall"\nsyscall.StartProcess("/bin/sh", []string{"sh", "-c", «»}, nil)'],
		["golang.org.x.sys.unix.Exec", '"golang.org/x/sys/unix"\nunix.Exec("/bin/sh", []string{"sh", "-c", «»}, nil)'],
		["os.StartProcess", '"os"\nos.StartProcess("/bin/sh", []string{"sh", "-c", «»}, nil)'],
	],
	silent: [
		'"os/exec"\nexec.Command("ls", "--", «»)',
		'"os/exec"\nexec.Command(«», "-c", "x")',
		'"os/exec"\nexec.Command("sh", "-c", "echo $1", "sh", «»)',
		'"mine/exec"\nexec.Command("sh", "-c", «»)',
		'"os/exec"\nconst script = "ls"\nexec.Command("sh", "-c", script)',
		'"os/exec"\nexec.Command("sh", "script.sh", «»)',
	],
};

const JAVA_PACKAGES =
	"javax.script groovy.lang groovy.util org.springframework.expression org.mvel2 ognl jdk.jshell bsh org.graalvm.polyglot jakarta.el".split(
		" ",
	);

const java: Suite = {
	name: "java",
	extension: ".java",
	value: "value",
	literal: '"fixed"',
	file: (code) =>
		`${JAVA_PACKAGES.map((name) => `import ${name}.*;`).join("\n")}\nclass A {\n  Runtime field;\n  void run(String value, ScriptEngine se, Compilable co, ExpressionParser ep, JShell js, Context cx, ELProcessor el, ExpressionFactory ef) throws Exception {\n${code}\n  }\n}\n`,
	sinks: JAVA_SINKS.map((sink) => `java.${sink}`),
	cases: [
		["java.Runtime.exec", 'Runtime.getRuntime().exec("ping " + «»);'],
		["java.Runtime.exec", 'java.lang.Runtime.getRuntime().exec(String.format("ping %s", «»));'],
		["java.Runtime.exec", 'Runtime rt = Runtime.getRuntime(); String c = "ping " + «»; rt.exec(c);'],
		["java.Runtime.exec", 'this.field.exec(new String[]{"sh", "-c", «»});'],
		["java.Runtime.exec", 'var rt = Runtime.getRuntime(); String[] c = {"bash", "-c", «»}; rt.exec(c);'],
		["java.ProcessBuilder.new", 'new ProcessBuilder("sh", "-c", «»).start();'],
		["java.ProcessBuilder.new", 'new ProcessBuilder(List.of("sh", "-c", «»)).start();'],
		[
			"java.ProcessBuilder.command",
			'ProcessBuilder b = new ProcessBuilder(); b.command(Arrays.asList("cmd.exe", "/c", «»));',
		],
		["java.ScriptEngine.eval", "se.eval(«»);"],
		["java.ScriptEngine.eval", 'new ScriptEngineManager().getEngineByName("js").eval(«»);'],
		["java.Compilable.compile", "co.compile(«»);"],
		["java.GroovyShell.evaluate", "new GroovyShell().evaluate(«»);"],
		["java.GroovyShell.parse", "GroovyShell g = new GroovyShell(); g.parse(«»);"],
		["java.GroovyClassLoader.parseClass", "new GroovyClassLoader().parseClass(«»);"],
		["java.Eval.me", "Eval.me(«»);"],
		["java.ExpressionParser.parseExpression", "ep.parseExpression(«»);"],
		["java.SpelExpressionParser.parseExpression", "new SpelExpressionParser().parseExpression(«»);"],
		["java.MVEL.eval", "MVEL.eval(«»);"],
		["java.MVEL.compileExpression", "MVEL.compileExpression(«»);"],
		["java.Ognl.parseExpression", "Ognl.parseExpression(«»);"],
		["java.Ognl.getValue", "Ognl.getValue(«», null);"],
		["java.JShell.eval", "js.eval(«»);"],
		["java.Interpreter.eval", "new Interpreter().eval(«»);"],
		["java.Context.eval", 'cx.eval("js", «»);'],
		["java.ELProcessor.eval", "el.eval(«»);"],
		["java.ExpressionFactory.createValueExpression", "ef.createValueExpression(null, «», Object.class);"],
	],
	silent: [
		'Runtime.getRuntime().exec(new String[]{"ping", «»});',
		"Runtime.getRuntime().exec(«»);",
		'new ProcessBuilder("ls", "--", «»).start();',
		'new ProcessBuilder("sh", "-c", "echo $1", "sh", «»).start();',
		'Mine other = new Mine(); other.exec("a" + «»);',
		"Mine other = new Mine(); other.eval(«»);",
		'String c = "ls"; Runtime.getRuntime().exec(c + " -l");',
	],
};

const shell: Suite = {
	name: "shell",
	extension: ".sh",
	value: '"$value"',
	literal: "'fixed'",
	file: (code) => `#!/bin/sh\nvalue=$1\n${code}\n`,
	sinks: BASH_SINKS.map((sink) => `shell.${sink}`),
	cases: [
		["shell.eval", "eval «»"],
		["shell.eval", "eval -- ls «»"],
		["shell.eval", "builtin eval «»"],
		["shell.command-string", "sh -c «»"],
		["shell.command-string", "bash -lc «»"],
		["shell.command-string", "sudo -u me bash -c «»"],
		["shell.command-string", "python3 -c «»"],
		["shell.pipe", "echo «» | sh"],
		["shell.pipe", "printf %s «» | bash -s"],
		["shell.here-string", "bash <<< «»"],
	],
	silent: [
		'eval "$(ssh-agent -s)"',
		"eval 'echo $HOME'",
		'cmd="ls -l"\neval "$cmd"',
		'eval "exit $?"',
		"sh -c 'echo \"$1\"' sh «»",
		"sh «»",
		"echo «» | grep sh",
		"trap «» EXIT",
		'echo "eval $value"',
		"ls «» | sh -n script",
		'eval "set -- ${value@Q}"',
		'args=$(getopt -o a -- «»)\neval set -- "$args"',
	],
};

for (const suite of [go, java, shell]) describeSinks(suite);
