/* Rules of the field agent position.
 * SPDX-License-Identifier: MIT */
#include "src/rules/rules.h"

#include <string.h>

#include "src/rules/judge.h"
#include "src/rules/mount_facts.h"

static enum verdict approvals_bypassed(struct eval *e, const struct fact *f)
{
	static const char *const bypass[] = { "bypass", "never", "auto", "yolo",
					      "bypassPermissions", NULL };
	const char *setting = attribute_of(f, "setting");

	if (!text_is_any(f->value, bypass))
		return fact_is_known(f) ? VERDICT_QUIET : VERDICT_UNKNOWN;
	if (f->provenance == PROVENANCE_ABSENT)
		return VERDICT_QUIET;
	eval_say(e, "tool calls run without a person's approval%s%s", *setting ? ": " : "", setting);
	return judge_bad(e, f, true);
}

static const struct row *row_named(const struct eval *e, const char *name)
{
	const struct snapshot *s = eval_world(e);

	for (size_t i = 0; i < s->rows.count; i++)
		if (s->rows.items[i] != eval_row(e) && row_is_workload(s->rows.items[i]) &&
		    (strcmp(s->rows.items[i]->name, name) == 0 ||
		     strcmp(s->rows.items[i]->unit, name) == 0))
			return s->rows.items[i];
	return NULL;
}

static bool row_is_wide(struct eval *e, const struct row *row)
{
	const struct fact *f;

	if (fact_truth(row_first(row, FACT_PRIVILEGED, LAYER_DECLARED)) == TRI_TRUE) {
		eval_in(e, row, FACT_PRIVILEGED);
		return true;
	}
	for (f = row_first(row, FACT_MOUNT, LAYER_DECLARED); f; f = row_next(row, f))
		if (mount_has(f, HOST_PATH_ROOT | HOST_PATH_ENGINE_SOCKET |
				 HOST_PATH_RUNTIME_SOCKET)) {
			eval_read(e, f);
			return true;
		}
	return false;
}

static enum verdict privileged_helper(struct eval *e, const struct fact *f)
{
	const struct row *helper;

	if (!fact_is_written(f))
		return VERDICT_QUIET;
	helper = row_named(e, f->value);
	if (!helper)
		eval_say(e, "helper %s is used and has no row of its own", f->value);
	else if (row_is_wide(e, helper))
		eval_say(e, "helper %s has more rights than what calls it", f->value);
	else
		return VERDICT_QUIET;
	return VERDICT_FIRES;
}

static enum verdict mcp_auto_trusted(struct eval *e, const struct fact *f)
{
	eval_concepts(e, eval_row(e)->format == FORMAT_MCP ? "mcp-excessive-tool-permission" : "");
	eval_say(e, "servers or tools start without asking: %s", f->value);
	return judge_written(e, f);
}

/* Patterns that stand for any program, or for one that can start any other. */
static bool pattern_is_wide(const char *pattern)
{
	static const char *const all[] = { "*", "Bash", "Bash(*)", "Bash(:*)", "Bash(**)", "shell",
					   "Shell(*)", "run_shell_command", "execute_command",
					   "run_command", "shell_exec", "mcp__*", NULL };
	static const char *const programs[] = { "docker", "podman", "kubectl", "nerdctl", "sudo",
						"ssh", "bash", "sh", "zsh", "python", "python3",
						"node", "npx", "uvx", "perl", "ruby", "curl",
						"wget", "eval", "xargs", "env", "nsenter", NULL };

	if (text_is_any(pattern, all))
		return true;
	/* "Bash(ls *)": the program stands in the brackets. */
	return text_holds(pattern, "*") &&
	       text_has_word(strchr(pattern, '(') ? strchr(pattern, '(') : pattern, programs);
}

static enum verdict tool_allowed_wide(struct eval *e, const struct fact *f)
{
	static const char *const names[] = { "delete", "write_file", "execute", "exec", "run_",
					     "shell", "terminal", "command", "drop_", NULL };
	bool dangerous = pattern_is_wide(f->value) || attribute_true(f, "dangerous");

	if (eval_row(e)->format == FORMAT_MCP)
		dangerous |= text_holds_any(f->value, names);
	if (!dangerous || !fact_is_written(f) || fact_attribute_is(f, "effect", "deny"))
		return VERDICT_QUIET;
	eval_say(e, "%s is allowed without asking", f->value);
	return VERDICT_FIRES;
}

/* Fields in which a tool may be wider than the agent that starts it. */
static const struct {
	const char *what;
	enum fact_kind kind;
	bool serious;
} compared[] = {
	{ "mounts", FACT_MOUNT, false },
	{ "control channels", FACT_API_SOCKET, true },
	{ "control channels", FACT_ENGINE_HOST, true },
	{ "control channels", FACT_SSH_AGENT, true },
	{ "credentials", FACT_SECRET, true },
	{ "credentials", FACT_SECRET_ARGUMENT, true },
	{ "ingress", FACT_HOST_PORT, false },
};

static const struct fact *same_in(const struct row *row, const struct fact *f)
{
	const struct fact *other = row_first(row, f->kind, LAYER_DECLARED);

	while (other && strcmp(other->value, f->value) != 0)
		other = row_next(row, other);
	return other;
}

static bool widens(const struct fact *f)
{
	if (!fact_is_written(f))
		return false;
	return f->kind != FACT_MOUNT || (mount_is_host(f) && !attribute_true(f, "project"));
}

static enum verdict subprocess_wider(struct eval *e, const struct fact *f)
{
	const struct row *parent = eval_parent(e);

	(void)f;
	if (!parent || (eval_row(e)->kind != ROW_TOOL_SUBPROCESS && eval_row(e)->kind != ROW_HELPER))
		return VERDICT_QUIET;
	for (size_t i = 0; i < sizeof compared / sizeof *compared; i++) {
		const struct fact *mine = row_first(eval_row(e), compared[i].kind, eval_layer(e));

		for (; mine; mine = eval_next(e, mine))
			if (widens(mine) && !same_in(parent, mine)) {
				if (compared[i].serious)
					eval_severity(e, SEVERITY_HIGH);
				eval_subject(e, mine);
				eval_say(e, "%s has wider %s than %s, which starts it",
					 eval_row(e)->name, compared[i].what, parent->name);
				return VERDICT_FIRES;
			}
	}
	return VERDICT_QUIET;
}

const struct rule rules_agent_position[] = {
	{
		.slug = "approvals-bypassed",
		.field = FIELD_AGENT_POSITION,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"--dangerously-skip-permissions, permission mode bypassPermissions, "
			"approval_policy=never, Gemini --yolo or approval mode yolo, global "
			"auto-approve",
		.consequence =
			"No person stands between a model decision and its effect, so the OS "
			"boundary is the only control left.",
		.fix =
			"Keep the bypass only where the row's isolation fields are observed, "
			"otherwise use on-request approvals.",
		.compatibility = "Unattended runs need an allow list instead.",
		.owner = "agent operator",
		.restore = RESTORE_SETTINGS,
		.formats = FORMAT_BIT(AGENT_SETTINGS) | FORMAT_BIT(CLI) | FORMAT_BIT(SCRIPT) |
			   FORMAT_BIT(COMPOSE) | FORMATS_RUN | FORMATS_K8S |
			   FORMAT_BIT(DOCKERFILE) | FORMAT_BIT(IMAGE_INSPECT),
		.task_context = true,
		.concepts = "",
		.each = FACT_APPROVALS,
		.judge = approvals_bypassed,
	},
	{
		.slug = "privileged-helper",
		.field = FIELD_AGENT_POSITION,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_MEDIUM,
		.trigger =
			"the agent can call a service, sudo script or API whose own row is "
			"missing or wider than the agent's",
		.consequence =
			"The agent acts outside its box through that helper; the helper's row "
			"is the real boundary.",
		.fix = "Add the helper as a row, and narrow its accepted requests.",
		.compatibility = "None until narrowed.",
		.owner = "service owner",
		.restore = RESTORE_NOTHING,
		.formats = FORMAT_BIT(COMPOSE) | FORMATS_K8S | FORMAT_BIT(SCRIPT) |
			   FORMAT_BIT(MCP) | FORMAT_BIT(INSPECT),
		.concepts = "",
		.each = FACT_HELPER,
		.judge = privileged_helper,
	},
	{
		.slug = "mcp-auto-trusted",
		.field = FIELD_AGENT_POSITION,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"project-level server definitions start without consent: "
			"enableAllProjectMcpServers, Gemini trust: true, chat.mcp.autostart, "
			"sandboxEnabled auto-approval",
		.consequence = "A repository change adds code that starts by itself.",
		.fix = "Require per-server approval and pin the file's hash.",
		.compatibility = "One prompt per change.",
		.owner = "agent operator",
		.restore = RESTORE_SETTINGS,
		.formats = FORMAT_BIT(MCP) | FORMAT_BIT(AGENT_SETTINGS),
		.concepts = "mcp-excessive-tool-permission",
		.each = FACT_AUTO_TRUST,
		.judge = mcp_auto_trusted,
	},
	{
		.slug = "tool-allowed-wide",
		.field = FIELD_AGENT_POSITION,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"a tool that starts any program is allowed without asking: a pattern "
			"that covers a shell, an interpreter, a container engine or everything; "
			"alwaysAllow of a tool that executes, writes or deletes",
		.consequence =
			"The allow rule decides for every later command of that kind; a deny "
			"list beside it bounds nothing an interpreter does.",
		.fix = "Allow single commands with fixed arguments, or keep the question.",
		.compatibility = "Unattended runs ask more often.",
		.owner = "agent operator",
		.restore = RESTORE_SETTINGS,
		.formats = FORMAT_BIT(AGENT_SETTINGS) | FORMAT_BIT(MCP) | FORMAT_BIT(CLI),
		.concepts = "mcp-excessive-tool-permission",
		.each = FACT_ALLOWED_TOOL,
		.judge = tool_allowed_wide,
	},
	{
		.slug = "subprocess-wider",
		.field = FIELD_AGENT_POSITION,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_MEDIUM,
		.trigger =
			"computed: a tool or helper row has a wider value than its parent agent "
			"row in mounts, control_channels, egress, credentials or identity; high "
			"when the wider field is control_channels, credentials or identity",
		.consequence =
			"The agent's effective access is the union of its own row and this one.",
		.fix = "Narrow the tool row, or treat the union as the agent's boundary.",
		.compatibility = "Depends on the tool.",
		.owner = "service owner",
		.restore = RESTORE_NOTHING,
		.formats = FORMAT_ALL,
		.concepts = "",
		.judge = subprocess_wider,
	},
};

const size_t rules_agent_position_count =
	sizeof rules_agent_position / sizeof *rules_agent_position;
