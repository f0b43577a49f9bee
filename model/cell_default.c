/* Defaults by kind of row.
 * SPDX-License-Identifier: MIT */
#include "model/cell_default.h"

#include <string.h>

enum family {
	FAMILY_CONTAINER,
	FAMILY_POD,
	FAMILY_BUILD,
	FAMILY_PROCESS,
	FAMILY_REMOTE, /* a service elsewhere, known only by its address */
	FAMILY_COUNT,
};

#define HOLDS(words) { .text = (words), .applicable = true }
#define UNKNOWN(words) { .text = (words), .sub = "not-supplied", .applicable = true }
#define ELSEWHERE UNKNOWN("runs elsewhere; its configuration is not supplied")
#define AT_RUN { .text = "decided where the image is run", .applicable = false }

static const struct silence table[FAMILY_COUNT][FIELD_COUNT] = {
	[FAMILY_CONTAINER] = {
		[FIELD_AGENT_POSITION] = UNKNOWN("whether the model loop runs here is not stated"),
		[FIELD_IMAGE] = UNKNOWN("no image is named"),
		[FIELD_ENTRY_CHAIN] = UNKNOWN("image configuration not supplied"),
		[FIELD_ISOLATION] = HOLDS("plain namespaces without user namespace by default"),
		[FIELD_IDENTITY] = UNKNOWN("image user not supplied"),
		[FIELD_PRIVILEGE_GAIN] = HOLDS("not privileged; escalation allowed by default"),
		[FIELD_CAPABILITIES] = UNKNOWN("default set of a runtime that is not known"),
		[FIELD_SYSCALL_FILTER] = HOLDS("runtime's default profile"),
		[FIELD_MAC_PROFILE] = UNKNOWN("runtime's profile if the host has the module"),
		[FIELD_HOST_NAMESPACES] = HOLDS("private, except the user namespace"),
		[FIELD_ROOT_FS] = HOLDS("writable, default masks"),
		[FIELD_MOUNTS] = HOLDS("none"),
		[FIELD_CONTROL_CHANNELS] = HOLDS("none declared"),
		[FIELD_DEVICES] = HOLDS("default set"),
		[FIELD_INGRESS] = HOLDS("none published"),
		[FIELD_EGRESS] = HOLDS("open by default"),
		[FIELD_CREDENTIALS] = HOLDS("none declared"),
		[FIELD_API_AUTHORITY] = HOLDS("none declared"),
		[FIELD_RESOURCES] = HOLDS("unlimited"),
		[FIELD_ENFORCEMENT] = UNKNOWN("engine configuration not supplied"),
	},
	[FAMILY_POD] = {
		[FIELD_AGENT_POSITION] = UNKNOWN("whether the model loop runs here is not stated"),
		[FIELD_IMAGE] = UNKNOWN("no image is named"),
		[FIELD_ENTRY_CHAIN] = UNKNOWN("image configuration not supplied"),
		[FIELD_ISOLATION] = HOLDS("default runtime, no user namespace"),
		[FIELD_IDENTITY] = UNKNOWN("image user not supplied"),
		[FIELD_PRIVILEGE_GAIN] = HOLDS("not privileged; escalation allowed by default"),
		[FIELD_CAPABILITIES] = UNKNOWN("default set of a runtime that is not known"),
		[FIELD_SYSCALL_FILTER] = HOLDS("Unconfined unless the kubelet sets a default"),
		[FIELD_MAC_PROFILE] = UNKNOWN("runtime's profile if the node has the module"),
		[FIELD_HOST_NAMESPACES] = HOLDS("network and IPC shared in the pod, none of the host"),
		[FIELD_ROOT_FS] = HOLDS("writable, default masks"),
		[FIELD_MOUNTS] = HOLDS("none"),
		[FIELD_CONTROL_CHANNELS] = HOLDS("none declared"),
		[FIELD_DEVICES] = HOLDS("default set"),
		[FIELD_INGRESS] = HOLDS("pod network only; no service or policy supplied"),
		[FIELD_EGRESS] = HOLDS("open by default; no policy supplied"),
		[FIELD_CREDENTIALS] = HOLDS("none declared"),
		[FIELD_API_AUTHORITY] = UNKNOWN("bindings of the account not supplied"),
		[FIELD_RESOURCES] = HOLDS("unlimited"),
		[FIELD_ENFORCEMENT] = UNKNOWN("admission of the cluster not supplied"),
	},
	[FAMILY_BUILD] = {
		[FIELD_AGENT_POSITION] = AT_RUN,
		[FIELD_IMAGE] = UNKNOWN("no base image is named"),
		[FIELD_ENTRY_CHAIN] = UNKNOWN("inherited from the base image, not supplied"),
		[FIELD_ISOLATION] = AT_RUN,
		[FIELD_IDENTITY] = UNKNOWN("base image user not supplied"),
		[FIELD_PRIVILEGE_GAIN] = AT_RUN,
		[FIELD_CAPABILITIES] = AT_RUN,
		[FIELD_SYSCALL_FILTER] = AT_RUN,
		[FIELD_MAC_PROFILE] = AT_RUN,
		[FIELD_HOST_NAMESPACES] = AT_RUN,
		[FIELD_ROOT_FS] = AT_RUN,
		[FIELD_MOUNTS] = AT_RUN,
		[FIELD_CONTROL_CHANNELS] = AT_RUN,
		[FIELD_DEVICES] = AT_RUN,
		[FIELD_INGRESS] = AT_RUN,
		[FIELD_EGRESS] = AT_RUN,
		[FIELD_CREDENTIALS] = HOLDS("none declared"),
		[FIELD_API_AUTHORITY] = AT_RUN,
		[FIELD_RESOURCES] = AT_RUN,
		[FIELD_ENFORCEMENT] = AT_RUN,
	},
	[FAMILY_PROCESS] = {
		[FIELD_AGENT_POSITION] = UNKNOWN("whether the model loop runs here is not stated"),
		[FIELD_IMAGE] = UNKNOWN("the program's package is not supplied"),
		[FIELD_ENTRY_CHAIN] = UNKNOWN("what starts is not stated"),
		[FIELD_ISOLATION] = HOLDS("none: a process of its user"),
		[FIELD_IDENTITY] = HOLDS("the user of the parent process"),
		[FIELD_PRIVILEGE_GAIN] = HOLDS("as its user: escalation allowed"),
		[FIELD_CAPABILITIES] = HOLDS("those of its user"),
		[FIELD_SYSCALL_FILTER] = HOLDS("none"),
		[FIELD_MAC_PROFILE] = HOLDS("none declared"),
		[FIELD_HOST_NAMESPACES] = HOLDS("all shared with the host"),
		[FIELD_ROOT_FS] = HOLDS("the host's, as its user may write"),
		[FIELD_MOUNTS] = HOLDS("everything its user may read"),
		[FIELD_CONTROL_CHANNELS] = HOLDS("every socket of its user"),
		[FIELD_DEVICES] = HOLDS("all its user may open"),
		[FIELD_INGRESS] = HOLDS("none declared"),
		[FIELD_EGRESS] = HOLDS("open by default"),
		[FIELD_CREDENTIALS] = HOLDS("the parent's environment"),
		[FIELD_API_AUTHORITY] = HOLDS("what its user's credentials allow"),
		[FIELD_RESOURCES] = HOLDS("unlimited"),
		[FIELD_ENFORCEMENT] = UNKNOWN("managed settings not supplied"),
	},
	[FAMILY_REMOTE] = {
		[FIELD_AGENT_POSITION] = HOLDS("outside: the agent may ask this service to act"),
		[FIELD_IMAGE] = ELSEWHERE,
		[FIELD_ENTRY_CHAIN] = UNKNOWN("what answers at the address is not supplied"),
		[FIELD_ISOLATION] = ELSEWHERE,
		[FIELD_IDENTITY] = ELSEWHERE,
		[FIELD_PRIVILEGE_GAIN] = ELSEWHERE,
		[FIELD_CAPABILITIES] = ELSEWHERE,
		[FIELD_SYSCALL_FILTER] = ELSEWHERE,
		[FIELD_MAC_PROFILE] = ELSEWHERE,
		[FIELD_HOST_NAMESPACES] = ELSEWHERE,
		[FIELD_ROOT_FS] = ELSEWHERE,
		[FIELD_MOUNTS] = ELSEWHERE,
		[FIELD_CONTROL_CHANNELS] = ELSEWHERE,
		[FIELD_DEVICES] = ELSEWHERE,
		[FIELD_INGRESS] = ELSEWHERE,
		[FIELD_EGRESS] = ELSEWHERE,
		[FIELD_CREDENTIALS] = HOLDS("none sent by the file"),
		[FIELD_API_AUTHORITY] = UNKNOWN("what the service lets its callers do is not supplied"),
		[FIELD_RESOURCES] = ELSEWHERE,
		[FIELD_ENFORCEMENT] = ELSEWHERE,
	},
};

static enum family family_of(const struct row *row)
{
	const format_set containers = FORMAT_BIT(COMPOSE) | FORMAT_BIT(RUN) | FORMAT_BIT(QUADLET) |
				      FORMAT_BIT(DEVCONTAINER) | FORMAT_BIT(ECS) | FORMAT_BIT(INSPECT) |
				      FORMAT_BIT(WORKFLOW) | FORMAT_BIT(OCI);
	const format_set pods = FORMAT_BIT(K8S) | FORMAT_BIT(HELM) | FORMAT_BIT(KUSTOMIZE);

	if (row->kind == ROW_BUILD || row->format == FORMAT_DOCKERFILE)
		return FAMILY_BUILD;
	if (pods >> row->format & 1)
		return FAMILY_POD;
	if (row->kind == ROW_HELPER && row_first(row, FACT_REMOTE, LAYER_DECLARED))
		return FAMILY_REMOTE;
	if (row->kind == ROW_TOOL_SUBPROCESS)
		return FAMILY_PROCESS;
	return containers >> row->format & 1 ? FAMILY_CONTAINER : FAMILY_PROCESS;
}

static const char *default_capabilities(const char *runtime)
{
	static const struct {
		const char *runtime, *text;
	} sets[] = {
		{ "docker", "the 14 default capabilities of Docker" },
		{ "containerd", "the 14 default capabilities of containerd" },
		{ "podman", "the 11 default capabilities of Podman" },
		{ "cri-o", "the 9 default capabilities of CRI-O" },
	};

	for (size_t i = 0; runtime && i < sizeof sets / sizeof *sets; i++)
		if (strcmp(sets[i].runtime, runtime) == 0)
			return sets[i].text;
	return NULL;
}

static bool is_linux_only(enum field field)
{
	return field == FIELD_CAPABILITIES || field == FIELD_SYSCALL_FILTER ||
	       field == FIELD_MAC_PROFILE || field == FIELD_PRIVILEGE_GAIN;
}

struct silence silence_of(const struct snapshot *s, const struct row *row, enum field field)
{
	enum family family = family_of(row);
	struct silence silence = table[family][field];
	const char *set;

	if (row->operated && field != FIELD_AGENT_POSITION)
		return (struct silence)UNKNOWN("the operator that makes the pod decides");
	if (is_linux_only(field) &&
	    fact_is(row_first(row, FACT_TARGET_OS, LAYER_DECLARED), "windows"))
		return (struct silence){ .text = "a Linux setting; this row runs on Windows" };
	if (field == FIELD_CAPABILITIES && family <= FAMILY_POD) {
		set = default_capabilities(s->scope.runtime);
		if (set)
			return (struct silence){ .text = set, .applicable = true };
	}
	return silence;
}
