/* Settings of agent products.
 * SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/format_help.h"

extern const struct format format_settings;
extern const struct format format_instructions;

static const struct row *only(const struct reading *r)
{
	assert_int_equal(r->snapshot.rows.count, 1);
	return r->snapshot.rows.items[0];
}

static void read_settings(struct reading *r, const char *path, enum syntax syntax, const char *text)
{
	assert_true(read_text(r, &format_settings, path, syntax, text));
}

static void a_sandbox_block_is_no_sandbox(void **state)
{
	struct reading r = { 0 };
	const struct fact *f;

	(void)state;
	read_settings(&r, "x/settings.json", SYNTAX_JSONC,
	              "{\"permissions\":{\"allow\":[\n\"Bash(docker *)\"]},\n"
	              "\"sandbox\":{\n\"network\":{\"allowedDomains\":[\"*.github.io\"]}}}");
	f = fact_of(only(&r), FACT_SANDBOX, "off");
	assert_int_equal(f->provenance, PROVENANCE_ABSENT);
	assert_int_equal(snapshot_line(&r.snapshot, f->span), 3);
	assert_value(only(&r), FACT_ALLOWED_TOOL, "Bash(docker *)", &r, 2);
	assert_value(only(&r), FACT_DOMAIN_RULE, "*.github.io", &r, 4);
	reading_free(&r);
}

/* What an instruction file forbids is text; beside a sandbox that is on it is not the only limit. */
static void instructions_are_no_boundary(void **state)
{
	static const struct {
		const char *settings, *file, *text;
		uint32_t line; /* 0: nothing is said */
	} cases[] = {
		{ "{\"permissions\":{}}", "CLAUDE.md",
		  "# Rules\nBe kind.\nNever read files outside the project.\n", 3 },
		{ "{\"permissions\":{}}", ".claude/CLAUDE.md", "Do NOT run sudo\n", 1 },
		{ "{\"permissions\":{}}", "AGENTS.md", "You must not push to production.\n", 1 },
		{ "{\"permissions\":{}}", "CLAUDE.md", "Never use tabs. Write tests.\n", 0 },
		{ "{\"permissions\":{}}", "GEMINI.md", "Never run commands.\n", 0 },
		{ "{\"permissions\":{}}", "sub/CLAUDE.md", "Never run commands.\n", 0 },
		{ "{\"sandbox\":{\"enabled\":true}}", "CLAUDE.md", "Never run commands.\n", 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct reading r = { 0 };
		const struct fact *f;

		read_settings(&r, ".claude/settings.json", SYNTAX_JSONC, cases[i].settings);
		read_text(&r, &format_instructions, cases[i].file, SYNTAX_TEXT, cases[i].text);
		format_instructions.join(&r.workspace);
		f = row_first(only(&r), FACT_TEXT_LIMIT, LAYER_DECLARED);
		if (!f != !cases[i].line ||
		    (f && snapshot_line(&r.snapshot, f->span) != cases[i].line))
			fail_msg("case %zu: %s", i, f ? f->value : "nothing");
		reading_free(&r);
	}
}

static void claude_switches_keep_their_direction(void **state)
{
	struct reading r = { 0 };

	(void)state;
	read_settings(&r, ".claude/settings.json", SYNTAX_JSONC,
	              "{\"sandbox\":{\"enabled\":true,\"allowUnsandboxedCommands\":false,\n"
	              "\"enableWeakerNestedSandbox\":true},\n"
	              "\"permissions\":{\"defaultMode\":\"bypassPermissions\"},\n"
	              "\"hooks\":{\"Stop\":[{\"hooks\":[{\"command\":\"x.sh\"}]}]}}");
	assert_value(only(&r), FACT_SANDBOX, "on", &r, 1);
	assert_value(only(&r), FACT_APPROVALS, "bypass", &r, 3);
	assert_value(only(&r), FACT_HOOK, "x.sh", &r, 4);
	assert_string_equal(
	    fact_attribute(fact_of(only(&r), FACT_SANDBOX_SETTING, "true"), "effect"), "wide");
	reading_free(&r);
}

static void codex_mode_and_network(void **state)
{
	struct reading r = { 0 };

	(void)state;
	read_settings(&r, "dot/config.toml", SYNTAX_TOML,
	              "sandbox_mode = \"workspace-write\"\napproval_policy = \"never\"\n"
	              "[sandbox_workspace_write]\nnetwork_access = true\n"
	              "[projects.\"/home/me\"]\ntrust_level = \"trusted\"\n");
	assert_value(only(&r), FACT_SANDBOX, "workspace-write", &r, 1);
	assert_value(only(&r), FACT_APPROVALS, "bypass", &r, 2);
	assert_value(only(&r), FACT_SANDBOX_SETTING, "true", &r, 4);
	assert_value(only(&r), FACT_AUTO_TRUST, "project /home/me", &r, 6);
	reading_free(&r);
}

static void a_containerd_config_is_not_codex(void **state)
{
	struct reading r = { 0 };

	(void)state;
	assert_false(read_text(&r, &format_settings, "etc/containerd/config.toml", SYNTAX_TOML,
	                       "version = 3\n[plugins.x]\nsandbox_mode = \"podsandbox\"\n"));
	reading_free(&r);
}

static void each_product_is_told_apart(void **state)
{
	static const struct {
		const char *path, *text, *product;
		enum syntax syntax;
		enum fact_kind kind;
		const char *value;
	} cases[] = {
		{ ".gemini/settings.json", "{\"tools\":{\"sandbox\":{\"image\":\"x\"}}}",
		  "gemini-cli", SYNTAX_JSONC, FACT_SANDBOX, "off" },
		{ ".gemini/settings.json", "{\"tools\":{\"sandbox\":\"docker\"}}", "gemini-cli",
		  SYNTAX_JSONC, FACT_SANDBOX, "docker" },
		{ "goose/config.yaml", "GOOSE_MODE: auto\n", "goose", SYNTAX_YAML, FACT_APPROVALS,
		  "auto" },
		{ ".vscode/settings.json", "{\"chat.tools.global.autoApprove\": true}", "vscode",
		  SYNTAX_JSONC, FACT_APPROVALS, "bypass" },
		{ ".vscode/settings.json",
		  "{\"chat.agent.sandbox.network.allowNetwork\": true, \"a\": 1}", "vscode",
		  SYNTAX_JSONC, FACT_SANDBOX_SETTING, "true" },
		{ ".cursor/sandbox.json", "{\"type\":\"insecure_none\"}", "cursor", SYNTAX_JSONC,
		  FACT_SANDBOX, "insecure_none" },
		{ ".srt-settings.json",
		  "{\"network\":{\"allowedDomains\":[\"a.b\"]},\"filesystem\":{\"allowWrite\":[]}}",
		  "sandbox-runtime", SYNTAX_JSONC, FACT_DOMAIN_RULE, "a.b" },
		{ "opencode.json", "{\"permission\":{\"bash\":{\"git *\":\"allow\"}}}", "opencode",
		  SYNTAX_JSONC, FACT_ALLOWED_TOOL, "bash(git *)" },
		{ "config.toml", "[core]\nruntime = \"local\"\n", "openhands", SYNTAX_TOML,
		  FACT_SANDBOX, "none" },
		{ "settings.json", "{\"agent\":{\"always_allow_tool_actions\":true}}", "zed",
		  SYNTAX_JSONC, FACT_APPROVALS, "bypass" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct reading r = { 0 };

		read_settings(&r, cases[i].path, cases[i].syntax, cases[i].text);
		assert_string_equal(only(&r)->name, cases[i].product);
		assert_value(only(&r), cases[i].kind, cases[i].value, &r, 0);
		reading_free(&r);
	}
}

static void other_files_are_left_alone(void **state)
{
	static const char *const texts[] = {
		"{\"sandbox\":\"kata\",\"kind\":\"x\"}",
		"{\"permissions\":{\"contents\":\"read\"}}",
		("{\"$schema\":\"http://json-schema.org/draft-07/"
		 "schema#\",\"permissions\":{\"allow\":[]}}"),
		"{\"network\":{\"allowedDomains\":[]}}",
		"{\"hooks\":{\"pre-commit\":\"lint\"}}",
	};

	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct reading r = { 0 };

		assert_false(read_text(&r, &format_settings, "x.json", SYNTAX_JSONC, texts[i]));
		reading_free(&r);
	}
}

static void wrong_types_do_not_crash(void **state)
{
	static const char *const values[] = { "null",
		                              "1",
		                              "\"\"",
		                              "[]",
		                              "{}",
		                              "[null]",
		                              "[{}]",
		                              "{\"a\":null}",
		                              "{\"enabled\":[1],\"network\":2}",
		                              "{\"Stop\":[{\"hooks\":[1,{\"command\":[]}]}]}" };
	static const char *const keys[] = { "sandbox",    "permissions", "hooks",    "env",
		                            "permission", "tools",       "projects", "profiles",
		                            "agent",      "network" };
	static const char *const paths[] = { ".claude/settings.json", ".gemini/settings.json",
		                             "opencode.json", ".cursor/sandbox.json" };

	(void)state;
	for (size_t p = 0; p < sizeof paths / sizeof *paths; p++)
		for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
			for (size_t v = 0; v < sizeof values / sizeof *values; v++) {
				struct reading r = { 0 };
				char text[256];

				snprintf(text, sizeof text, "{\"permissions\":{},\"%s\":%s}",
				         keys[k], values[v]);
				read_text(&r, &format_settings, paths[p], SYNTAX_JSONC, text);
				reading_free(&r);
			}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_sandbox_block_is_no_sandbox),
		cmocka_unit_test(instructions_are_no_boundary),
		cmocka_unit_test(claude_switches_keep_their_direction),
		cmocka_unit_test(codex_mode_and_network),
		cmocka_unit_test(a_containerd_config_is_not_codex),
		cmocka_unit_test(each_product_is_told_apart),
		cmocka_unit_test(other_files_are_left_alone),
		cmocka_unit_test(wrong_types_do_not_crash),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
