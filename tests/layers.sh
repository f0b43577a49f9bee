#!/bin/sh
# Checks that data flows one way: model and ui link alone, siblings under src do not see each other.
# usage: tests/layers.sh BUILD_DIRECTORY CC
set -u
build=$1
cc=$2
failed=0
fail() {
	echo "layers: $*"
	failed=1
}

# 1. The model links with nothing but libc, and uses no file, clock, locale or environment.
links() { # objects: whether they link with nothing but libc
	echo 'int main(void){return 0;}' |
		"$cc" -x c - -x none -pie -fPIE "$@" -o "$build/layer-check"
}
links "$build"/model/*.o || fail "model needs more than libc"
# 2. The panes link with the model alone; only ui/term.c knows the terminal library.
panes=$(ls "$build"/ui/*.o 2>/dev/null | grep -v '/term\.o$')
if [ -n "$panes" ]; then
	# shellcheck disable=SC2086 # the list is words
	links "$build"/model/*.o $panes ||
		fail "ui needs more than the model"
fi
for object in "$build"/model/*.o $panes; do
	bad=$(nm -u "$object" | awk '{print $2}' | sed 's/@.*//' | grep -xE \
		'(__)?(f?open(at)?(64)?(_2)?|read|write|l?stat(64)?|fstat(64)?|time|clock_gettime|gettimeofday|localtime(_r)?|gmtime(_r)?|getenv|secure_getenv|setlocale|nl_langinfo|wcwidth|mbrtowc|system|popen|exec[a-z]*|fork|socket|connect)|yaml_.*|cJSON_.*|git_.*|mbedtls_.*|initscr|newterm|wget(_w)?ch|doupdate')
	[ -z "$bad" ] || fail "$object uses $(echo "$bad" | tr '\n' ' ')"
done
# 3. Includes: each folder may name only what stands below it.
allow() { # folder, then an expression of allowed project includes
	grep -nHoE '^#include "[^"]+"' "$1"/*.[ch] "$1"/*/*.[ch] 2>/dev/null |
		grep -vE "#include \"($2)" && fail "$1 includes what it may not see"
	return 0
}
allow model 'model/'
allow ui 'model/|ui/'
allow src/syntax 'model/|src/syntax/'
allow src/formats 'model/|src/formats/|src/syntax/'
allow src/rules 'model/|src/rules/'
allow src/repo 'model/|src/repo/'
allow src/review 'model/|src/review/'
allow src/report 'model/|src/report/'
grep -lE '#include <(n?curses|curses)' ui/*.c src/*.c src/*/*.c model/*.c 2>/dev/null |
	grep -v '^ui/term\.c$' && fail "curses outside ui/term.c"
[ $failed -eq 0 ] && echo "layers: in order"
exit $failed
