/* Ways out of the boundary: from agents, tools and tool servers to what is worth protecting.
 *
 * A path joins the findings of one row that lead to one target. It is as sure as its weakest evidence.
 * SPDX-License-Identifier: MIT */
#ifndef MODEL_REACH_H
#define MODEL_REACH_H

#include "model/buf.h"
#include "model/finding.h"

enum reach_target {
	REACH_HOST,        /* root on the host */
	REACH_CLUSTER,     /* rights over the cluster */
	REACH_SECRETS,     /* secrets of other workloads */
	REACH_CLOUD,       /* the node's cloud identity */
	REACH_CREDENTIALS, /* files of the user on the host */
	REACH_NETWORK,     /* anywhere, with credentials at hand */
	REACH_TARGET_COUNT,
};
extern const char *const reach_target_names[REACH_TARGET_COUNT];

struct path {
	const struct row *from;
	enum reach_target to;
	struct {
		const struct finding **items; /* in the order of the match */
		size_t count, capacity;
	} hops;
	enum evidence weakest;
};

struct path_list {
	struct path *items;
	size_t count, capacity;
};

/* Where the findings of RULE lead; REACH_TARGET_COUNT: nowhere by themselves. */
enum reach_target reach_of(const struct rule *rule);
/* "docker-socket, privileged-container": the rules of the hops, each once. */
void path_via(const struct path *p, struct buf *out);

#endif
