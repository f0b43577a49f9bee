/* Combinations of the field capabilities.
 * SPDX-License-Identifier: MIT */
#include "src/rules/rules.h"

#include "src/rules/judge.h"

static enum verdict with_host_network(struct eval *e, const char *capability, const char *slug)
{
	if (!row_can(e, capability) || row_is_privileged(e))
		return VERDICT_QUIET;
	if (!eval_part(e, "host-network"))
		return VERDICT_QUIET;
	eval_part(e, slug);
	eval_say(e, "%s works on the host's own network interfaces", capability);
	return VERDICT_FIRES;
}

static enum verdict x_netraw_hostnet(struct eval *e, const struct fact *f)
{
	(void)f;
	if (!eval_fired(e, "cap-net-raw"))
		return VERDICT_QUIET;
	eval_part(e, "host-network");
	eval_part(e, "cap-net-raw");
	eval_say(e, "NET_RAW works on the host's own network interfaces");
	return eval_fired(e, "host-network") ? VERDICT_FIRES : VERDICT_QUIET;
}

static enum verdict x_netadmin_hostnet(struct eval *e, const struct fact *f)
{
	(void)f;
	return with_host_network(e, "NET_ADMIN", "cap-net-admin");
}

static bool is_bind(const struct fact *f)
{
	static const char *const types[] = { "bind", "hostPath", NULL };

	return text_is_any(attribute_of(f, "type"), types);
}

static enum verdict x_dacread_hostmount(struct eval *e, const struct fact *f)
{
	(void)f;
	if (!eval_part(e, "cap-dac-read-search") || !eval_find(e, FACT_MOUNT, is_bind))
		return VERDICT_QUIET;
	eval_say(e, "with DAC_READ_SEARCH one bind mount opens the whole file system behind it");
	return VERDICT_FIRES;
}

static bool raises_rights(const struct fact *f)
{
	return fact_is_written(f);
}

/* Added capabilities stay in the bounding set of a process that is not root. */
static enum verdict x_cap_nonroot_softens(struct eval *e, const struct fact *f)
{
	static const char *const keeps_them[] = { "podman", NULL };
	static const char *const rules[] = { "cap-sys-admin", "cap-sys-module", "cap-sys-rawio",
					     "cap-sys-ptrace", "cap-dac-read-search", "cap-bpf",
					     "cap-net-admin", "cap-misc-host", "cap-added-other",
					     "cap-all", NULL };
	bool any = false;

	(void)f;
	if (row_is_root(e) != TRI_FALSE || row_runtime_is(e, keeps_them) || row_is_privileged(e))
		return VERDICT_QUIET;
	if (!row_says(e, FACT_NO_NEW_PRIVILEGES, "true") && !row_says(e, FACT_ESCALATION, "false") &&
	    (eval_find(e, FACT_SETUID, raises_rights) || eval_find(e, FACT_SUDO, raises_rights)))
		return VERDICT_QUIET;
	for (size_t i = 0; rules[i]; i++)
		any |= eval_part(e, rules[i]);
	if (!any)
		return VERDICT_QUIET;
	eval_say(e, "the process is not root: Docker, containerd and CRI-O leave added capabilities "
		    "out of its effective set");
	return VERDICT_FIRES;
}

const struct rule rules_x_capabilities[] = {
	{
		.slug = "x-netraw-hostnet",
		.field = FIELD_CAPABILITIES,
		.severity = SEVERITY_HIGH,
		.confidence = CONFIDENCE_HIGH,
		.trigger = "NET_RAW AND host network",
		.consequence = "Sniff and forge traffic on the host's own interfaces.",
		.fix = "Drop NET_RAW.",
		.compatibility = "Packet capture stops.",
		.owner = "service owner",
		.restore = RESTORE_KEY,
		.formats = FORMAT_BIT(COMPOSE) | FORMATS_RUN | FORMATS_K8S,
		.combination = true,
		.concepts = "",
		.judge = x_netraw_hostnet,
	},
	{
		.slug = "x-netadmin-hostnet",
		.field = FIELD_CAPABILITIES,
		.severity = SEVERITY_CRITICAL,
		.confidence = CONFIDENCE_HIGH,
		.trigger = "NET_ADMIN AND host network",
		.consequence =
			"Rewrites the host's firewall and routes, other pods' traffic included.",
		.fix = "Move to a pod network.",
		.compatibility = "CNI-like agents are platform rows.",
		.owner = "platform team",
		.restore = RESTORE_KEY,
		.formats = FORMAT_BIT(COMPOSE) | FORMATS_RUN | FORMATS_K8S,
		.combination = true,
		.concepts = "",
		.judge = x_netadmin_hostnet,
	},
	{
		.slug = "x-dacread-hostmount",
		.field = FIELD_CAPABILITIES,
		.severity = SEVERITY_CRITICAL,
		.confidence = CONFIDENCE_MEDIUM,
		.trigger = "DAC_READ_SEARCH AND any host bind mount",
		.consequence =
			"File handles reach the rest of that file system, beyond the mounted "
			"folder.",
		.fix = "Drop the capability.",
		.compatibility = "Back-up tools change.",
		.owner = "service owner",
		.restore = RESTORE_KEY,
		.formats = FORMAT_BIT(COMPOSE) | FORMATS_RUN | FORMATS_K8S,
		.combination = true,
		.concepts = "",
		.judge = x_dacread_hostmount,
	},
	{
		.slug = "x-cap-nonroot-softens",
		.field = FIELD_CAPABILITIES,
		.severity = SEVERITY_INFO,
		.confidence = CONFIDENCE_MEDIUM,
		.trigger =
			"added capability AND non-root uid AND engine Docker, containerd or "
			"CRI-O with its defaults AND no set-uid, sudo or file capability (or "
			"no_new_privs)",
		.consequence =
			"These engines put it in the bounding set only, so the process does not "
			"hold it; lower the paired finding one step once the uid is observed. "
			"Podman makes it effective.",
		.fix = "Drop the capability: it has no effect here.",
		.compatibility = "None.",
		.owner = "service owner",
		.restore = RESTORE_KEY,
		.formats = FORMAT_BIT(COMPOSE) | FORMATS_RUN | FORMATS_K8S,
		.combination = true,
		.concepts = "",
		.judge = x_cap_nonroot_softens,
	},
};

const size_t rules_x_capabilities_count =
	sizeof rules_x_capabilities / sizeof *rules_x_capabilities;
