# Sourced by every script: puts the project's own Node first and makes what is missing.
# Needs: sh, git, npm and any Node >= 20. Reads and writes only inside the checkout.

# A caller may be in any folder and reach a script through a symlink.
script_path=$0
while [ -L "$script_path" ]; do
	link=$(readlink "$script_path")
	case $link in
	/*) script_path=$link ;;
	*) script_path=$(dirname "$script_path")/$link ;;
	esac
done
project=$(CDPATH='' cd -- "$(dirname "$script_path")/.." && pwd -P)

say() { printf '%s\n' "$*" >&2; }

if ! command -v npm >/dev/null 2>&1; then
	say "npm was not found. Install Node.js 20 or newer, which brings npm, and run this again."
	exit 2
fi

installed=$project/node_modules/.package-lock.json
if [ ! -e "$installed" ] || [ "$project/package-lock.json" -nt "$installed" ]; then
	say "Installing the project's packages (once) ..."
	(cd "$project" && npm ci --no-audit --no-fund --loglevel=error >&2) || {
		say "npm ci failed; its message is above. Run it again in $project when that is mended."
		exit 2
	}
	touch "$installed"
fi

PATH=$project/node_modules/.bin:$PATH
export PATH

body=$project/packages/gentle-ai/dist/body.cjs
if [ ! -e "$body" ] || [ -n "$(find "$project/packages/gentle-ai/src" "$project/packages/gentle-ai/build.ts" "$project/packages/gentle-ai/package.json" -newer "$body" -print 2>/dev/null | head -n 1)" ]; then
	(cd "$project" && npm run --silent build >&2) || {
		say "The build failed; its message is above."
		exit 2
	}
fi
