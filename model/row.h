/* A row of the boundary map: one container or sandbox process.
 *
 * ROW_OBJECT rows are not containers: they carry facts about objects without a workload (RBAC, policies,
 * daemon settings), so that rules can judge them; they are left out of the inventory and the map.
 * SPDX-License-Identifier: MIT */
#ifndef MODEL_ROW_H
#define MODEL_ROW_H

#include "model/fact.h"
#include "model/format_id.h"

enum row_kind {
	ROW_MAIN,
	ROW_INIT,
	ROW_SIDECAR,
	ROW_EPHEMERAL,
	ROW_INJECTED,
	ROW_HOOK,
	ROW_BUILD,
	ROW_TOOL_SUBPROCESS,
	ROW_HELPER,
	ROW_SANDBOX_PROCESS,
	ROW_OBJECT,
	ROW_KIND_COUNT,
};
extern const char *const row_kind_names[ROW_KIND_COUNT];

enum row_role {
	ROLE_UNKNOWN,
	ROLE_AGENT,
	ROLE_TOOL,
	ROLE_MCP_SERVER,
	ROLE_HELPER,
	ROLE_INFRASTRUCTURE,
	ROLE_COUNT,
};
extern const char *const row_role_names[ROLE_COUNT];

enum row_activity {
	ROW_ACTIVE,
	ROW_CONDITIONAL, /* started only on a condition (a profile): judged in full, and said */
	ROW_DISABLED,    /* switched off in its file: judged at info, and said */
};

struct row_violation {
	const char *check; /* id of the Pod Security check */
	const char *level; /* "baseline" or "restricted" */
	const char *container; /* whose setting it is; NULL: the pod's own */
	struct span span;
};

/* The Pod Security level of a pod, shared by its containers' rows. */
struct pod_security {
	bool templated; /* expressions of a template may change it */
	const char *version; /* policy version, "1.34" or "latest" */
	const char *level;   /* privileged | baseline | restricted */
	bool version_assumed;
	struct row_violation *violations;
	size_t count, capacity;
};

struct fact_list {
	struct fact **items;
	size_t count, capacity;
};

/* The kinds of a list of facts, in its order: a kind is looked for here without a look at each fact. */
struct kind_list {
	unsigned char *items;
	size_t count, capacity;
};

struct id_list {
	uint32_t *items;
	size_t count, capacity;
};

struct row {
	uint32_t index;
	const char *key;  /* path#kind/namespace/name/container, unique in the snapshot */
	const char *name; /* what a person calls it */
	const char *label; /* what tells it apart on a screen: its pod, with the container where it has several */
	const char *unit; /* object that it belongs to: pod, service, server …; may equal name */
	const char *object_kind; /* "service", "Deployment", "mcp", "stage" … */
	const char *namespace;   /* "" without one */
	enum row_kind kind;
	enum row_role role;
	const char *role_reason; /* why the role is proposed, or NULL */
	struct span role_span;   /* what shows the role; empty when the row itself does */
	enum format_id format;
	uint32_t artifact; /* index */
	struct span span;  /* its name or key in the file */
	uint32_t parent;   /* row index + 1; 0 without one */
	bool operated;     /* an operator makes it: what is not declared is not known */
	bool variant;      /* the parent as another file has it: one workload, not two */
	struct id_list shares_with; /* row indices */
	struct fact_list facts;     /* declared and observed */
	struct kind_list kinds;     /* of the facts */
	const struct pod_security *pod_security;
	enum row_activity activity;
	const char *activity_reason; /* "only with profile monitoring", … */
	uint64_t present[(FACT_KIND_COUNT + 63) / 64]; /* kinds that have a fact, any layer */
	const char *export_note;    /* of a matched or unmatched export: how it was matched */
};

/* First fact of KIND in LAYER, or NULL. */
const struct fact *row_first(const struct row *r, enum fact_kind kind, enum layer layer);
/* The same, for who adds to it. */
struct fact *row_first_mutable(struct row *r, enum fact_kind kind, enum layer layer);
/* Next after F of the same kind and layer, or NULL. */
const struct fact *row_next(const struct row *r, const struct fact *f);
/* True when something outside its engine or cluster network may connect: published on more than loopback, a
 * host port, a service for the outside, a route in front. */
bool row_is_exposed(const struct row *r);
/* True when the name is a number, as that of a stage without one: it says nothing alone. */
bool row_is_numbered(const struct row *r);
bool row_has_layer(const struct row *r, enum layer layer);

#endif
