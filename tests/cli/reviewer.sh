#!/bin/sh
# The reviewer and the commands are twins: same report bytes, same findings in the same order.
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_STATE_HOME="$work/state" LC_ALL=C.UTF-8
tree=fixtures/demo
check() { # NAME COMMAND…
	name=$1
	shift
	if "$@" >"$work/log" 2>&1; then echo "ok $name"; else
		echo "not ok $name"
		cat "$work/log"
	fi
}

# 1. Marks, then the export of the screen against the command.
cat >"$work/mark.script" <<SCRIPT
2 g j d
3 t 1
x Enter
type $work/screen.md
Enter
SCRIPT
check "a script marks and exports" "$BOUNDWALK" play "$work/mark.script" --reviewer ana "$tree"
check "the command writes a report" "$BOUNDWALK" report -o "$work/command.md" "$tree"
check "both reports are the same bytes" cmp "$work/screen.md" "$work/command.md"
check "the review holds both acts" test "$("$BOUNDWALK" log "$tree" | grep -c 'ana')" -ge 2

# 2. The pane of all findings has the rows of the command in their order.
cat >"$work/list.script" <<SCRIPT
size 200x600
3 a g + +
snapshot $work/screen.txt
SCRIPT
"$BOUNDWALK" play "$work/list.script" --read-only "$tree"
sed -n 's/^|│[> ][* ]\([CHMi]\) \([a-z0-9.-]*\).*/\1 \2/p' "$work/screen.txt" >"$work/pane"
"$BOUNDWALK" findings -f tsv "$tree" >"$work/tsv"
awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
	{ s = $column["severity"]; letter = s == "info" ? "i" : toupper(substr(s, 1, 1))
	  print letter, substr($column["rule"], 1, 26) }' "$work/tsv" >"$work/command"
cut -c1-28 "$work/pane" >"$work/pane.cut"
check "the pane lists the findings of the command" test -s "$work/pane.cut"
check "in the same order" diff "$work/pane.cut" "$work/command"

# 3. Errors name the line.
printf 'j\nnokey\n' >"$work/bad.script"
"$BOUNDWALK" play "$work/bad.script" "$tree" 2>"$work/error"
check "a bad script is refused" test $? -eq 2 -o -s "$work/error"
check "with its line" grep -q 'line 2' "$work/error"
check "keys are listed" sh -c '"$BOUNDWALK" --list-keys | grep -q "mark the cell declared"'
