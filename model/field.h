/* The twenty fields of the boundary map.
 * SPDX-License-Identifier: MIT */
#ifndef MODEL_FIELD_H
#define MODEL_FIELD_H

enum field {
	FIELD_AGENT_POSITION,
	FIELD_IMAGE,
	FIELD_ENTRY_CHAIN,
	FIELD_ISOLATION,
	FIELD_IDENTITY,
	FIELD_PRIVILEGE_GAIN,
	FIELD_CAPABILITIES,
	FIELD_SYSCALL_FILTER,
	FIELD_MAC_PROFILE,
	FIELD_HOST_NAMESPACES,
	FIELD_ROOT_FS,
	FIELD_MOUNTS,
	FIELD_CONTROL_CHANNELS,
	FIELD_DEVICES,
	FIELD_INGRESS,
	FIELD_EGRESS,
	FIELD_CREDENTIALS,
	FIELD_API_AUTHORITY,
	FIELD_RESOURCES,
	FIELD_ENFORCEMENT,
	FIELD_COUNT,
	FIELD_NONE = FIELD_COUNT,
};

struct field_info {
	const char *slug;        /* "agent_position": the name in files and on the command line */
	const char *title;       /* "Agent position" */
	const char *abbreviation; /* three or four letters for the matrix */
	const char *question;    /* what the field answers */
	const char *when_absent; /* what silence means */
	const char *observed_by; /* what would make it observed */
};

extern const struct field_info field_table[FIELD_COUNT];

/* FIELD_NONE for an unknown name. */
enum field field_by_slug(const char *slug);

#endif
