/* Rules of the field isolation: settings of sandboxes and of sandboxing runtimes.
 * SPDX-License-Identifier: MIT */
#include "src/rules/rules.h"

#include "src/rules/judge.h"
#include "src/rules/mount_facts.h"

static bool setting_holds(const struct fact *f, const char *const *names)
{
	return text_holds_any(attribute_of(f, "setting"), names);
}

static enum verdict wide_setting(struct eval *e, const struct fact *f, const char *const *names,
				 const char *what)
{
	bool wide = fact_attribute_is(f, "effect", "wide");

	if (!setting_holds(f, names))
		return VERDICT_QUIET;
	if (wide)
		eval_say(e, "%s is %s: %s", attribute_of(f, "setting"),
			 f->provenance == PROVENANCE_ABSENT ? "not set" : f->value, what);
	return judge_bad(e, f, wide);
}

static enum verdict sandbox_fail_open(struct eval *e, const struct fact *f)
{
	static const char *const names[] = { "failIfUnavailable", "-try", "best-effort",
					     "best_effort", "bestEffort", "settings-file", NULL };

	return wide_setting(e, f, names, "without the mechanism it starts all the same");
}

static enum verdict sandbox_escape_hatch(struct eval *e, const struct fact *f)
{
	static const char *const names[] = { "allowUnsandboxedCommands", "approval_policy", NULL };

	return wide_setting(e, f, names, "a failed command may be rerun outside the sandbox");
}

static enum verdict sandbox_excluded_commands(struct eval *e, const struct fact *f)
{
	static const char *const names[] = { "excludedCommands", NULL };
	static const char *const strong[] = { "docker", "podman", "kubectl", "ssh", "sudo", "bash",
					      "sh", "zsh", "fish", "powershell", "pwsh", "*", NULL };

	if (!setting_holds(f, names) || !fact_is_written(f) || !*f->value)
		return VERDICT_QUIET;
	if (text_has_word(f->value, strong) || fact_is(f, "*"))
		eval_severity(e, SEVERITY_HIGH);
	eval_say(e, "%s runs outside the sandbox", f->value);
	return VERDICT_FIRES;
}

static enum verdict sandbox_weakened(struct eval *e, const struct fact *f)
{
	static const char *const names[] = { "filesystem.disabled", "enableWeakerNestedSandbox",
					     "enableWeakerNetworkIsolation", "allowAllUnixSockets",
					     "allowUnixSockets", NULL };

	return wide_setting(e, f, names, "part of the isolation is gone");
}

static enum verdict seatbelt_permissive(struct eval *e, const struct fact *f)
{
	static const char *const names[] = { "SEATBELT_PROFILE", "seatbelt", "allow default", NULL };

	if (text_begins(f->value, "permissive-open") || text_holds(f->value, "(allow default)")) {
		eval_say(e, "the profile %s leaves reading and the network open", f->value);
		return judge_bad(e, f, true);
	}
	return wide_setting(e, f, names, "reading and the network stay open");
}

static bool is_privileged_kata(const struct fact *f)
{
	return text_holds(f->value, "privileged_without_host_devices=false");
}

static enum verdict runtime_sandbox_holes(struct eval *e, const struct fact *f)
{
	static const char *const strong[] = { "--network=host", "-network=host",
					      "--host-uds=open", "--host-uds=all",
					      "-host-uds=open", "-host-uds=all",
					      "--allow-flag-override", "-allow-flag-override",
					      NULL };
	static const char *const lesser[] = { "--net-raw", "-net-raw",
					      "--allow-packet-socket-write", NULL };

	if (text_holds(f->value, "=false") && !is_privileged_kata(f))
		return VERDICT_QUIET;
	if (!text_holds_any(f->value, strong) && !is_privileged_kata(f)) {
		if (!text_holds_any(f->value, lesser))
			return VERDICT_QUIET;
		eval_severity(e, SEVERITY_MEDIUM);
	}
	eval_say(e, "runtime %s is started with %s", attribute_of(f, "runtime"), f->value);
	return VERDICT_FIRES;
}

static bool shows_host(const struct fact *f)
{
	return mount_has(f, HOST_PATH_ROOT | HOST_PATH_SESSION | HOST_PATH_ENGINE_SOCKET);
}

static bool filters_unix(const struct fact *f)
{
	static const char *const names[] = { "unix", "AF_UNIX", NULL };

	return text_holds_any(attribute_of(f, "setting"), names) &&
	       fact_attribute_is(f, "effect", "narrow");
}

static bool reads_all(const struct fact *f)
{
	return text_holds(attribute_of(f, "setting"), "file-read") &&
	       fact_attribute_is(f, "effect", "wide");
}

static enum verdict x_sandbox_unix_socket(struct eval *e, const struct fact *f)
{
	const struct fact *view = eval_find(e, FACT_MOUNT, shows_host);

	(void)f;
	if (!view)
		view = eval_find(e, FACT_SANDBOX_SETTING, reads_all);
	if (!view || eval_find(e, FACT_SANDBOX_SETTING, filters_unix))
		return VERDICT_QUIET;
	eval_subject(e, view);
	eval_confidence(e, CONFIDENCE_MEDIUM);
	eval_say(e, "the host's tree is in view and Unix sockets are not filtered: read-only does not "
		    "stop a connection to a control socket");
	return VERDICT_FIRES;
}

static bool has_new_session(const struct fact *f)
{
	return text_holds(attribute_of(f, "setting"), "new-session") ||
	       text_holds(f->value, "new-session") || text_holds(f->value, "TIOCSTI");
}

static enum verdict x_bwrap_tty(struct eval *e, const struct fact *f)
{
	const struct fact *command = eval_first(e, FACT_SANDBOX);

	(void)f;
	if (!command || eval_find(e, FACT_SANDBOX_SETTING, has_new_session))
		return VERDICT_QUIET;
	eval_say(e, "bwrap without --new-session: the program may type into the shared terminal");
	return VERDICT_FIRES;
}

static enum verdict x_escape_hatch_unattended(struct eval *e, const struct fact *f)
{
	(void)f;
	if (!eval_fired(e, "approvals-bypassed") || !eval_part(e, "sandbox-escape-hatch"))
		return VERDICT_QUIET;
	eval_part(e, "approvals-bypassed");
	eval_say(e, "leaving the sandbox needs no person");
	return VERDICT_FIRES;
}

const struct rule rules_sandbox[] = {
	{
		.slug = "sandbox-fail-open",
		.field = FIELD_ISOLATION,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"Claude sandbox.enabled=true without failIfUnavailable=true; launcher "
			"uses bwrap --unshare-user-try or --unshare-cgroup-try; landlock policy "
			"set to best effort; srt without a settings file (built-in policy) or "
			"on an architecture without its socket filter; landrun --best-effort",
		.consequence =
			"When the kernel feature or package is missing the agent starts with "
			"less isolation than the file suggests and nobody notices.",
		.fix =
			"Require the mechanism (failIfUnavailable=true, non-try flags) so that "
			"a missing feature stops the start.",
		.compatibility =
			"Hosts without bubblewrap, user namespaces or a new enough kernel stop "
			"working until fixed.",
		.owner = "agent operator",
		.restore = RESTORE_SETTINGS,
		.formats = FORMAT_BIT(AGENT_SETTINGS) | FORMAT_BIT(BWRAP),
		.concepts = "",
		.each = FACT_SANDBOX_SETTING,
		.judge = sandbox_fail_open,
	},
	{
		.slug = "sandbox-escape-hatch",
		.field = FIELD_ISOLATION,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"Claude allowUnsandboxedCommands not false; VS Code "
			"chat.agent.sandbox.allowUnsandboxedCommands not false; Codex "
			"approval_policy=on-failure",
		.consequence =
			"A command that fails inside the sandbox can be rerun outside it after "
			"one approval, so the boundary is only as strong as that click.",
		.fix =
			"Set the key to false, or record who approves and where the approvals "
			"are logged.",
		.compatibility = "Commands that cannot run sandboxed fail instead of asking.",
		.owner = "agent operator",
		.restore = RESTORE_SETTINGS,
		.formats = FORMAT_BIT(AGENT_SETTINGS),
		.concepts = "",
		.each = FACT_SANDBOX_SETTING,
		.judge = sandbox_escape_hatch,
	},
	{
		.slug = "sandbox-excluded-commands",
		.field = FIELD_ISOLATION,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"Claude sandbox.excludedCommands is not empty; severity high when it "
			"names docker, podman, kubectl, ssh, sudo or a shell",
		.consequence =
			"Listed commands run with no file or network limits and can do the work "
			"the sandbox was to stop.",
		.fix =
			"Remove the entry, or replace it with a narrow wrapper that takes fixed "
			"arguments.",
		.compatibility =
			"The named tool must then work inside the sandbox or be run by a person.",
		.owner = "agent operator",
		.restore = RESTORE_SETTINGS,
		.formats = FORMAT_BIT(AGENT_SETTINGS),
		.concepts = "",
		.each = FACT_SANDBOX_SETTING,
		.judge = sandbox_excluded_commands,
	},
	{
		.slug = "sandbox-weakened",
		.field = FIELD_ISOLATION,
		.severity = SEVERITY_HIGH,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"Claude sandbox.filesystem.disabled=true, "
			"enableWeakerNestedSandbox=true, enableWeakerNetworkIsolation=true or "
			"network.allowAllUnixSockets=true",
		.consequence =
			"One half of the isolation (files, sockets or network) is gone while "
			"the other half still looks on.",
		.fix =
			"Delete the key and grant the single path, socket or domain the task "
			"needs.",
		.compatibility = "Nested containers or TLS proxies may need another arrangement.",
		.owner = "agent operator",
		.restore = RESTORE_SETTINGS,
		.formats = FORMAT_BIT(AGENT_SETTINGS),
		.concepts = "",
		.each = FACT_SANDBOX_SETTING,
		.judge = sandbox_weakened,
	},
	{
		.slug = "seatbelt-permissive",
		.field = FIELD_ISOLATION,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"SEATBELT_PROFILE permissive-open or unset with Gemini sandbox-exec; "
			"custom .sb containing (allow default)",
		.consequence =
			"Reads of the whole disk, keys included, and all outbound traffic stay "
			"allowed; only writes are confined.",
		.fix = "Choose a restrictive or strict profile, proxied where egress matters.",
		.compatibility = "Tools reading caches or config outside the project may break.",
		.owner = "agent operator",
		.restore = RESTORE_SETTINGS,
		.formats = FORMAT_BIT(AGENT_SETTINGS) | FORMAT_BIT(SEATBELT),
		.concepts = "",
		.each = FACT_SANDBOX_SETTING,
		.also = { FACT_SANDBOX },
		.judge = seatbelt_permissive,
	},
	{
		.slug = "runtime-sandbox-holes",
		.field = FIELD_ISOLATION,
		.severity = SEVERITY_HIGH,
		.confidence = CONFIDENCE_MEDIUM,
		.trigger =
			"runsc runtimeArgs hold --network=host, --host-uds=open or all, or "
			"--allow-flag-override (pod annotations dev.gvisor.flag.* then change "
			"the sandbox); medium for --net-raw or --allow-packet-socket-write; a "
			"Kata runtime entry with privileged_without_host_devices=false used by "
			"a privileged pod",
		.consequence =
			"The user-space kernel still stands but the named door leads to host "
			"sockets or the host network stack.",
		.fix = "Remove the argument from the runtime entry used by this workload.",
		.compatibility =
			"Workloads relying on host sockets or raw packets need a different "
			"runtime class.",
		.owner = "host admin",
		.restore = RESTORE_COMMIT,
		.formats = FORMATS_DAEMON | FORMAT_BIT(RUNTIMECLASS),
		.concepts = "",
		.each = FACT_RUNTIME_FLAG,
		.judge = runtime_sandbox_holes,
	},
	{
		.slug = "x-sandbox-unix-socket",
		.field = FIELD_ISOLATION,
		.severity = SEVERITY_CRITICAL,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"file sandbox shows the host tree read-only (bwrap --ro-bind / /, "
			"Seatbelt read all, Landlock below ABI 9) AND a control socket exists "
			"on the host and AF_UNIX is not filtered",
		.consequence =
			"Connecting to a socket is not a write; the sandbox does not stop it.",
		.fix = "Mask the socket path or filter AF_UNIX.",
		.compatibility = "Local IPC tools stop.",
		.owner = "agent operator",
		.restore = RESTORE_SETTINGS,
		.formats = FORMAT_BIT(BWRAP) | FORMAT_BIT(SEATBELT) | FORMAT_BIT(LANDLOCK) |
			   FORMAT_BIT(AGENT_SETTINGS),
		.combination = true,
		.concepts = "",
		.judge = x_sandbox_unix_socket,
	},
	{
		.slug = "x-bwrap-tty",
		.field = FIELD_ISOLATION,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_MEDIUM,
		.trigger =
			"bwrap without --new-session AND no TIOCSTI filter AND shared terminal, "
			"kernel without the legacy TIOCSTI switch off",
		.consequence = "Input can be pushed to the parent terminal.",
		.fix = "Add --new-session.",
		.compatibility = "Job control in the sandbox changes.",
		.owner = "agent operator",
		.restore = RESTORE_SETTINGS,
		.formats = FORMAT_BIT(BWRAP),
		.combination = true,
		.concepts = "",
		.judge = x_bwrap_tty,
	},
	{
		.slug = "x-escape-hatch-unattended",
		.field = FIELD_ISOLATION,
		.severity = SEVERITY_HIGH,
		.confidence = CONFIDENCE_HIGH,
		.trigger = "sandbox-escape-hatch AND approvals-bypassed",
		.consequence = "Leaving the sandbox needs no person at all.",
		.fix = "Close the hatch for unattended runs.",
		.compatibility = "Some commands fail.",
		.owner = "agent operator",
		.restore = RESTORE_SETTINGS,
		.formats = FORMAT_BIT(AGENT_SETTINGS) | FORMAT_BIT(CLI),
		.combination = true,
		.concepts = "",
		.judge = x_escape_hatch_unattended,
	},
};

const size_t rules_sandbox_count = sizeof rules_sandbox / sizeof *rules_sandbox;
