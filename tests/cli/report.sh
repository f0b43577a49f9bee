#!/bin/sh
# The report: where it goes, and that it depends on nothing but the files and the marks.
. tests/cli.sh

copy_of_demo() {
	cp -R "$demo" "$scratch/tree"
}

it_says_what_it_does_not_prove() {
	exits 0 report "$demo"
	prints 'It does not prove host isolation or kernel security.'
	prints 'DRAFT: not signed'
	prints 'Out of scope: contents of dependencies'
	prints 'Result statement: withheld'
}

it_goes_to_a_file_in_one_step() {
	exits 0 report "$demo"
	mv "$scratch/out" "$scratch/printed"
	exits 0 report -o "$scratch/report.md" "$demo"
	silent
	cmp "$scratch/printed" "$scratch/report.md"
	# Replaced, not appended to; nothing is left beside it.
	exits 0 report --output="$scratch/report.md" "$demo"
	cmp "$scratch/printed" "$scratch/report.md"
	[ "$(find "$scratch" -name 'report.md*' | wc -l)" -eq 1 ]
	exits 0 report -o - "$demo"
	cmp "$scratch/printed" "$scratch/out"
}

a_pipe_stays_a_pipe() {
	mkfifo "$scratch/pipe"
	cat "$scratch/pipe" >"$scratch/piped" &
	exits 0 report -o "$scratch/pipe" "$demo"
	wait
	[ -p "$scratch/pipe" ]
	exits 0 report "$demo"
	cmp "$scratch/piped" "$scratch/out"
	refuses "$scratch" report -o "$scratch" "$demo"
}

an_unwritable_place_is_an_error() {
	refuses "$scratch/none/report.md" report -o "$scratch/none/report.md" "$demo"
	[ ! -e "$scratch/none" ]
	# A wrong format writes nothing either.
	refuses '--format' report -f yaml -o "$scratch/report.md" "$demo"
	[ ! -e "$scratch/report.md" ]
}

two_runs_write_the_same_bytes() {
	for format in markdown json; do
		exits 0 report -f $format "$demo"
		mv "$scratch/out" "$scratch/first"
		exits 0 report -f $format "$demo"
		cmp "$scratch/first" "$scratch/out"
	done
}

two_places_write_the_same_bytes() {
	mkdir "$scratch/a" "$scratch/b"
	cp -R "$demo" "$scratch/a/demo"
	cp -R "$demo" "$scratch/b/demo"
	for format in markdown json; do
		exits 0 report -f $format "$scratch/a/demo"
		mv "$scratch/out" "$scratch/first"
		exits 0 report -f $format "$scratch/b/demo"
		cmp "$scratch/first" "$scratch/out"
		# No absolute path is in it.
		! grep -qF "$scratch" "$scratch/out" || return 1
	done
}

the_locale_and_the_environment_do_not_matter() {
	exits 0 report -f json "$demo"
	mv "$scratch/out" "$scratch/first"
	(
		export LC_ALL=C TZ=Asia/Kolkata MODEL_API_KEY=from-the-environment COLUMNS=40
		exits 0 report -f json "$demo"
	)
	cmp "$scratch/first" "$scratch/out"
}

in_git() {
	git -c user.name=t -c user.email=t@example.org -c init.defaultBranch=main -C "$scratch/tree" "$@" \
		>/dev/null
}

a_revision_reads_as_its_worktree() {
	command -v git >/dev/null || return 0
	copy_of_demo
	in_git init
	in_git add -A
	in_git commit -m one
	for format in markdown json; do
		exits 0 report -f $format "$scratch/tree"
		mv "$scratch/out" "$scratch/first"
		exits 0 report -f $format --revision HEAD "$scratch/tree"
		diff "$scratch/first" "$scratch/out"
	done
	# A change in the worktree is in the one and not in the other.
	printf 'services: {late: {image: busybox, privileged: true}}\n' >"$scratch/tree/late.compose.yaml"
	exits 0 inventory -f tsv "$scratch/tree"
	prints late
	exits 0 report -f json --revision HEAD "$scratch/tree"
	cmp "$scratch/first" "$scratch/out"
}

every_violation_of_pod_security_has_its_place() {
	mkdir "$scratch/pods"
	printf '%s\n' 'apiVersion: v1' 'kind: Pod' 'metadata: {name: p}' 'spec:' '  hostPID: true' \
		'  containers:' '  - {name: a, image: b}' >"$scratch/pods/p.yaml"
	exits 0 report "$scratch/pods"
	prints 'Pod Security Standards, policy latest (assumed)'
	prints '| privileged | hostNamespaces (baseline), allowPrivilegeEscalation, '
	prints '| R-01 hostNamespaces `p.yaml`:5, allowPrivilegeEscalation :7, '
	prints 'Kubernetes version not stated: the latest known is assumed'
	exits 0 report --kubernetes 1.7 "$scratch/pods"
	prints 'policy 1.7:'
	prints '| R-01 hostNamespaces `p.yaml`:5, runAsNonRoot :7 |'
	exits 0 report --kubernetes 1.99 "$scratch/pods"
	prints 'newer than 1.37, the latest known, which is assumed'
	refuses nonsense report --kubernetes nonsense "$scratch/pods"
	exits 0 show R-01 --kubernetes 1.7 "$scratch/pods"
	prints 'p.yaml:5'
}

json_is_one_object() {
	exits 0 report -f json "$demo"
	prints '"schema":"boundwalk/1"'
	command -v python3 >/dev/null || return 0
	python3 -c '
import json, sys
report = json.load(open(sys.argv[1]))
names = "schema tool scope artifacts rows findings paths unknowns coverage review"
missing = [n for n in names.split() if n not in report]
cells = [len(r["cells"]) for r in report["rows"]]
sys.exit(f"missing {missing}, cells {cells}" if missing or not cells or set(cells) != {20} else 0)
' "$scratch/out"
}

# A file that is not read has the class of its folder all the same.
an_unread_file_has_its_class() {
	mkdir -p "$scratch/links/testdata"
	printf 'FROM scratch\n' >"$scratch/links/Dockerfile"
	ln -s ../Dockerfile "$scratch/links/testdata/Dockerfile"
	exits 0 report "$scratch/links"
	prints '| test | – | not-assessed: symbolic link, not followed |'
}

# Whatever is joined for reading: each finding's id, each line and each rule is in the report.
every_finding_is_there() {
	command -v python3 >/dev/null || return 0
	for tree in "$demo" fixtures/rules; do
		exits 0 report -f json "$tree"
		cp "$scratch/out" "$scratch/report.json"
		exits 0 report "$tree"
		python3 -c '
import json, re, sys
findings = json.load(open(sys.argv[1]))["findings"]
text = open(sys.argv[2], encoding="utf-8").read()
ids = set(re.findall(r"\bF-(\d+)", text))
missing = [i + 1 for i in range(len(findings)) if "%02d" % (i + 1) not in ids]
missing += [f["rule"] for f in findings if "`%s`" % f["rule"] not in text]
missing += [f["line"] for f in findings if not re.search(r":%d\b" % f["line"], text)]
sys.exit(f"missing {missing}" if missing or not findings else 0)
' "$scratch/report.json" "$scratch/out" || return 1
	done
}

a_single_file_can_be_reviewed() {
	exits 0 inventory -f tsv "$demo/compose.yaml"
	prints builder
}

scope_options_are_reported() {
	exits 0 report --runtime podman --os linux --kubernetes 1.31 --deployment 'canary 7' "$demo"
	prints podman
	prints 'Kubernetes 1'
	prints 'canary 7'
}

exports_may_lie_elsewhere() {
	copy_of_demo
	mv "$scratch/tree/exports" "$scratch/evidence"
	exits 0 artifacts -f tsv --observed "$scratch/evidence/inspect-agent.json" "$scratch/tree"
	prints inspect-agent.json
	refuses "$scratch/absent" report --observed "$scratch/absent" "$scratch/tree"
}

for test in it_says_what_it_does_not_prove it_goes_to_a_file_in_one_step a_pipe_stays_a_pipe \
	an_unwritable_place_is_an_error two_runs_write_the_same_bytes two_places_write_the_same_bytes \
	the_locale_and_the_environment_do_not_matter a_revision_reads_as_its_worktree json_is_one_object \
	every_violation_of_pod_security_has_its_place every_finding_is_there an_unread_file_has_its_class \
	a_single_file_can_be_reviewed scope_options_are_reported exports_may_lie_elsewhere; do
	check $test
done
[ $failures -eq 0 ]
