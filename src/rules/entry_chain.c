/* Rules of the field entry_chain.
 * SPDX-License-Identifier: MIT */
#include "src/rules/rules.h"

const struct rule rules_entry_chain[] = {
	{
		.slug = "entry-untraced",
		.field = FIELD_ENTRY_CHAIN,
		.severity = SEVERITY_INFO,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"entrypoint, command or hook names a script, image default or chart "
			"template that is not supplied",
		.consequence =
			"What really starts, and as whom, is unknown.",
		.fix =
			"Add the script or the image config export to the artifacts.",
		.compatibility =
			"None, review only.",
		.owner =
			"security reviewer",
		.restore =
			"Nothing was changed; close the check as unavailable if the evidence "
			"cannot be had.",
		.formats = FORMAT_BIT(DOCKERFILE) | FORMAT_BIT(COMPOSE) | FORMAT_BIT(K8S) |
			   FORMAT_BIT(RUN) | FORMAT_BIT(MCP) | FORMAT_BIT(SYSTEMD) |
			   FORMAT_BIT(INSPECT),
		.concepts = "",
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
		.fix =
			"Remove privileged, or do the step at build time.",
		.compatibility =
			"Set-up steps that chown volumes must move.",
		.owner =
			"service owner",
		.restore =
			"Put the former key back in the file from the finding's stored excerpt, "
			"then recreate the container.",
		.formats = FORMAT_BIT(COMPOSE) | FORMAT_BIT(SCRIPT) | FORMAT_BIT(INSPECT),
		.concepts = "",
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
		.fix =
			"Move the step into onCreateCommand or the image, or drop the provider.",
		.compatibility =
			"Host preparation must be done by hand once.",
		.owner =
			"agent operator",
		.restore =
			"Revert the commit and redeploy; the finding stores the former lines "
			"and their sha256.",
		.formats = FORMAT_BIT(DEVCONTAINER) | FORMAT_BIT(COMPOSE) | FORMAT_BIT(SCRIPT) |
			   FORMAT_BIT(INSPECT),
		.concepts = "",
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
		.fix =
			"Give every container in the pod the same securityContext.",
		.compatibility =
			"Injected sidecars need the injector's template changed.",
		.owner =
			"service owner",
		.restore =
			"Re-apply the previous manifest revision (kubectl rollout undo needs "
			"the cluster owner's go-ahead).",
		.formats = FORMAT_BIT(K8S) | FORMAT_BIT(INSPECT),
		.concepts = "",
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
		.consequence =
			"The base file may not be the configuration that runs.",
		.fix =
			"Supply the rendered file (docker compose config, helm template) as a "
			"dated export.",
		.compatibility =
			"None, review only.",
		.owner =
			"security reviewer",
		.restore =
			"Nothing was changed; close the check as unavailable if the evidence "
			"cannot be had.",
		.formats = FORMAT_BIT(COMPOSE) | FORMAT_BIT(K8S) | FORMAT_BIT(INSPECT),
		.concepts = "",
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
		.consequence =
			"The weakest container sets the pod's boundary.",
		.fix =
			"Raise the side-car's settings or move it to its own pod.",
		.compatibility =
			"Injected side-cars need template changes.",
		.owner =
			"service owner",
		.restore =
			"Re-apply the previous manifest revision (kubectl rollout undo needs "
			"the cluster owner's go-ahead).",
		.formats = FORMAT_BIT(K8S),
		.combination = true,
		.concepts = "",
	},
	{
		.slug = "mcp-shell-launch",
		.field = FIELD_ENTRY_CHAIN,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"the launch command is a shell, or carries shell operators, or "
			"downloads and runs",
		.consequence =
			"What runs is decided by text that no package version pins.",
		.fix =
			"Launch the program directly with an argument list.",
		.compatibility =
			"Set-up steps move to installation.",
		.owner =
			"agent operator",
		.restore =
			"Put the former lines back from the finding's stored excerpt and "
			"re-apply the manifest.",
		.formats = FORMAT_BIT(MCP),
		.concepts = "mcp-shell-launch",
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
		.fix =
			"Use an ordinary path; record the runc version (1.1.12 or later).",
		.compatibility =
			"None.",
		.owner =
			"image maintainer",
		.restore =
			"Revert the commit and redeploy; the finding stores the former lines "
			"and their sha256.",
		.formats = FORMAT_BIT(DOCKERFILE) | FORMAT_BIT(COMPOSE) | FORMAT_BIT(RUN) |
			   FORMAT_BIT(K8S) | FORMAT_BIT(INSPECT),
		.concepts = "",
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
		.fix =
			"Move the step to the node's configuration management.",
		.compatibility =
			"Node installers must move.",
		.owner =
			"platform team",
		.restore =
			"Put the former lines back from the finding's stored excerpt and "
			"re-apply the manifest.",
		.formats = FORMAT_BIT(K8S) | FORMAT_BIT(COMPOSE) | FORMAT_BIT(RUN) |
			   FORMAT_BIT(SCRIPT) | FORMAT_BIT(INSPECT),
		.concepts = "",
	},
};

const size_t rules_entry_chain_count = sizeof rules_entry_chain / sizeof *rules_entry_chain;
