#!/bin/sh
# Exit codes, marks, decisions and signatures from the command line, on a copy of the example.
# SPDX-License-Identifier: MIT
: "${BOUNDWALK:=./boundwalk}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_STATE_HOME="$work/state"
cp -r fixtures/demo "$work/demo"
demo=$work/demo

# check NAME EXPECTED_EXIT EXPECTED_TEXT COMMAND…: the text must occur in what is printed.
check() {
	name=$1 want=$2 text=$3
	shift 3
	"$@" >"$work/out" 2>&1 </dev/null
	got=$?
	if [ $got -eq "$want" ] && { [ -z "$text" ] || grep -qF -- "$text" "$work/out"; }; then
		echo "ok $name"
	else
		echo "not ok $name: exit $got, wanted $want and \"$text\""
		sed 's/^/  /' "$work/out" | head -n 20
	fi
}

check "without a terminal the report is named" 2 report "$BOUNDWALK" "$demo"
check "help" 0 "usage: boundwalk" "$BOUNDWALK" --help
check "version" 0 "boundwalk " "$BOUNDWALK" --version
check "unknown option" 2 "unknown option" "$BOUNDWALK" --nonsense
check "missing tree" 2 "no-such-tree" "$BOUNDWALK" report "$work/no-such-tree"
check "inventory" 0 "workloads" "$BOUNDWALK" inventory "$demo"
check "filter counts" 0 " of " "$BOUNDWALK" findings --filter severity=critical "$demo"
check "bad filter" 2 "no column" "$BOUNDWALK" findings --filter colour:red "$demo"
check "tsv has a head" 0 "severity	rule" "$BOUNDWALK" findings -f tsv "$demo"
check "unknown format" 2 "none of" "$BOUNDWALK" findings -f xml "$demo"
check "show a finding" 0 "docker.sock" "$BOUNDWALK" show docker-socket "$demo"
check "show a cell" 0 "question" "$BOUNDWALK" show R-01:mounts "$demo"
check "show a row" 0 "boundary map" "$BOUNDWALK" show R-01 "$demo"
check "explain a rule" 0 "consequence" "$BOUNDWALK" explain docker-socket
check "explain a field" 0 "question" "$BOUNDWALK" explain identity
check "completion" 0 "complete -o" "$BOUNDWALK" completion bash
check "open findings" 1 "open finding" "$BOUNDWALK" check "$demo"

check "unavailable needs a reason" 2 "needs the reason" "$BOUNDWALK" mark R-01:image unavailable "$demo"
check "observed needs a basis" 2 "--basis" "$BOUNDWALK" mark R-01:image observed "$demo"
check "configuration is no observation" 2 "is configuration" \
	"$BOUNDWALK" mark R-01:image observed --basis compose.yaml "$demo"
check "notes hold no control bytes" 2 "control" \
	"$BOUNDWALK" mark R-01:image declared -m "$(printf 'a\033[31m')" "$demo"
check "mark" 0 "" "$BOUNDWALK" mark R-01:image declared -m seen --reviewer ann "$demo"
check "log" 0 "mark" "$BOUNDWALK" log "$demo"
check "the mark shows" 0 "1 of " "$BOUNDWALK" map --filter by=ann "$demo"
check "read-only refuses" 2 "--read-only" "$BOUNDWALK" mark R-01:image declared --read-only "$demo"
check "accepting needs an owner" 2 "--owner" "$BOUNDWALK" decide docker-socket accepted -m ok "$demo"
check "accept" 0 "" "$BOUNDWALK" decide docker-socket accepted -m ok --owner ann \
	--expires 2999-01-31 "$demo"
check "the decision shows" 0 "accepted" "$BOUNDWALK" show docker-socket "$demo"
check "sign" 0 "signed by ann" "$BOUNDWALK" sign --reviewer ann --role Lead "$demo"

"$BOUNDWALK" report -o "$work/report.md" "$demo"
check "verify" 0 "matches, signed" "$BOUNDWALK" verify "$work/report.md" "$demo"
check "report names the signer" 0 "as it stands" cat "$work/report.md"
"$BOUNDWALK" report -f json -o "$work/report.json" "$demo"
check "verify json" 0 "matches" "$BOUNDWALK" verify "$work/report.json" "$demo"
check "no absolute path" 1 "" grep -F "$work" "$work/report.json" "$work/report.md"

"$BOUNDWALK" mark R-01:mounts declared -m later --reviewer ann "$demo"
check "a later mark ends the signature" 1 "differs" "$BOUNDWALK" verify "$work/report.md" "$demo"

mkdir "$work/plain"
printf 'services:\n  web:\n    image: nginx\n' >"$work/plain/compose.yaml"
check "unsigned" 3 "not signed" "$BOUNDWALK" check --fail-on critical --require-signed "$work/plain"
check "nothing critical" 0 "0 open" "$BOUNDWALK" check --fail-on critical "$work/plain"

check "a service without limits is one finding" 0 "1 of " \
	"$BOUNDWALK" findings --filter no-limits "$work/plain"
check "it names them all" 0 "no limit on memory, CPU and number of processes" \
	"$BOUNDWALK" findings -f tsv --filter no-limits "$work/plain"

mkdir -p "$work/sample/tests"
cp "$demo/exports/inspect-agent.json" "$work/sample/tests/inspect.json"
check "an export among tests is no workload" 0 "0 workloads" "$BOUNDWALK" inventory "$work/sample"
check "it is listed as a candidate" 0 "candidate only" "$BOUNDWALK" coverage "$work/sample"
check "--observed takes it" 0 "observed:inspect.json" \
	"$BOUNDWALK" inventory --observed "$work/sample/tests/inspect.json" "$work/sample"

check "tree is not written to" 0 "" diff -r fixtures/demo "$demo"
exit 0
