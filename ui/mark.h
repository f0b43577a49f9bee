/* What marks and decisions are about. Internal to ui/.
 * SPDX-License-Identifier: MIT */
#ifndef UI_MARK_H
#define UI_MARK_H

#include "ui/state.h"

struct target {
	const struct row *row;
	enum field field;
	const struct finding *finding; /* NULL: the cell */
};

struct target_list {
	struct arena arena;
	struct target *items;
	size_t count, capacity;
};

/* The tagged cells, the range, or the selected cell. */
void targets_cells(const struct ui_state *s, struct target_list *t);
/* The tagged findings, the range, or the selected finding. */
void targets_findings(const struct ui_state *s, struct target_list *t);
/* First fact of the target's cell in a layer, or NULL. */
const struct fact *target_fact(const struct target *t, enum layer layer);

/* Marks all targets as one act. A NULL basis takes each cell's own place. */
unsigned mark_targets(struct ui_state *s, enum mark mark, const char *basis, const char *note);
/* Asks for a reason where the decision wants one, else decides. */
unsigned decide(struct ui_state *s, enum disposition disposition);
/* A person's severity instead of the rule's; SEVERITY_COUNT takes it back. */
unsigned judge_targets(struct ui_state *s, enum severity severity, const char *note);
unsigned decide_targets(struct ui_state *s, enum disposition disposition, const char *note,
                        const char *owner, const char *until);

#endif
