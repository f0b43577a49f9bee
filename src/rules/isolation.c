/* Rules of the field isolation.
 * SPDX-License-Identifier: MIT */
#include "src/rules/rules.h"

#include "src/rules/judge.h"

static bool has_container_around(const struct eval *e)
{
	const struct row *parent = eval_parent(e);

	return parent && parent->format != FORMAT_AGENT_SETTINGS && parent->format != FORMAT_MCP;
}

static enum verdict sandbox_off(struct eval *e, const struct fact *f)
{
	static const char *const off[] = { "off", "unset", "none", "false", "disabled",
					   "danger-full-access", "insecure_none", NULL };
	const char *product = attribute_of(f, "product");

	if (!text_is_any(f->value, off))
		return fact_is_known(f) ? VERDICT_QUIET : VERDICT_UNKNOWN;
	if (has_container_around(e))
		return VERDICT_QUIET;
	eval_say(e, "the sandbox%s%s is %s: commands run as the user", *product ? " of " : "", product,
		 f->provenance == PROVENANCE_ABSENT || fact_is_nocase(f, "unset")
			 ? "not switched on"
			 : "switched off");
	return judge_bad(e, f, true);
}

static enum verdict runtime_class_unseen(struct eval *e, const struct fact *f)
{
	static const char *const built_in[] = { "runc", "io.containerd.runc.v2", "default", NULL };

	if (!fact_is_written(f) || attribute_true(f, "known") || text_is_any(f->value, built_in) ||
	    !*f->value)
		return fact_is_known(f) ? VERDICT_QUIET : VERDICT_UNKNOWN;
	eval_concepts(e, "");
	eval_say(e, "runtime %s is named and its definition was not supplied", f->value);
	return VERDICT_FIRES;
}

static enum verdict agent_runtime_shared(struct eval *e, const struct fact *f)
{
	static const char *const plain[] = { "", "runc", "default", NULL };

	if (!text_begins(eval_row(e)->object_kind, "Sandbox") &&
	    !text_begins(eval_row(e)->object_kind, "BatchSandbox"))
		return VERDICT_QUIET;
	if (f->provenance != PROVENANCE_ABSENT && !text_is_any(f->value, plain))
		return fact_is_known(f) ? VERDICT_QUIET : VERDICT_UNKNOWN;
	eval_say(e, "the sandbox names no runtime class: it shares the node's kernel");
	return VERDICT_FIRES;
}

static bool isolates(const struct fact *f)
{
	static const char *const none[] = { "", "runc", "host", "off", "unset", "default", NULL };

	return fact_is_written(f) && !text_is_any(f->value, none);
}

static enum verdict sandbox_by_name_only(struct eval *e, const struct fact *f)
{
	if (eval_find(e, FACT_RUNTIME, isolates) || row_has_userns(e) ||
	    eval_find(e, FACT_SANDBOX, isolates) || eval_find(e, FACT_WINDOWS_ISOLATION, isolates))
		return VERDICT_QUIET;
	eval_say(e, "%s claims isolation; no isolating field is set", f->value);
	return judge_written(e, f);
}

static enum verdict windows_hostprocess(struct eval *e, const struct fact *f)
{
	enum verdict verdict = judge_true(e, f);

	if (verdict == VERDICT_FIRES)
		eval_say(e, "the container is a process of the Windows host");
	return verdict;
}

static enum verdict userns_forced_host(struct eval *e, const struct fact *f)
{
	if (f->provenance == PROVENANCE_ABSENT)
		return VERDICT_QUIET;
	if (fact_is_nocase(f, "host"))
		eval_say(e, "the host's user namespace is asked for: root inside is root outside");
	return judge_bad(e, f, fact_is_nocase(f, "host"));
}

static enum verdict mcp_unsandboxed(struct eval *e, const struct fact *f)
{
	if (has_container_around(e) || eval_find(e, FACT_SANDBOX, isolates) ||
	    row_first(eval_row(e), FACT_REMOTE, eval_layer(e)) ||
	    row_first(eval_row(e), FACT_IMAGE, eval_layer(e)))
		return VERDICT_QUIET;
	eval_say(e, "the server runs as the user, with the user's files and network: %s", f->value);
	return VERDICT_FIRES;
}

static enum verdict runtime_annotation(struct eval *e, const struct fact *f)
{
	eval_say(e, "the runtime reads this annotation as configuration: %s", f->value);
	return judge_written(e, f);
}

static enum verdict x_userns_softens(struct eval *e, const struct fact *f)
{
	static const char *const rules[] = { "root-declared", "root-by-default", "cap-sys-admin",
					     NULL };
	bool any = false;

	(void)f;
	if (!row_has_userns(e))
		return VERDICT_QUIET;
	for (size_t i = 0; rules[i]; i++)
		any |= eval_part(e, rules[i]);
	if (!any)
		return VERDICT_QUIET;
	eval_say(e, "a user namespace is declared: root inside is an ordinary uid outside, once the "
		    "mapping is observed");
	return VERDICT_FIRES;
}

const struct rule rules_isolation[] = {
	{
		.slug = "sandbox-off",
		.field = FIELD_ISOLATION,
		.severity = SEVERITY_HIGH,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"Codex sandbox_mode=danger-full-access or --yolo, Cursor "
			"type=insecure_none, Claude sandbox.enabled=false or unset, VS Code "
			"chat.agent.sandbox.enabled off or unset, Gemini tools.sandbox false; "
			"no outer container row; Gemini tools.sandbox as an object without "
			"enabled: true; OpenHands runtime = cli or local",
		.consequence =
			"Every command the model proposes runs with the user's own files, "
			"sockets and network.",
		.fix =
			"Turn the product's sandbox on, or start the agent in a container row "
			"that is itself reviewed.",
		.compatibility =
			"Tools that write outside the workspace or need open network will "
			"prompt or fail.",
		.owner = "agent operator",
		.restore = RESTORE_SETTINGS,
		.formats = FORMAT_BIT(AGENT_SETTINGS) | FORMAT_BIT(CLI),
		.concepts = "",
		.each = FACT_SANDBOX,
		.judge = sandbox_off,
	},
	{
		.slug = "runtime-class-unseen",
		.field = FIELD_ISOLATION,
		.severity = SEVERITY_INFO,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"runtimeClassName, compose runtime or --runtime names a runtime whose "
			"RuntimeClass object or daemon.json entry is not among the artifacts",
		.consequence =
			"The pod asks for a handler; whether the node runs it, and with which "
			"flags, is not known.",
		.fix =
			"Add the RuntimeClass and the node's runtime configuration, or a dated "
			"runtime export, to the artifacts.",
		.compatibility = "None, review only.",
		.owner = "security reviewer",
		.restore = RESTORE_NOTHING,
		.formats = FORMATS_K8S | FORMAT_BIT(COMPOSE) | FORMATS_RUN,
		.concepts = "runtime-class-not-hardened",
		.each = FACT_RUNTIME,
		.judge = runtime_class_unseen,
	},
	{
		.slug = "agent-runtime-shared",
		.field = FIELD_ISOLATION,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger = "a sandbox object for agents names no runtime class, or the plain one",
		.consequence =
			"Code that the agent is led to run meets the node's own kernel; one "
			"kernel fault is the way out.",
		.fix = "Name a runtime class backed by gVisor or Kata.",
		.compatibility = "System calls or devices that the runtime does not offer fail.",
		.owner = "platform team",
		.restore = RESTORE_MANIFEST,
		.formats = FORMATS_K8S,
		.task_context = true,
		.concepts = "runtime-class-not-hardened",
		.each = FACT_RUNTIME,
		.judge = agent_runtime_shared,
	},
	{
		.slug = "sandbox-by-name-only",
		.field = FIELD_ISOLATION,
		.severity = SEVERITY_INFO,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"A label, annotation, namespace, service or image name says sandbox, "
			"gvisor, isolated or secure while no isolating field is set",
		.consequence =
			"Readers may take a name for a control; no restriction follows from it.",
		.fix =
			"State the real isolation field in the map, or remove the claim from "
			"the label.",
		.compatibility = "None.",
		.owner = "service owner",
		.restore = RESTORE_COMMIT,
		.formats = FORMATS_K8S | FORMAT_BIT(COMPOSE) | FORMAT_BIT(DOCKERFILE) |
			   FORMAT_BIT(IMAGE_INSPECT) | FORMAT_BIT(INSPECT),
		.concepts = "",
		.each = FACT_ISOLATION_LABEL,
		.judge = sandbox_by_name_only,
	},
	{
		.slug = "windows-hostprocess",
		.field = FIELD_ISOLATION,
		.severity = SEVERITY_CRITICAL,
		.confidence = CONFIDENCE_HIGH,
		.trigger = "windowsOptions.hostProcess true at pod or container level",
		.consequence =
			"The container runs as a process on the Windows host with the chosen "
			"host account.",
		.fix =
			"Use a normal Windows container, or move the task to a dedicated "
			"node-management workload.",
		.compatibility = "Node agents that manage drivers or networking need the mode.",
		.owner = "platform team",
		.restore = RESTORE_MANIFEST,
		.formats = FORMATS_K8S,
		.concepts = "windows-host-process",
		.each = FACT_HOST_PROCESS,
		.judge = windows_hostprocess,
	},
	{
		.slug = "userns-forced-host",
		.field = FIELD_ISOLATION,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"compose userns_mode: host, --userns=host, or hostUsers: true written "
			"out while the daemon or cluster default remaps",
		.consequence =
			"Root in the container is again root's uid on the host, undoing the "
			"remap for this workload.",
		.fix = "Drop the override so that the daemon or cluster default applies.",
		.compatibility =
			"Bind mounts owned by host uids may need chown or idmapped mounts.",
		.owner = "service owner",
		.restore = RESTORE_KEY,
		.formats = FORMAT_BIT(COMPOSE) | FORMATS_RUN | FORMATS_K8S,
		.concepts = "host-user-namespace",
		.each = FACT_USERNS,
		.judge = userns_forced_host,
	},
	{
		.slug = "mcp-unsandboxed",
		.field = FIELD_ISOLATION,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"stdio MCP server entry with no container, no sandboxEnabled and client "
			"sandbox that covers shell commands only",
		.consequence =
			"The tool runs with the person's full rights even though the agent's "
			"shell is confined.",
		.fix =
			"Start it through a container or sandbox wrapper, or enable the "
			"client's MCP sandbox.",
		.compatibility = "Paths inside the wrapper differ.",
		.owner = "agent operator",
		.restore = RESTORE_SETTINGS,
		.formats = FORMAT_BIT(MCP) | FORMAT_BIT(AGENT_SETTINGS),
		.concepts = "",
		.each = FACT_COMMAND,
		.judge = mcp_unsandboxed,
	},
	{
		.slug = "runtime-annotation",
		.field = FIELD_ISOLATION,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_MEDIUM,
		.trigger =
			"annotations a runtime reads as configuration: "
			"io.katacontainers.config.*, dev.gvisor.flag.*, cdi.k8s.io/*, *.crio.io "
			"or io.kubernetes.cri-o.* (devices, seccomp-profile, userns-mode, "
			"writable cgroups)",
		.consequence =
			"Where the node allows the prefix, the pod's author changes devices, "
			"filter or sandbox beside the fields that pod security checks.",
		.fix = "Remove it, and refuse the prefix by policy.",
		.compatibility = "Workloads tuned that way need a runtime class.",
		.owner = "platform team",
		.restore = RESTORE_MANIFEST,
		.formats = FORMATS_K8S,
		.concepts = "",
		.each = FACT_RUNTIME_ANNOTATION,
		.judge = runtime_annotation,
	},
	{
		.slug = "x-userns-softens",
		.field = FIELD_ISOLATION,
		.severity = SEVERITY_INFO,
		.confidence = CONFIDENCE_MEDIUM,
		.trigger =
			"root or SYS_ADMIN finding AND hostUsers: false, rootless daemon or "
			"userns-remap in evidence",
		.consequence =
			"Powers are held over the namespace only; lower the paired finding one "
			"step if the mapping is observed, not merely declared.",
		.fix = "Record the mapping export (uid_map) to support it.",
		.compatibility = "None.",
		.owner = "security reviewer",
		.restore = RESTORE_NOTHING,
		.formats = FORMATS_K8S | FORMAT_BIT(COMPOSE) | FORMATS_RUN,
		.combination = true,
		.concepts = "",
		.judge = x_userns_softens,
	},
};

const size_t rules_isolation_count = sizeof rules_isolation / sizeof *rules_isolation;
