/* Rules of the field entry chain.
 * SPDX-License-Identifier: MIT */
#include "src/rules/rules.h"

#include <string.h>

#include "src/rules/judge.h"
#include "src/rules/mount_facts.h"

static enum verdict entry_untraced(struct eval *e, const struct fact *f)
{
	static const char *const untraced[] = { "missing", "image", "unfollowed", NULL };

	if (row_is_spare_stage(e))
		return VERDICT_QUIET;
	if (f->kind == FACT_SCRIPT) {
		if (!text_is_any(attribute_of(f, "state"), untraced))
			return VERDICT_QUIET;
		eval_say(e, "%s is started and could not be followed (%s)", f->value,
			 *attribute_of(f, "why") ? attribute_of(f, "why") : attribute_of(f, "state"));
		return VERDICT_FIRES;
	}
	if (row_first(eval_row(e), FACT_SCRIPT, eval_layer(e)))
		return VERDICT_QUIET;
	if (f->provenance == PROVENANCE_ABSENT) {
		eval_say(e, "nothing says what starts: the image decides, and its configuration was "
			    "not supplied");
		return VERDICT_FIRES;
	}
	return fact_is_known(f) ? VERDICT_QUIET : VERDICT_UNKNOWN;
}

static enum verdict hook_privileged(struct eval *e, const struct fact *f)
{
	static const char *const root[] = { "root", "0", "0:0", "root:root", NULL };
	bool as_root = text_is_any(attribute_of(f, "user"), root) && row_is_root(e) == TRI_FALSE;

	if (!attribute_true(f, "privileged") && !as_root)
		return VERDICT_QUIET;
	if (attribute_true(f, "privileged") && fact_attribute_is(f, "event", "pre_start"))
		eval_severity(e, SEVERITY_CRITICAL);
	eval_say(e, "hook %s runs %s", attribute_of(f, "event"),
		 attribute_true(f, "privileged") ? "privileged" : "as root in a service that does not");
	return VERDICT_FIRES;
}

static enum verdict host_side_hook(struct eval *e, const struct fact *f)
{
	if (f->kind == FACT_HOOK && !fact_attribute_is(f, "where", "host"))
		return VERDICT_QUIET;
	eval_say(e, "repository content starts on the host: %s", f->value);
	return judge_written(e, f);
}

static bool is_off(const struct fact *f)
{
	return fact_is_written(f) && fact_is_nocase(f, "unconfined");
}

static bool may_gain(const struct fact *f)
{
	return fact_truth(f) == TRI_TRUE;
}

/* What makes a container of the pod weaker than a restricted main one; NULL when nothing does. */
static const char *weaker_setting(struct eval *e)
{
	if (row_is_privileged(e))
		return "is privileged";
	if (row_can(e, "SYS_ADMIN"))
		return "adds SYS_ADMIN";
	if (row_is_root(e) == TRI_TRUE)
		return "runs as root";
	if (eval_find(e, FACT_SECCOMP, is_off))
		return "has no seccomp filter";
	if (eval_find(e, FACT_ESCALATION, may_gain))
		return "may gain privileges";
	if (eval_first(e, FACT_CAP_DROP) && !row_says(e, FACT_CAP_DROP, "ALL"))
		return "keeps capabilities";
	return NULL;
}

static bool is_restricted(struct eval *e, const struct row *row)
{
	const struct fact *f = eval_in(e, row, FACT_CAP_DROP);

	if (fact_truth(eval_in(e, row, FACT_PRIVILEGED)) == TRI_TRUE)
		return false;
	if (!fact_is_written(f))
		return false;
	for (; f; f = row_next(row, f))
		if (fact_is_nocase(f, "ALL"))
			return fact_truth(eval_in(e, row, FACT_ESCALATION)) != TRI_TRUE;
	return false;
}

static const struct row *restricted_main(struct eval *e)
{
	const struct row *peer;

	for (size_t i = 0; (peer = eval_peer(e, i)); i++)
		if (peer->kind == ROW_MAIN && strcmp(peer->unit, eval_row(e)->unit) == 0 &&
		    is_restricted(e, peer))
			return peer;
	return NULL;
}

static enum verdict hidden_container_kinds(struct eval *e, const struct fact *f)
{
	static const enum row_kind kinds[] = { ROW_INIT, ROW_SIDECAR, ROW_EPHEMERAL, ROW_INJECTED };
	const struct row *main_row;
	const char *what = weaker_setting(e);
	bool hidden = false;

	(void)f;
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		hidden |= eval_row(e)->kind == kinds[i];
	if (!hidden || !what)
		return VERDICT_QUIET;
	main_row = restricted_main(e);
	if (!main_row)
		return VERDICT_QUIET;
	eval_say(e, "%s container %s %s while %s is restricted", row_kind_names[eval_row(e)->kind],
		 eval_row(e)->name, what, main_row->name);
	return VERDICT_FIRES;
}

static enum verdict effective_file_unknown(struct eval *e, const struct fact *f)
{
	const char *role = attribute_of(f, "role");

	if (f->kind == FACT_VARIANT) {
		eval_say(e, "%s could be part of the configuration that runs", f->value);
		return VERDICT_FIRES;
	}
	eval_say(e, "%s is named%s%s and not supplied", f->value, *role ? " as " : "", role);
	return VERDICT_FIRES;
}

/* Descriptors of the host that older runc versions leaked into the start. */
static enum verdict workdir_proc_fd(struct eval *e, const struct fact *f)
{
	const char *rest = f->value;

	if (!text_begins(rest, "/proc/"))
		return fact_is_known(f) ? VERDICT_QUIET : VERDICT_UNKNOWN;
	rest = strchr(rest + 6, '/');
	if (!rest || !text_begins(rest, "/fd"))
		return VERDICT_QUIET;
	eval_say(e, "the start directory %s can be a leaked descriptor of the host (CVE-2024-21626)",
		 f->value);
	return VERDICT_FIRES;
}

static bool enters_host(const char *command)
{
	static const char *const debug[] = { "kubectl debug node/", "kubectl debug no/",
					     "--profile=sysadmin", "--profile sysadmin", NULL };
	static const char *const pid_one[] = { "-t 1", "-t1", "--target 1", "--target=1",
					       "--target,1", NULL };
	static const char *const roots[] = { "chroot /host", "chroot /rootfs", "chroot /mnt/host",
					     "chroot /node", NULL };

	if (text_has_word(command, (const char *const[]){ "nsenter", NULL }))
		return text_holds_any(command, pid_one);
	return text_holds_any(command, debug) || text_holds_any(command, roots);
}

static enum verdict host_enter_command(struct eval *e, const struct fact *f)
{
	if (f->kind != FACT_HOST_ENTER && !enters_host(f->value))
		return VERDICT_QUIET;
	if (f->kind == FACT_COMMAND && row_first(eval_row(e), FACT_HOST_ENTER, eval_layer(e)))
		return VERDICT_QUIET;
	eval_say(e, "the command works in the host's own namespaces: %s", f->value);
	return judge_written(e, f);
}

static enum verdict mcp_shell_launch(struct eval *e, const struct fact *f)
{
	eval_say(e, "the server is launched through a shell: %s", f->value);
	return judge_written(e, f);
}

static bool shares_much(struct eval *e)
{
	return mount_find(e, ~0u) || eval_fired(e, "sa-token-mounted") ||
	       eval_fired(e, "volume-shared") || eval_fired(e, "process-namespace-shared");
}

static enum verdict x_sidecar_weaker(struct eval *e, const struct fact *f)
{
	const struct row *main_row = restricted_main(e);
	bool weak = eval_fired(e, "privileged-container") || eval_fired(e, "root-declared");

	(void)f;
	if (!main_row || !weak || !shares_much(e))
		return VERDICT_QUIET;
	eval_part(e, "privileged-container");
	eval_part(e, "root-declared");
	eval_part(e, "volume-shared");
	eval_say(e, "%s is restricted, but %s of the same pod is the way round", main_row->name,
		 eval_row(e)->name);
	return VERDICT_FIRES;
}

const struct rule rules_entry_chain[] = {
	{
		.slug = "entry-untraced",
		.field = FIELD_ENTRY_CHAIN,
		.severity = SEVERITY_INFO,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"entrypoint, command or hook names a script, image default or chart "
			"template that is not supplied",
		.consequence = "What really starts, and as whom, is unknown.",
		.fix = "Add the script or the image config export to the artifacts.",
		.compatibility = "None, review only.",
		.owner = "security reviewer",
		.restore = RESTORE_NOTHING,
		.formats = FORMAT_BIT(DOCKERFILE) | FORMAT_BIT(IMAGE_INSPECT) |
			   FORMAT_BIT(COMPOSE) | FORMATS_K8S | FORMATS_RUN | FORMAT_BIT(SYSTEMD),
		.concepts = "",
		.each = FACT_SCRIPT,
		.also = { FACT_ENTRYPOINT },
		.judge = entry_untraced,
	},
	{
		.slug = "hook-privileged",
		.field = FIELD_ENTRY_CHAIN,
		.severity = SEVERITY_HIGH,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"compose post_start, pre_stop or pre_start with privileged: true, or "
			"with user root in a non-root service; docker exec --privileged in "
			"scripts; critical for a privileged pre_start, which is a container of "
			"its own",
		.consequence =
			"A hook gets rights the main process was denied: a privileged exec "
			"holds every capability (AppArmor and seccomp stay), a privileged "
			"pre_start step is a full privileged container.",
		.fix = "Remove privileged, or do the step at build time.",
		.compatibility = "Set-up steps that chown volumes must move.",
		.owner = "service owner",
		.restore = RESTORE_KEY,
		.formats = FORMAT_BIT(COMPOSE) | FORMAT_BIT(SCRIPT) | FORMATS_RUN,
		.concepts = "",
		.each = FACT_HOOK,
		.judge = hook_privileged,
	},
	{
		.slug = "host-side-hook",
		.field = FIELD_ENTRY_CHAIN,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"devcontainer initializeCommand, compose provider.type, Makefile or "
			"launcher step that runs on the host before the container",
		.consequence =
			"Repository content runs on the host, outside the boundary under review.",
		.fix = "Move the step into onCreateCommand or the image, or drop the provider.",
		.compatibility = "Host preparation must be done by hand once.",
		.owner = "agent operator",
		.restore = RESTORE_COMMIT,
		.formats = FORMAT_BIT(DEVCONTAINER) | FORMAT_BIT(COMPOSE) | FORMAT_BIT(SCRIPT) |
			   FORMAT_BIT(INSPECT),
		.concepts = "",
		.each = FACT_HOST_COMMAND,
		.also = { FACT_HOOK },
		.judge = host_side_hook,
	},
	{
		.slug = "hidden-container-kinds",
		.field = FIELD_ENTRY_CHAIN,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"initContainers, restartPolicy Always init containers, "
			"ephemeralContainers or injected sidecars carry weaker settings than "
			"the main container",
		.consequence =
			"A container of the same pod shares its network namespace, and any "
			"volume both mount, and becomes the easy way round.",
		.fix = "Give every container in the pod the same securityContext.",
		.compatibility = "Injected sidecars need the injector's template changed.",
		.owner = "service owner",
		.restore = RESTORE_MANIFEST,
		.formats = FORMATS_K8S | FORMAT_BIT(INSPECT),
		.concepts = "",
		.judge = hidden_container_kinds,
	},
	{
		.slug = "effective-file-unknown",
		.field = FIELD_ENTRY_CHAIN,
		.severity = SEVERITY_INFO,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"compose.override.yaml, -f list, COMPOSE_FILE, extends or include "
			"targets, profiles, Helm values or Kustomize overlays are named but not "
			"supplied, or a variable in a security key is unresolved",
		.consequence = "The base file may not be the configuration that runs.",
		.fix =
			"Supply the rendered file (docker compose config, helm template) as a "
			"dated export.",
		.compatibility = "None, review only.",
		.owner = "security reviewer",
		.restore = RESTORE_NOTHING,
		.formats = FORMAT_BIT(COMPOSE) | FORMATS_K8S | FORMAT_BIT(INSPECT),
		.concepts = "",
		.each = FACT_MISSING_FILE,
		.also = { FACT_VARIANT },
		.judge = effective_file_unknown,
	},
	{
		.slug = "mcp-shell-launch",
		.field = FIELD_ENTRY_CHAIN,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"the launch command is a shell, or carries shell operators, or "
			"downloads and runs",
		.consequence = "What runs is decided by text that no package version pins.",
		.fix = "Launch the program directly with an argument list.",
		.compatibility = "Set-up steps move to installation.",
		.owner = "agent operator",
		.restore = RESTORE_LINES,
		.formats = FORMAT_BIT(MCP),
		.concepts = "mcp-shell-launch",
		.each = FACT_SHELL_LAUNCH,
		.judge = mcp_shell_launch,
	},
	{
		.slug = "workdir-proc-fd",
		.field = FIELD_ENTRY_CHAIN,
		.severity = SEVERITY_CRITICAL,
		.confidence = CONFIDENCE_MEDIUM,
		.trigger =
			"WORKDIR, workingDir, working_dir or --workdir under /proc/self/fd or "
			"/proc/N/fd",
		.consequence =
			"On runc 1.1.11 and older the start directory can be a leaked "
			"descriptor of the host's file system (CVE-2024-21626).",
		.fix = "Use an ordinary path; record the runc version (1.1.12 or later).",
		.compatibility = "None.",
		.owner = "image maintainer",
		.restore = RESTORE_COMMIT,
		.formats = FORMAT_BIT(DOCKERFILE) | FORMAT_BIT(IMAGE_INSPECT) |
			   FORMAT_BIT(COMPOSE) | FORMATS_RUN | FORMATS_K8S,
		.concepts = "",
		.each = FACT_WORKDIR,
		.judge = workdir_proc_fd,
	},
	{
		.slug = "host-enter-command",
		.field = FIELD_ENTRY_CHAIN,
		.severity = SEVERITY_CRITICAL,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"command, args, hook or script runs nsenter on pid 1, chroot into a "
			"host mount, kubectl debug node/NAME or kubectl debug --profile=sysadmin",
		.consequence =
			"The row works in the host's own namespaces by design: read it as host "
			"root.",
		.fix = "Move the step to the node's configuration management.",
		.compatibility = "Node installers must move.",
		.owner = "platform team",
		.restore = RESTORE_LINES,
		.formats = FORMATS_K8S | FORMAT_BIT(COMPOSE) | FORMATS_RUN | FORMAT_BIT(SCRIPT),
		.concepts = "",
		.each = FACT_HOST_ENTER,
		.also = { FACT_COMMAND, FACT_ENTRY_STEP, FACT_HOOK },
		.judge = host_enter_command,
	},
	{
		.slug = "x-sidecar-weaker",
		.field = FIELD_ENTRY_CHAIN,
		.severity = SEVERITY_HIGH,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"main container restricted AND another container of the pod is "
			"privileged, root with host mounts, or holds the token, with shared "
			"volumes or process namespace",
		.consequence = "The weakest container sets the pod's boundary.",
		.fix = "Raise the side-car's settings or move it to its own pod.",
		.compatibility = "Injected side-cars need template changes.",
		.owner = "service owner",
		.restore = RESTORE_MANIFEST,
		.formats = FORMATS_K8S,
		.combination = true,
		.concepts = "",
		.judge = x_sidecar_weaker,
	},
};

const size_t rules_entry_chain_count = sizeof rules_entry_chain / sizeof *rules_entry_chain;
