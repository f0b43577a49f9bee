/* MCP client configurations and container command lines.
 * SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/format_help.h"

static void one_row_for_each_server_with_its_launch(void **state)
{
	struct reading r = { 0 };
	const struct row *row;

	(void)state;
	read_text(
	    &r, &format_mcp, "a/.mcp.json", SYNTAX_JSONC,
	    "{\n // comment\n \"mcpServers\": {\n"
	    "  \"files\": {\"command\": \"npx\", \"args\": [\"-y\",\n"
	    "   \"@modelcontextprotocol/server-filesystem\",\n"
	    "   \"/home/me\"]},\n"
	    "  \"off\": {\"command\": \"uvx\", \"args\": [\"tool==1.2\"], \"disabled\": true},\n"
	    "  \"far\": {\"url\": \"http://u:p@example.com/x?api_key=abcdef123456\"} } }\n");
	row = row_of(&r, "a/.mcp.json#mcp//files");
	assert_value(row, FACT_PACKAGE, "@modelcontextprotocol/server-filesystem", &r, 5);
	assert_attribute(row, FACT_PACKAGE, "pinned", "false");
	assert_value(row, FACT_ACCESS_ROOT, "/home/me", &r, 6);
	assert_attribute(row, FACT_ACCESS_ROOT, "wide", "home");
	row = row_of(&r, "a/.mcp.json#mcp//off");
	assert_int_equal(row->activity, ROW_DISABLED);
	assert_attribute(row, FACT_PACKAGE, "pinned", "true");
	row = row_of(&r, "a/.mcp.json#mcp//far");
	assert_int_equal(row->kind, ROW_HELPER);
	assert_value(row, FACT_REMOTE, "http://***@example.com/x?api_key=***", &r, 8);
	assert_attribute(row, FACT_REMOTE, "auth", "true");
	reading_free(&r);
}

static void every_shape_of_client_is_found(void **state)
{
	static const struct {
		const char *path, *text;
		enum syntax syntax;
	} shapes[] = {
		{ ".vscode/mcp.json", "{\"servers\":{\"s\":{\"command\":\"x\"}},\"inputs\":[]}",
		  SYNTAX_JSONC },
		{ "mcp.json", "{\"s\":{\"command\":\"x\"}}", SYNTAX_JSONC },
		{ ".zed/settings.json",
		  "{\"context_servers\":{\"s\":{\"command\":{\"path\":\"x\"}}}}", SYNTAX_JSONC },
		{ "opencode.json", "{\"mcp\":{\"s\":{\"type\":\"local\",\"command\":[\"x\"]}}}",
		  SYNTAX_JSONC },
		{ "settings.json", "{\"mcp\":{\"servers\":{\"s\":{\"command\":\"x\"}}}}",
		  SYNTAX_JSONC },
		{ ".claude.json",
		  "{\"projects\":{\"/p\":{\"mcpServers\":{\"s\":{\"command\":\"x\"}}}}}",
		  SYNTAX_JSONC },
		{ "devcontainer.json",
		  "{\"customizations\":{\"vscode\":{\"mcp\":{\"servers\":{\"s\":{\"command\":\"x\"}"
		  "}}}}}",
		  SYNTAX_JSONC },
		{ "config.yaml", "mcpServers:\n  - name: s\n    command: x\n", SYNTAX_YAML },
		{ "config.yaml", "extensions:\n  s:\n    type: stdio\n    cmd: x\n", SYNTAX_YAML },
		{ "agent.yaml",
		  "agents:\n  root:\n    toolsets:\n      - type: mcp\n        name: s\n"
		  "        command: x\n",
		  SYNTAX_YAML },
	};

	(void)state;
	for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
		struct reading r = { 0 };

		read_text(&r, &format_mcp, shapes[i].path, shapes[i].syntax, shapes[i].text);
		assert_int_equal(r.snapshot.rows.count, 1);
		assert_string_equal(r.snapshot.rows.items[0]->name, "s");
		assert_value(r.snapshot.rows.items[0], FACT_COMMAND, "x", &r, 0);
		reading_free(&r);
	}
}

static void other_files_are_not_taken(void **state)
{
	static const char *const texts[] = {
		"{\"servers\":[{\"url\":\"https://api.example.com\"}],\"openapi\":\"3.0\"}",
		"{\"properties\":{\"mcpServers\":{\"type\":\"object\"}}}",
		("{\"$schema\":\"http://json-schema.org/draft-07/"
		 "schema\",\"mcpServers\":{\"a\":{}}}"),
		"{\"mcpServers\":\"./.mcp.json\"}",
	};

	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct reading r = { 0 };

		assert_false(read_text(&r, &format_mcp, "x.json", SYNTAX_JSONC, texts[i]));
		reading_free(&r);
	}
}

static void a_container_gets_its_own_row(void **state)
{
	struct reading r = { 0 };
	const struct row *row;

	(void)state;
	read_text(&r, &format_mcp, "mcp.json", SYNTAX_JSONC,
	          "{\"mcpServers\":{\"s\":{\"command\":\"docker\",\"args\":[\"run\",\"-i\",\n"
	          "\"-v\",\"/var/run/docker.sock:/d:ro\",\n"
	          "\"--privileged\",\n"
	          "\"--cap-add=cap_sys_admin\",\n"
	          "\"--security-opt\",\"seccomp:unconfined\",\n"
	          "\"-e\",\"TOKEN=abcdef12345\",\n"
	          "\"img:1.2.3\",\"serve\",\"--token\",\"abcdef12345\"]}}}");
	row = row_of(&r, "mcp.json#mcp//s/container");
	assert_int_equal(row->format, FORMAT_RUN);
	assert_int_equal(row->parent, 1);
	assert_value(row, FACT_MOUNT, "/var/run/docker.sock:/d:ro", &r, 2);
	assert_attribute(row, FACT_MOUNT, "read_only", "true");
	assert_value(row, FACT_PRIVILEGED, "true", &r, 3);
	assert_value(row, FACT_CAP_ADD, "SYS_ADMIN", &r, 4);
	assert_value(row, FACT_SECCOMP, "unconfined", &r, 5);
	assert_value(row, FACT_ENV, "TOKEN", &r, 6);
	assert_value(row, FACT_IMAGE, "img:1.2.3", &r, 7);
	assert_value(row, FACT_COMMAND, "serve --token ***", &r, 7);
	assert_int_equal(row_first(row, FACT_READ_ONLY_ROOT, LAYER_DECLARED)->provenance,
	                 PROVENANCE_ABSENT);
	assert_no_text(&r, "abcdef12345");
	reading_free(&r);
}

static void no_secret_is_kept(void **state)
{
	struct reading r = { 0 };

	(void)state;
	read_text(
	    &r, &format_mcp, ".mcp.json", SYNTAX_JSONC,
	    "{\"mcpServers\":{"
	    "\"a\":{\"command\":\"x\",\"args\":[\"--api-key\",\"hunter2hunter2\","
	    "\"postgres://u:hunter2hunter2@h/d\",\"KEY=hunter2hunter2\","
	    "\"https://h/?token=hunter2hunter2\",\"-H\",\"Authorization: Bearer hunter2hunter2\"],"
	    "\"env\":{\"PASSWORD\":\"hunter2hunter2\"}},"
	    "\"b\":{\"url\":\"https://h/?token=hunter2hunter2\","
	    "\"headers\":{\"X-Api-Key\":\"hunter2hunter2\"}},"
	    "\"c\":{\"command\":\"sh\",\"args\":[\"-c\",\"TOKEN=hunter2hunter2 run\"]},"
	    "\"d\":{\"command\":\"docker\",\"args\":[\"run\",\"-e\",\"TOKEN=hunter2hunter2\",\"i\"]"
	    "}"
	    "}}");
	assert_int_equal(r.snapshot.rows.count, 5);
	assert_no_text(&r, "hunter2");
	assert_attribute(row_of(&r, ".mcp.json#mcp//b"), FACT_HEADER, "class", "literal");
	reading_free(&r);
}

static void shells_and_trust_are_told(void **state)
{
	struct reading r = { 0 };
	const struct row *row;

	(void)state;
	read_text(&r, &format_mcp, "settings.json", SYNTAX_JSONC,
	          "{\"mcpServers\":{"
	          "\"a\":{\"command\":\"bash\",\"args\":[\"-lc\",\"npx -y pkg@1.0.0\"],\n"
	          "\"trust\":true,\"alwaysAllow\":[\"read\",\"*\"]},\n"
	          "\"b\":{\"command\":\"srv\",\"args\":[\"--host\",\"0.0.0.0\",\"--port=90\"]}}}");
	row = row_of(&r, "settings.json#mcp//a");
	assert_value(row, FACT_SHELL_LAUNCH, "bash", &r, 1);
	assert_attribute(row, FACT_PACKAGE, "version", "1.0.0");
	assert_value(row, FACT_AUTO_TRUST, "trust", &r, 2);
	assert_value(row, FACT_ALLOWED_TOOL, "read", &r, 2);
	row = row_of(&r, "settings.json#mcp//b");
	assert_value(row, FACT_LISTEN, "0.0.0.0:90", &r, 3);
	reading_free(&r);
}

/* Every value of a good file is replaced by every kind of wrong one. */
static void wrong_types_are_problems_not_crashes(void **state)
{
	static const char *const keys[] = {
		"command",     "args",           "env",   "url",
		"headers",     "transport",      "cwd",   "envFile",
		"alwaysAllow", "trust",          "tools", "disabled",
		"enabled",     "sandboxEnabled", "type",  "requestOptions",
		"config",      "remote",         "apiKey"
	};
	static const char *const values[] = { "null",       "1",          "true",        "\"\"",
		                              "[]",         "{}",         "[null]",      "[{}]",
		                              "[[\"x\"]]",  "{\"a\":{}}", "{\"a\":[1]}", "\"://\"",
		                              "\"\\u0000\"" };

	(void)state;
	for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
		for (size_t v = 0; v < sizeof values / sizeof *values; v++) {
			struct reading r = { 0 };
			char text[256];

			snprintf(text, sizeof text,
			         "{\"mcpServers\":{\"s\":{\"command\":\"docker\",\"%s\":%s}}}",
			         keys[k], values[v]);
			read_text(&r, &format_mcp, ".mcp.json", SYNTAX_JSONC, text);
			assert_true(r.snapshot.rows.count >= 1);
			reading_free(&r);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_row_for_each_server_with_its_launch),
		cmocka_unit_test(every_shape_of_client_is_found),
		cmocka_unit_test(other_files_are_not_taken),
		cmocka_unit_test(a_container_gets_its_own_row),
		cmocka_unit_test(no_secret_is_kept),
		cmocka_unit_test(shells_and_trust_are_told),
		cmocka_unit_test(wrong_types_are_problems_not_crashes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
