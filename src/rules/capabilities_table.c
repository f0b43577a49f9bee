/* Linux capabilities ranked by what they give over the host.
 * SPDX-License-Identifier: MIT */
#include "src/rules/capabilities_table.h"

#include <stddef.h>
#include <strings.h>

static const struct capability capabilities[] = {
	{ "ALL", CAPABILITY_HOST, false, false, true },
	{ "SYS_ADMIN", CAPABILITY_HOST, false, false, true },
	{ "SYS_MODULE", CAPABILITY_HOST, false, false, true },
	{ "DAC_READ_SEARCH", CAPABILITY_HOST, false, false, true },
	{ "SYS_RAWIO", CAPABILITY_PARTNERED, false, false, true },
	{ "SYS_PTRACE", CAPABILITY_PARTNERED, false, false, true },
	{ "BPF", CAPABILITY_PARTNERED, false, false, true },
	{ "PERFMON", CAPABILITY_PARTNERED, false, false, true },
	{ "CHECKPOINT_RESTORE", CAPABILITY_PARTNERED, false, false, true },
	{ "MAC_ADMIN", CAPABILITY_PARTNERED, false, true, true },
	{ "MAC_OVERRIDE", CAPABILITY_PARTNERED, false, true, true },
	{ "MKNOD", CAPABILITY_PARTNERED, true, false, false },
	{ "SYS_BOOT", CAPABILITY_PARTNERED, false, true, true },
	{ "NET_ADMIN", CAPABILITY_WIDE, false, false, true },
	{ "NET_RAW", CAPABILITY_WIDE, true, false, true },
	{ "NET_BROADCAST", CAPABILITY_WIDE, false, false, false },
	{ "SYS_TIME", CAPABILITY_WIDE, false, true, true },
	{ "SYS_RESOURCE", CAPABILITY_WIDE, false, true, true },
	{ "SYS_NICE", CAPABILITY_WIDE, false, true, true },
	{ "SYSLOG", CAPABILITY_WIDE, false, true, true },
	{ "SYS_PACCT", CAPABILITY_WIDE, false, true, true },
	{ "AUDIT_CONTROL", CAPABILITY_WIDE, false, true, true },
	{ "AUDIT_READ", CAPABILITY_WIDE, false, true, true },
	{ "IPC_OWNER", CAPABILITY_WIDE, false, true, true },
	{ "LINUX_IMMUTABLE", CAPABILITY_WIDE, false, true, true },
	{ "SETUID", CAPABILITY_INSIDE, true, false, false },
	{ "SETGID", CAPABILITY_INSIDE, true, false, false },
	{ "SETPCAP", CAPABILITY_INSIDE, true, false, false },
	{ "SETFCAP", CAPABILITY_INSIDE, true, false, false },
	{ "CHOWN", CAPABILITY_INSIDE, true, false, false },
	{ "FSETID", CAPABILITY_INSIDE, true, false, false },
	{ "DAC_OVERRIDE", CAPABILITY_INSIDE, true, false, false },
	{ "FOWNER", CAPABILITY_INSIDE, true, false, false },
	{ "KILL", CAPABILITY_INSIDE, true, false, false },
	{ "SYS_CHROOT", CAPABILITY_INSIDE, true, false, false },
	{ "NET_BIND_SERVICE", CAPABILITY_SMALL, true, false, false },
	{ "AUDIT_WRITE", CAPABILITY_SMALL, true, false, false },
	{ "SYS_TTY_CONFIG", CAPABILITY_SMALL, false, false, false },
	{ "IPC_LOCK", CAPABILITY_SMALL, false, true, true },
	{ "WAKE_ALARM", CAPABILITY_SMALL, false, true, true },
	{ "LEASE", CAPABILITY_SMALL, false, true, true },
	{ "BLOCK_SUSPEND", CAPABILITY_SMALL, false, true, true },
};

const struct capability *capability_find(const char *name)
{
	if (strncasecmp(name, "CAP_", 4) == 0)
		name += 4;
	for (size_t i = 0; i < sizeof capabilities / sizeof *capabilities; i++)
		if (strcasecmp(capabilities[i].name, name) == 0)
			return &capabilities[i];
	return NULL;
}

bool capability_is_dangerous(const char *name)
{
	const struct capability *c = capability_find(name);

	return c && (c->tier == CAPABILITY_HOST || c->tier == CAPABILITY_PARTNERED ||
		     c->tier == CAPABILITY_WIDE) && !c->by_default;
}
