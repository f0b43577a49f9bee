/* Dev containers and sandbox policies.
 * SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/format_help.h"

extern const struct format format_devcontainer, format_nsjail, format_daemon, format_workflow;

static void a_dev_container_with_features_and_arguments(void **state)
{
	struct reading r = { 0 };
	const struct row *row;

	(void)state;
	assert_true(
	    read_text(&r, &format_devcontainer, ".devcontainer/devcontainer.json", SYNTAX_JSONC,
	              "{ // comment\n\"name\": \"dev\", \"image\": \"a/b:1\",\n"
	              "\"runArgs\": [\"--cap-add=NET_ADMIN\",\n\"--network\", \"host\"],\n"
	              "\"features\": {\"ghcr.io/devcontainers/features/go:1\": {},\n"
	              "\"ghcr.io/devcontainers/features/docker-outside-of-docker:1\": {}},\n"
	              "\"mounts\": [\"source=/home/me/.ssh,target=/s,type=bind,readonly\"],\n"
	              "\"initializeCommand\": \"./setup.sh\",\n"
	              "\"postStartCommand\": {\"a\": [\"sudo\", \"fw.sh\"]},\n"
	              "\"appPort\": [3000], \"remoteUser\": \"node\" }"));
	row = row_of(&r, ".devcontainer/devcontainer.json#devcontainer//dev");
	assert_value(row, FACT_CAP_ADD, "NET_ADMIN", &r, 3);
	assert_value(row, FACT_NETWORK_MODE, "host", &r, 4);
	assert_value(row, FACT_CAP_ADD, "SYS_PTRACE", &r, 5);
	assert_value(row, FACT_SECCOMP, "unconfined", &r, 5);
	/* Part of the image that is built, not of an agent's server list. */
	assert_value(row, FACT_PACKAGE_INSTALL, "ghcr.io/devcontainers/features/go:1", &r, 5);
	assert_null(row_first(row, FACT_PACKAGE, LAYER_DECLARED));
	assert_value(row, FACT_MOUNT, "/var/run/docker.sock:/var/run/docker-host.sock", &r, 6);
	assert_value(row, FACT_MOUNT, "/home/me/.ssh:/s:ro", &r, 7);
	assert_value(row, FACT_HOST_COMMAND, "./setup.sh", &r, 8);
	assert_value(row, FACT_HOOK, "sudo fw.sh", &r, 9);
	assert_value(row, FACT_PORT, "3000:3000", &r, 10);
	assert_value(row, FACT_PRIVILEGE_DROP, "node", &r, 10);
	reading_free(&r);
}

static void wrong_types_in_a_dev_container(void **state)
{
	static const char *const keys[] = { "image",
		                            "build",
		                            "runArgs",
		                            "features",
		                            "mounts",
		                            "capAdd",
		                            "securityOpt",
		                            "containerEnv",
		                            "appPort",
		                            "forwardPorts",
		                            "postStartCommand",
		                            "workspaceMount",
		                            "dockerComposeFile",
		                            "privileged",
		                            "name" };
	static const char *const values[] = {
		"null",       "1",         "\"\"",          "[]",        "{}",
		"[null, {}]", "{\"a\":1}", "[\"--mount\"]", "\"a=b,c\"", "[[1]]"
	};

	(void)state;
	for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
		for (size_t v = 0; v < sizeof values / sizeof *values; v++) {
			struct reading r = { 0 };
			char text[256];

			snprintf(text, sizeof text, "{\"remoteUser\":\"u\",\"%s\":%s}", keys[k],
			         values[v]);
			read_text(&r, &format_devcontainer, "devcontainer.json", SYNTAX_JSONC,
			          text);
			format_devcontainer.join(&r.workspace);
			reading_free(&r);
		}
}

static void an_nsjail_policy_with_its_defaults(void **state)
{
	struct reading r = { 0 };
	const struct row *row;
	const struct fact *f;

	(void)state;
	assert_true(
	    read_text(&r, &format_nsjail, "x/box.cfg", SYNTAX_TEXT,
	              "name: \"box\" # comment\n"
	              "clone_newnet: false\n"
	              "mount {\n  src: \"/home\" dst: \"/h\"\n  is_bind: true\n  rw: true\n}\n"
	              "cap: \"CAP_SYS_PTRACE\"\n"
	              "envar: \"PASSWORD=hunter2\"\n"
	              "seccomp_string: \"ALLOW {\"\n  \"read }\"\n"
	              "made_up: 1\n"));
	row = row_of(&r, "x/box.cfg#nsjail//box");
	assert_value(row, FACT_NETWORK_MODE, "host", &r, 2);
	assert_value(row, FACT_MOUNT, "/home:/h", &r, 4);
	assert_value(row, FACT_CAP_ADD, "SYS_PTRACE", &r, 8);
	assert_value(row, FACT_ENV, "PASSWORD", &r, 9);
	assert_value(row, FACT_SECCOMP, "custom profile", &r, 10);
	assert_value(row, FACT_IGNORED_SETTING, "made_up", &r, 12);
	f = row_first(row, FACT_PID, LAYER_DECLARED);
	assert_string_equal(f->value, "private");
	assert_int_equal(f->provenance, PROVENANCE_ABSENT);
	assert_int_equal(r.snapshot.artifacts.items[0]->problems.count, 0);
	assert_no_text(&r, "hunter2");
	reading_free(&r);
}

static void broken_policies_end_with_a_problem(void **state)
{
	static const char *const texts[] = { "mount {", "name: ",      "name: \"x",
		                             "}",       "a { b { c {", "x: [1, ",
		                             ": 1",     "a: b c",      "name \\" };

	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct reading r = { 0 };
		char text[128];

		snprintf(text, sizeof text, "clone_newnet: true clone_newns: true %s", texts[i]);
		assert_true(read_text(&r, &format_nsjail, "a.cfg", SYNTAX_TEXT, text));
		assert_true(r.snapshot.artifacts.items[0]->problems.count > 0);
		reading_free(&r);
	}
}

static void an_engine_s_own_settings(void **state)
{
	struct reading r = { 0 };
	const struct row *row;

	(void)state;
	assert_true(
	    read_text(&r, &format_daemon, "etc/docker/daemon.json", SYNTAX_JSON,
	              "{\"hosts\": [\"tcp://0.0.0.0:2375\"],\n"
	              "\"seccomp-profile\": \"unconfined\",\n"
	              "\"runtimes\": {\"runsc\": {\"runtimeArgs\": [\"--network=host\"]}},\n"
	              "\"insecure-registries\": [\"r:5000\", 1, null]}"));
	row = row_of(&r, "etc/docker/daemon.json#engine//docker");
	assert_attribute(row, FACT_ENGINE_HOST, "tls", "false");
	assert_value(row, FACT_DAEMON_DEFAULT, "seccomp-profile=unconfined", &r, 2);
	assert_value(row, FACT_RUNTIME_FLAG, "--network=host", &r, 3);
	assert_value(row, FACT_REGISTRY, "r:5000", &r, 4);
	reading_free(&r);
}

static void containers_of_a_workflow(void **state)
{
	struct reading r = { 0 };
	const struct row *row;

	(void)state;
	assert_true(read_text(&r, &format_workflow, ".github/workflows/ci.yml", SYNTAX_YAML,
	                      "on: push\njobs:\n  build:\n    runs-on: [self-hosted]\n"
	                      "    container:\n      image: node:20\n"
	                      "      options: --privileged --user root\n"
	                      "    services:\n      db: {image: postgres, ports: ['5432:5432']}\n"
	                      "    steps:\n      - uses: docker://alpine:3\n      - 5\n"
	                      "  other: 7\n"));
	assert_int_equal(r.snapshot.rows.count, 3);
	row = row_of(&r, ".github/workflows/ci.yml#job//build/container");
	assert_value(row, FACT_PRIVILEGED, "true", &r, 7);
	assert_value(row, FACT_MOUNT, "/var/run/docker.sock:/var/run/docker.sock", &r, 5);
	row = row_of(&r, ".github/workflows/ci.yml#job//build/db");
	assert_value(row, FACT_PORT, "5432:5432", &r, 9);
	assert_null(row_first(row, FACT_MOUNT, LAYER_DECLARED));
	reading_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_dev_container_with_features_and_arguments),
		cmocka_unit_test(wrong_types_in_a_dev_container),
		cmocka_unit_test(an_nsjail_policy_with_its_defaults),
		cmocka_unit_test(broken_policies_end_with_a_problem),
		cmocka_unit_test(an_engine_s_own_settings),
		cmocka_unit_test(containers_of_a_workflow),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
