/* Rules of agents: approvals, sandboxes, MCP servers and helpers.
 * SPDX-License-Identifier: MIT */
#include "tests/unit/rules_cases.h"

#define A FORMAT_AGENT_SETTINGS
#define M FORMAT_MCP
#define W FORMAT_BWRAP

static void approvals(void **state)
{
	static const struct rule_case cases[] = {
		{ "approvals-bypassed", A, "approvals|bypass|setting=permissions.defaultMode", FIRES,
		  NULL, NULL },
		{ "approvals-bypassed", A, "approvals|ask", QUIET, NULL, NULL },
		{ "approvals-bypassed", A, "~approvals|{{x}}", UNKNOWN, NULL, NULL },
		{ "mcp-auto-trusted", M, "auto_trust|trust", FIRES, "mcp-excessive-tool-permission",
		  NULL },
		{ "mcp-auto-trusted", M, "command|x", QUIET, NULL, NULL },
		{ "tool-allowed-wide", A, "allowed_tool|Bash(docker *)", FIRES,
		  "mcp-excessive-tool-permission", NULL },
		{ "tool-allowed-wide", A, "allowed_tool|Bash(npm run lint)", QUIET, NULL, NULL },
		{ "privileged-helper", FORMAT_COMPOSE,
		  "helper|b\nrow b compose\nprivileged|true", FIRES, NULL, NULL },
		{ "privileged-helper", FORMAT_COMPOSE, "helper|b\nrow b compose\nimage|a", QUIET, NULL,
		  NULL },
		{ "text-as-boundary", M, "text_limit|AGENTS.md", FIRES, NULL, NULL },
		{ "text-as-boundary", M, "command|x", QUIET, NULL, NULL },
		{ "x-escape-hatch-unattended", A,
		  "approvals|bypass\n"
		  "sandbox_setting|true|setting=allowUnsandboxedCommands|effect=wide",
		  FIRES, NULL, NULL },
		{ "x-escape-hatch-unattended", A,
		  "sandbox_setting|true|setting=allowUnsandboxedCommands|effect=wide", QUIET, NULL,
		  NULL },
	};

	(void)state;
	CHECK(cases);
}

static void sandboxes(void **state)
{
	static const struct rule_case cases[] = {
		{ "sandbox-off", A, "sandbox|off|product=Claude Code", FIRES, NULL, "high" },
		{ "sandbox-off", A, "-sandbox|unset|product=Claude Code", FIRES, NULL, NULL },
		{ "sandbox-off", A, "sandbox|on", QUIET, NULL, NULL },
		{ "sandbox-off", A, "~sandbox|{{x}}", UNKNOWN, NULL, NULL },
		{ "sandbox-fail-open", A, "-sandbox_setting|false|setting=failIfUnavailable|effect=wide",
		  FIRES, NULL, NULL },
		{ "sandbox-fail-open", A, "sandbox_setting|true|setting=failIfUnavailable|effect=narrow",
		  QUIET, NULL, NULL },
		{ "sandbox-escape-hatch", A,
		  "-sandbox_setting|true|setting=allowUnsandboxedCommands|effect=wide", FIRES, NULL,
		  NULL },
		{ "sandbox-escape-hatch", A,
		  "sandbox_setting|false|setting=allowUnsandboxedCommands|effect=narrow", QUIET, NULL,
		  NULL },
		{ "sandbox-excluded-commands", A, "sandbox_setting|docker|setting=excludedCommands",
		  FIRES, NULL, "high" },
		{ "sandbox-excluded-commands", A, "sandbox_setting|make|setting=excludedCommands", FIRES,
		  NULL, "medium" },
		{ "sandbox-excluded-commands", A, "sandbox_setting|x|setting=other", QUIET, NULL, NULL },
		{ "sandbox-weakened", A,
		  "sandbox_setting|true|setting=enableWeakerNestedSandbox|effect=wide", FIRES, NULL,
		  NULL },
		{ "sandbox-weakened", A,
		  "sandbox_setting|false|setting=enableWeakerNestedSandbox|effect=narrow", QUIET, NULL,
		  NULL },
		{ "seatbelt-permissive", A, "sandbox_setting|permissive-open|setting=SEATBELT_PROFILE",
		  FIRES, NULL, NULL },
		{ "seatbelt-permissive", A,
		  "sandbox_setting|restrictive-closed|setting=SEATBELT_PROFILE|effect=narrow", QUIET,
		  NULL, NULL },
		{ "sandbox-net-open", A, "sandbox_setting|true|setting=network_access|effect=wide", FIRES,
		  "agent-egress-open", NULL },
		{ "sandbox-net-open", W, "network_mode|host", FIRES, NULL, NULL },
		{ "sandbox-net-open", W, "network_mode|private", QUIET, NULL, NULL },
		{ "domain-wildcard", A, "domain_rule|*.example.com|effect=allow", FIRES, NULL, NULL },
		{ "domain-wildcard", A, "domain_rule|gist.github.com|effect=allow", FIRES, NULL, NULL },
		{ "domain-wildcard", A, "domain_rule|api.example.com|effect=allow", QUIET, NULL, NULL },
		{ "x-sandbox-unix-socket", W, "mount|v|type=bind|source=/|target=/|read_only=true", FIRES,
		  NULL, NULL },
		{ "x-sandbox-unix-socket", W, "mount|v|type=bind|source=/usr|target=/usr", QUIET, NULL,
		  NULL },
		{ "x-bwrap-tty", W, "sandbox|bwrap", FIRES, NULL, NULL },
		{ "x-bwrap-tty", W, "sandbox|bwrap\nsandbox_setting|true|setting=--new-session", QUIET,
		  NULL, NULL },
	};

	(void)state;
	CHECK(cases);
}

static void servers(void **state)
{
	static const struct rule_case cases[] = {
		{ "mcp-unsandboxed", M, "command|node server.js", FIRES, NULL, NULL },
		{ "mcp-unsandboxed", M, "command|docker run x\nimage|x", QUIET, NULL, NULL },
		{ "mcp-plain-http", M, "remote|http://a/|scheme=http|host=a", FIRES, NULL, NULL },
		{ "mcp-plain-http", M, "remote|http://localhost/|scheme=http|loopback=true", QUIET, NULL,
		  NULL },
		{ "mcp-plain-http", M, "?remote|${URL}", UNKNOWN, NULL, NULL },
		{ "mcp-auth-absent", M, "remote|https://a/|auth=false", FIRES, NULL, NULL },
		{ "mcp-auth-absent", M, "remote|https://a/|auth=true", QUIET, NULL, NULL },
		{ "mcp-auth-absent", M, "remote|https://a/|auth=unknown", UNKNOWN, NULL, NULL },
		{ "mcp-egress-odd", M, "remote|http://93.184.216.34/|host=93.184.216.34", FIRES, NULL,
		  NULL },
		{ "mcp-egress-odd", M, "remote|https://a:4444/|host=a|port=4444", FIRES, NULL, NULL },
		{ "mcp-egress-odd", M, "remote|https://a/|host=a|port=443", QUIET, NULL, NULL },
		{ "mcp-shell-launch", M, "shell_launch|bash -c", FIRES, NULL, NULL },
		{ "mcp-shell-launch", M, "command|node x", QUIET, NULL, NULL },
		{ "mcp-env-inherited", M, "command|node x|env=inherited", FIRES, NULL, NULL },
		{ "mcp-env-inherited", M, "command|node x|env=filtered", QUIET, NULL, NULL },
		{ "token-passthrough", M, "header|Authorization|class=passthrough", FIRES, NULL, NULL },
		{ "token-passthrough", M, "header|Authorization|class=reference", QUIET, NULL, NULL },
		{ "mcp-gateway-wide", M, "command|docker mcp gateway run", FIRES, NULL, NULL },
		{ "mcp-gateway-wide", M, "command|docker mcp gateway run --block-network", QUIET, NULL,
		  NULL },
		{ "secret-in-args", M, "secret_argument|--api-key", FIRES, "mcp-secret-literal", NULL },
	};

	(void)state;
	CHECK(cases);
}

/* A tool's row against the row of the agent that starts it. */
static void tool_is_wider_than_its_agent(void **state)
{
	struct snapshot s = { 0 };
	struct rule_table tables[RULE_TABLE_COUNT];

	(void)state;
	s.scope.kubernetes = s.scope.runtime = s.scope.os = "";
	read_case(&s, M,
		  "row tool mcp tool-subprocess tool\nmount|v|type=bind|source=/etc|target=/e\n"
		  "row agent agent-settings main agent\nsandbox|on");
	s.rows.items[0]->parent = 2;
	rules_tables(tables);
	eval_snapshot(&s, tables, RULE_TABLE_COUNT, simple_digest);
	assert_int_equal(verdict_of(&s, "subprocess-wider"), VERDICT_FIRES);
	snapshot_free(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(approvals),
		cmocka_unit_test(sandboxes),
		cmocka_unit_test(servers),
		cmocka_unit_test(tool_is_wider_than_its_agent),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
