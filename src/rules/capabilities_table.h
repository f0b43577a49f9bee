/* Linux capabilities ranked by what they give over the host.
 * SPDX-License-Identifier: MIT */
#ifndef RULES_CAPABILITIES_TABLE_H
#define RULES_CAPABILITIES_TABLE_H

#include <stdbool.h>

enum capability_tier {
	CAPABILITY_UNKNOWN,
	CAPABILITY_HOST,      /* control of the host */
	CAPABILITY_PARTNERED, /* nearly so, or with one partner */
	CAPABILITY_WIDE,      /* network or host-wide settings */
	CAPABILITY_INSIDE,    /* inside the container, matters with set-id files */
	CAPABILITY_SMALL,
};

struct capability {
	const char *name; /* without CAP_ */
	enum capability_tier tier;
	bool by_default;  /* Docker and containerd keep it */
	bool misc_host;   /* judged by the rule cap-misc-host */
	bool own_rule;    /* another rule names it */
};

/* NULL for a name that is none. */
const struct capability *capability_find(const char *name);
/* True for tiers that reach beyond the container. */
bool capability_is_dangerous(const char *name);

#endif
