/* The lists behind the panes: what is shown, in which order, under which filter.
 *
 * Views hold indices and borrowed pointers into the current snapshot and match; they are rebuilt
 * when the model, a filter or an order changes. Selections are keys and live in the state.
 * SPDX-License-Identifier: MIT */
#ifndef UI_VIEW_H
#define UI_VIEW_H

#include "model/match.h"

/* A line of the workloads: a file heading (row is NULL), or a row. */
struct workload_item {
	const struct row *row;
	const char *heading;
	bool objects;    /* heading of objects without a workload */
	size_t workload; /* index in the match; SIZE_MAX for an object without a workload */
	unsigned depth;
	bool last;                   /* last child of its parent */
	size_t open[SEVERITY_COUNT]; /* open findings */
};

struct workload_view {
	struct workload_item *items;
	size_t count, capacity;
	size_t shown, total; /* rows */
};

struct index_view {
	size_t *items;
	size_t count, capacity;
	size_t total; /* before the filter */
};

enum workload_order {
	WORKLOADS_BY_FILE,
	WORKLOADS_WORST_FIRST,
	WORKLOADS_BY_NAME,
	WORKLOAD_ORDERS
};
enum finding_order {
	FINDINGS_BY_SEVERITY,
	FINDINGS_BY_PLACE,
	FINDINGS_BY_RULE,
	FINDINGS_BY_ROW,
	FINDINGS_BY_DECISION,
	FINDING_ORDERS,
};
extern const char *const workload_order_names[WORKLOAD_ORDERS];
extern const char *const finding_order_names[FINDING_ORDERS];

/* All three: filters are those of model/query.h; with one that is not well formed they return false
 * with a message and show everything. */
bool view_workloads(struct workload_view *v, const struct match *m, enum workload_order order,
                    const char *filter, struct buf *why);
/* Findings of ROW, or of all rows when it is NULL. */
bool view_findings(struct index_view *v, const struct match *m, const struct row *row,
                   enum finding_order order, const char *filter, struct buf *why);
/* Fields of a workload that pass the filter. */
bool view_fields(struct index_view *v, const struct match *m, size_t workload, const char *filter,
                 struct buf *why);
void workload_view_free(struct workload_view *v);
void index_view_free(struct index_view *v);

#endif
