#!/bin/sh
# Trees that were made to harm: secrets, control bytes, links, pipes, broken files.
. tests/cli.sh

secret=hunter2-Zq9xT4vL8wK3

errors_hold_no_secret() {
	mkdir "$scratch/tree"
	printf 'services:\n  a:\n    environment:\n      API_KEY: "%s\n   bad: [\n' "$secret" \
		>"$scratch/tree/compose.yaml"
	printf '{"mcpServers": {"a": {"env": {"TOKEN": "%s" "x": }}}}\n' "$secret" >"$scratch/tree/.mcp.json"
	print_everything_small "$scratch/tree"
	! grep -qF "$secret" "$scratch/all" || return 1
	# The place of what could not be read is named.
	grep -qF compose.yaml "$scratch/all"
}
print_everything_small() {
	: >"$scratch/all"
	for command in report coverage artifacts findings; do
		exits 0 $command "$1"
		cat "$scratch/out" "$scratch/err" >>"$scratch/all"
	done
	exits 0 report -f json "$1"
	cat "$scratch/out" "$scratch/err" >>"$scratch/all"
}

# Escape sequences, a bidirectional override, a zero-width space, C1 in UTF-8, BEL, an invalid byte.
escape=$(printf '\033]0;owned\007\033[2J')
override=$(printf '\342\200\256')
invisible=$(printf '\342\200\213')
control=$(printf '\302\233')

no_control_byte_is_printed() {
	tree=$scratch/tree
	mkdir -p "$tree/dir${escape}"
	cat >"$tree/compose.yaml" <<END
services:
  "na\\e[31mme\\u202e":
    image: "bad\\e]0;x\\a${override}${invisible}image:1"
    privileged: true
    user: "ro${control}ot"
    volumes: ["/var/run/docker.sock:/x\\e[0m"]
    command: ["a\\nb", "c\\rd\\te"]
# remark ${escape}${override}
END
	printf 'services: {a: {image: x, privileged: true}}\n' >"$tree/dir${escape}/compose.yaml"
	printf '{"mcpServers":{"a\\u001b[2J":{"command":"x\\u009b","args":["\\u202e"]}}}' >"$tree/.mcp.json"
	printf 'FROM x\nRUN echo \033[2J \342\200\256\nUSER a\033b\n' >"$tree/Dockerfile"
	exits 2 show "no${escape}such" "$tree"
	cat "$scratch/err" >"$scratch/errors"
	exits 2 report "$scratch/absent${escape}"
	cat "$scratch/err" >>"$scratch/errors"
	print_everything "$tree"
	cat "$scratch/errors" >>"$scratch/all"
	# Tabs and line ends are the program's own.
	tr -d '\011\012\040-\176\200-\377' <"$scratch/all" >"$scratch/bad"
	[ ! -s "$scratch/bad" ] || { od -c "$scratch/bad" | head; return 1; }
	for bytes in "$override" "$invisible" "$control"; do
		! grep -qF "$bytes" "$scratch/all" || { echo "an invisible character"; return 1; }
	done
}

output_is_utf8() {
	command -v iconv >/dev/null || return 0
	mkdir "$scratch/tree"
	printf 'FROM x\nRUN echo \377\376 \300\200\n' >"$scratch/tree/Dockerfile"
	printf 'services: {a: {image: x, privileged: true}}\n' >"$scratch/tree/$(printf 'b\377d').compose.yaml"
	print_everything_small "$scratch/tree"
	iconv -f utf-8 -t utf-8 "$scratch/all" >/dev/null
}

markdown_of_names_is_text() {
	mkdir "$scratch/tree"
	cat >"$scratch/tree/compose.yaml" <<'END'
services:
  "<img src=x onerror=alert(1)> [a](javascript:1) | ![i](http://x/i.png) `x`":
    image: "<script>alert(1)</script>"
    privileged: true
END
	exits 0 report "$scratch/tree"
	# Outside of code nothing of it is markup.
	sed 's/``.*``//g; s/`[^`]*`//g' "$scratch/out" >"$scratch/plain"
	! grep -qE '<(img|script)' "$scratch/plain" || return 1
	! grep -qE '!\[i\]\(http' "$scratch/plain" || return 1
}

links_out_are_listed_and_not_followed() {
	mkdir -p "$scratch/tree" "$scratch/outside/dir"
	printf 'services: {outsider: {image: x, privileged: true}}\n' >"$scratch/outside/compose.yaml"
	cp "$scratch/outside/compose.yaml" "$scratch/outside/dir/compose.yaml"
	ln -s "$scratch/outside/compose.yaml" "$scratch/tree/compose.yaml"
	ln -s ../outside/dir "$scratch/tree/dir"
	ln -s . "$scratch/tree/loop"
	exits 0 artifacts -f tsv "$scratch/tree"
	prints compose.yaml
	prints link
	exits 0 report -f json "$scratch/tree"
	! grep -qF outsider "$scratch/out" || return 1
	! grep -qF "$scratch/outside" "$scratch/out" || return 1
}

a_compose_file_reads_nothing_outside() {
	mkdir -p "$scratch/tree"
	printf 'services: {outsider: {image: "leak-%s"}}\n' "$secret" >"$scratch/base.yaml"
	echo "LEAK=$secret" >"$scratch/leak.env"
	cat >"$scratch/tree/compose.yaml" <<END
include: [../base.yaml, $scratch/base.yaml]
services:
  a:
    extends: {file: ../base.yaml, service: outsider}
    env_file: [../leak.env, $scratch/leak.env]
END
	print_everything_small "$scratch/tree"
	! grep -qF "$secret" "$scratch/all" || return 1
}

pipes_and_devices_do_not_hang() {
	mkdir "$scratch/tree"
	mkfifo "$scratch/tree/compose.yaml" "$scratch/tree/Dockerfile" "$scratch/tree/.env" "$scratch/tree/.mcp.json"
	exits 0 artifacts -f tsv "$scratch/tree"
	exits 0 report "$scratch/tree"
	mkfifo "$scratch/pipe"
	exits 2 log --review "$scratch/pipe" "$scratch/tree"
	says 'not a regular file'
}

nothing_in_the_tree_runs() {
	mkdir -p "$scratch/tree/.git/hooks" "$scratch/tree/bin"
	for name in entry.sh bin/docker bin/git bin/kubectl .git/hooks/post-checkout; do
		printf '#!/bin/sh\ntouch "%s/ran"\n' "$scratch" >"$scratch/tree/$name"
		chmod +x "$scratch/tree/$name"
	done
	printf '[core]\n\tfsmonitor = %s/entry.sh\n\tpager = %s/entry.sh\n' "$scratch/tree" "$scratch/tree" \
		>"$scratch/tree/.git/config"
	printf 'FROM x\nCOPY entry.sh /entry.sh\nENTRYPOINT ["/entry.sh"]\n' >"$scratch/tree/Dockerfile"
	(
		PATH="$scratch/tree/bin:$PATH"
		exits 0 report "$scratch/tree"
	)
	[ ! -e "$scratch/ran" ]
}

broken_files_are_reported() {
	mkdir "$scratch/tree"
	printf 'services: [\n' >"$scratch/tree/compose.yaml"
	printf '{"mcpServers": {"a": {' >"$scratch/tree/.mcp.json"
	exits 0 coverage -f tsv "$scratch/tree"
	prints compose.yaml
	prints .mcp.json
	exits 0 report "$scratch/tree"
	prints 'compose.yaml'
	! grep -q 'No blocking issue found' "$scratch/out" || return 1
}

large_things_end() {
	mkdir "$scratch/tree"
	# A file above the limit, deep nesting, aliases that grow, a very long line.
	dd if=/dev/zero bs=1048576 count=5 2>/dev/null | tr '\0' '#' >"$scratch/tree/compose.yaml"
	awk 'BEGIN { printf "services: "; for (i = 0; i < 20000; i++) printf "["; print "" }' \
		>"$scratch/tree/docker-compose.yml"
	{
		echo 'a0: &a0 [x, x, x, x, x, x, x, x, x, x]'
		for i in 1 2 3 4 5 6 7 8 9; do
			p=$((i - 1))
			echo "a$i: &a$i [*a$p, *a$p, *a$p, *a$p, *a$p, *a$p, *a$p, *a$p, *a$p, *a$p]"
		done
		echo 'services: {a: {image: x, command: *a9}}'
	} >"$scratch/tree/bomb.compose.yaml"
	awk 'BEGIN { printf "FROM x\nRUN "; for (i = 0; i < 100000; i++) printf "echo x && "; print "true" }' \
		>"$scratch/tree/Dockerfile"
	exits 0 report "$scratch/tree"
	exits 0 coverage -f tsv "$scratch/tree"
	prints compose.yaml
	prints docker-compose.yml
}

an_empty_tree_has_a_report() {
	mkdir "$scratch/tree"
	exits 0 report "$scratch/tree"
	prints '0 workloads'
	! grep -q 'No blocking issue found' "$scratch/out" || return 1
	exits 0 inventory "$scratch/tree"
}

for test in errors_hold_no_secret \
	no_control_byte_is_printed output_is_utf8 markdown_of_names_is_text \
	links_out_are_listed_and_not_followed a_compose_file_reads_nothing_outside \
	pipes_and_devices_do_not_hang nothing_in_the_tree_runs broken_files_are_reported large_things_end \
	an_empty_tree_has_a_report; do
	check $test
done
[ $failures -eq 0 ]
