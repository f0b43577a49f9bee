/* Scripts: what an entry chain does to the row, and containers that scripts start.
 * SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/tree_help.h"

extern const struct format format_dockerfile, format_compose, format_script;

static const struct format *const formats[] = { &format_compose, &format_dockerfile, &format_script,
						NULL };

/* An image whose entry point is SCRIPT. */
static void load_entry(struct tree *t, struct tree_file files[2], const char *script)
{
	files[0] = (struct tree_file){ "Dockerfile", "FROM x\nCOPY bin/ /opt/\nUSER root\n"
						     "ENTRYPOINT [\"/opt/start.sh\"]\nCMD [\"app\"]\n" };
	files[1] = (struct tree_file){ "bin/start.sh", script };
	tree_load(t, files, 2, formats);
}

static void assert_drop(const char *script, const char *user, const char *closed)
{
	struct tree_file files[2];
	struct tree t;
	const struct row *row;
	const struct fact *f;

	load_entry(&t, files, script);
	row = row_of(&t.reading, "Dockerfile#stage//0");
	f = fact_of(row, FACT_PRIVILEGE_DROP, user);
	assert_string_equal(snapshot_path(&t.reading.snapshot, f->span), "bin/start.sh");
	if (strcmp(fact_attribute(f, "closed"), closed) != 0)
		fail_msg("closed is not %s:\n%s", closed, script);
	tree_free(&t);
}

static void drops_fail_closed_or_open(void **state)
{
	(void)state;
	assert_drop("#!/bin/sh\nexec gosu app:app \"$@\"\n", "app", "true");
	assert_drop("#!/bin/sh\nif [ \"$(id -u)\" = 0 ]; then\n exec su-exec app \"$@\"\nfi\nexec \"$@\"\n",
		    "app", "true");
	assert_drop("#!/bin/sh\nset -e\nsetpriv --reuid=1000 --regid=1000 app\nexec \"$@\"\n", "1000",
		    "true");
	assert_drop("#!/bin/sh\ngosu app \"$@\" || exec \"$@\"\n", "app", "false");
	assert_drop("#!/bin/sh\ngosu app \"$@\" || exit 1\nexec \"$@\"\n", "app", "true");
	assert_drop("#!/bin/sh\nrunuser -u app -- \"$@\"\nexec \"$@\"\n", "app", "false");
	/* The other branch keeps root. */
	assert_drop("#!/bin/bash\nif [[ $X -eq 0 ]]; then\n \"$@\"\nelse\n su app -c \"$*\"\nfi\n", "app",
		    "false");
}

static void a_trial_or_root_is_no_drop(void **state)
{
	struct tree_file files[2];
	struct tree t;

	(void)state;
	load_entry(&t, files, "#!/bin/sh\nif gosu app true; then echo ok; fi\nsu root -c x\n"
			      "echo gosu app x\n");
	assert_false(has_fact(row_of(&t.reading, "Dockerfile#stage//0"), FACT_PRIVILEGE_DROP, NULL));
	tree_free(&t);
}

static void the_socket_s_group_is_joined(void **state)
{
	struct tree_file files[2];
	struct tree t;
	const struct row *row;

	(void)state;
	load_entry(&t, files,
		   "#!/bin/sh\nG=$(stat -c %g /var/run/docker.sock)\ngroupadd -g $G x\n"
		   "usermod -aG $G app\nexec su app -c \"$*\"\n");
	row = row_of(&t.reading, "Dockerfile#stage//0");
	assert_value(row, FACT_SOCKET_GROUP_JOIN, "$G", &t.reading, 4);
	tree_free(&t);
}

static void scripts_are_followed_into_scripts(void **state)
{
	static const struct tree_file files[] = {
		{ "docker/Dockerfile", "FROM x AS b\nCOPY scripts/*.sh /s/\nFROM y\n"
				       "COPY --from=b /s /usr/local/bin/\n"
				       "ENTRYPOINT [\"tini\", \"--\", \"/usr/local/bin/a.sh\"]\n" },
		{ "docker/scripts/a.sh", "#!/bin/sh\n. /usr/local/bin/lib.sh\nexec \"$@\"\n" },
		{ "docker/scripts/lib.sh", "iptables -P OUTPUT DROP\n"
					   "iptables -A OUTPUT -p udp --dport 53 -j ACCEPT\n"
					   "npx -y tool@latest\nnsenter -t 1 -m sh\n"
					   "claude --dangerously-skip-permissions\n"
					   "/usr/local/bin/gone.sh\n" },
	};
	struct tree t;
	const struct row *row;

	(void)state;
	tree_load(&t, files, 3, formats);
	row = row_of(&t.reading, "docker/Dockerfile#stage//1");
	assert_value_attribute(row, FACT_SCRIPT, "docker/scripts/a.sh", "state", "read");
	assert_value_attribute(row, FACT_SCRIPT, "docker/scripts/lib.sh", "state", "read");
	assert_value(row, FACT_FIREWALL, "iptables -P OUTPUT DROP", &t.reading, 1);
	assert_value_attribute(row, FACT_FIREWALL, "iptables -A OUTPUT -p udp --dport 53 -j ACCEPT",
			       "allows", "dns");
	assert_value(row, FACT_PACKAGE, "tool@latest", &t.reading, 3);
	assert_value(row, FACT_HOST_ENTER, "nsenter -t 1 -m sh", &t.reading, 4);
	assert_attribute(row, FACT_APPROVALS, "setting", "--dangerously-skip-permissions");
	tree_free(&t);
}

static void what_cannot_be_followed_is_said(void **state)
{
	static const struct tree_file files[] = {
		{ "compose.yaml", "services:\n  a:\n    image: x\n    entrypoint: [\"/entrypoint.sh\"]\n"
				  "  b:\n    image: x\n    entrypoint: [\"/bin/app\"]\n"
				  "  c:\n    image: x\n    volumes: ['./run:/run2']\n"
				  "    command: sh /run2/go.sh\n" },
		{ "run/go.sh", "#!/bin/sh\nexec app\n" },
	};
	struct tree t;
	const struct row *row;

	(void)state;
	tree_load(&t, files, 2, formats);
	row = row_of(&t.reading, "compose.yaml#service//a");
	assert_value_attribute(row, FACT_SCRIPT, "/entrypoint.sh", "state", "image");
	assert_false(has_fact(row_of(&t.reading, "compose.yaml#service//b"), FACT_SCRIPT, NULL));
	row = row_of(&t.reading, "compose.yaml#service//c");
	assert_value_attribute(row, FACT_SCRIPT, "run/go.sh", "state", "read");
	tree_free(&t);
}

static void option_arrays_are_put_together(void **state)
{
	static const struct tree_file file = {
		"run.sh", "#!/bin/bash\nargs=(--rm)\n"
			  "if x; then\n  args+=(-v \"$HOME/.ssh\":/root/.ssh:ro)\nfi\n"
			  "args+=(\n  --cap-add NET_ADMIN\n  \"$IMAGE\"\n)\n"
			  "echo docker run --privileged no\n"
			  "cat <<EOF\ndocker run --privileged no\nEOF\n"
			  "# docker run --privileged no\n"
			  "docker run \"${args[@]}\"\n"
	};
	struct tree t;
	const struct row *row;

	(void)state;
	tree_load(&t, &file, 1, formats);
	assert_int_equal(t.reading.snapshot.rows.count, 1);
	row = row_of(&t.reading, "run.sh#launch//$IMAGE");
	assert_int_equal(snapshot_line(&t.reading.snapshot, row->span), 15);
	assert_value(row, FACT_MOUNT, "$HOME/.ssh:/root/.ssh:ro", &t.reading, 4);
	assert_value(row, FACT_CAP_ADD, "NET_ADMIN", &t.reading, 7);
	tree_free(&t);
}

static void other_kinds_of_launchers_are_read(void **state)
{
	static const struct {
		struct tree_file file;
		const char *key, *value;
		enum fact_kind kind;
		uint32_t line;
	} cases[] = {
		{ { "Makefile", "run:\n\t@docker run --rm \\\n\t  --privileged \\\n\t  busybox sh\n" },
		  "Makefile#launch//busybox", "true", FACT_PRIVILEGED, 3 },
		{ { "run.bat", "@echo off\r\nREM docker run x\r\ndocker run --rm ^\r\n"
			       "  -v C:\\a:/b ^\r\n  --name box img\r\n" },
		  "run.bat#launch//box", "C:\\a:/b", FACT_MOUNT, 4 },
		{ { "package.json", "{\"scripts\": {\n\"up\": \"docker run --pid=host img\"}}" },
		  "package.json#launch//img", "host", FACT_PID, 2 },
		{ { "go.sh", "OPTS=\"--net host -it\"\npodman run $OPTS img\n" },
		  "go.sh#launch//img", "host", FACT_NETWORK_MODE, 1 },
		{ { "justfile", "run:\n    docker run --user 0 img\n" },
		  "justfile#launch//img", "0", FACT_USER, 2 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct tree t;

		tree_load(&t, &cases[i].file, 1, formats);
		assert_value(row_of(&t.reading, cases[i].key), cases[i].kind, cases[i].value,
			     &t.reading, cases[i].line);
		tree_free(&t);
	}
}

static void a_launch_meets_the_image_that_the_tree_builds(void **state)
{
	static const struct tree_file files[] = {
		{ "Dockerfile", "FROM x AS one\nUSER app\nFROM y AS two\n" },
		{ "build.sh", "docker build -t tool:1 --target one .\n" },
		{ "run.sh", "docker run tool:1\n" },
	};
	struct tree t;
	const struct row *row;

	(void)state;
	tree_load(&t, files, 3, formats);
	row = row_of(&t.reading, "run.sh#launch//tool");
	assert_value(row, FACT_USER, "app", &t.reading, 2);
	assert_int_equal(row_of(&t.reading, "Dockerfile#stage//two")->activity, ROW_DISABLED);
	tree_free(&t);
}

static void a_base_built_in_the_tree_gives_its_user(void **state)
{
	static const struct tree_file files[] = {
		{ "base/Dockerfile", "FROM x\nUSER agent\n" },
		{ "Makefile", "base:\n\tdocker build -t core base\nall: base\n\tdocker build -t app .\n" },
		{ "Dockerfile", "FROM core\nRUN id\n" },
	};
	struct tree t;
	const struct row *row;

	(void)state;
	tree_load(&t, files, 3, formats);
	row = row_of(&t.reading, "Dockerfile#stage//0");
	assert_attribute(row, FACT_BASE_IMAGE, "local", "true");
	assert_value(row, FACT_USER, "agent", &t.reading, 2);
	tree_free(&t);
}

static void hostile_scripts_end(void **state)
{
	static const char *const texts[] = {
		"", "docker run", "docker run \"${a[@]}\"", "a=(\"${b[@]}\")\nb=(\"${a[@]}\")\ndocker run \"${a[@]}\"\n",
		"A=$A\ndocker run $A\n", "docker build -t x -f ../../../x .\n", "docker exec --privileged\n",
		". ./x.sh\nsh x.sh\n", "exec\nsudo\nsu\ngosu\nsetpriv --reuid\n", "if if if fi fi\n",
		"docker run $(docker run $(docker run x))\n",
	};

	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		const struct tree_file files[] = {
			{ "x.sh", texts[i] },
			{ "Dockerfile", "FROM x\nCOPY x.sh /\nENTRYPOINT [\"/x.sh\"]\n" },
		};
		struct tree t;

		tree_load(&t, files, 2, formats);
		tree_free(&t);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(drops_fail_closed_or_open),
		cmocka_unit_test(a_trial_or_root_is_no_drop),
		cmocka_unit_test(the_socket_s_group_is_joined),
		cmocka_unit_test(scripts_are_followed_into_scripts),
		cmocka_unit_test(what_cannot_be_followed_is_said),
		cmocka_unit_test(option_arrays_are_put_together),
		cmocka_unit_test(other_kinds_of_launchers_are_read),
		cmocka_unit_test(a_launch_meets_the_image_that_the_tree_builds),
		cmocka_unit_test(a_base_built_in_the_tree_gives_its_user),
		cmocka_unit_test(hostile_scripts_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
