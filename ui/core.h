/* What the parts of the reviewer share: current selection, lists, linking, views. Internal to ui/.
 * SPDX-License-Identifier: MIT */
#ifndef UI_CORE_H
#define UI_CORE_H

#include "ui/state.h"

/* --- selection, resolved in the current model ------------------------------------------------ */

/* The selected row, or NULL. */
const struct row *ui_row(const struct ui_state *s);
/* Its index among the workloads, or SIZE_MAX for none or an object. */
size_t ui_workload(const struct ui_state *s);
/* The selected cell, or NULL. */
const struct matched_cell *ui_cell(const struct ui_state *s);
/* The selected finding, or NULL. */
const struct matched_finding *ui_finding(const struct ui_state *s);
/* Index in the match of the selected finding, or SIZE_MAX. */
size_t ui_finding_index(const struct ui_state *s);
/* The source that is shown, or NULL. */
const struct source *ui_source(const struct ui_state *s);
/* The span of what is selected. */
struct span ui_selected_span(const struct ui_state *s);

/* --- linking: each selects one thing and moves all other panes -------------------------------- */

void ui_select_row(struct ui_state *s, const struct row *row);
void ui_select_field(struct ui_state *s, enum field field);
void ui_select_finding(struct ui_state *s, const struct matched_finding *f);
void ui_select_line(struct ui_state *s, uint32_t line);
/* Shows a place in the source pane. */
void ui_show_span(struct ui_state *s, struct span span);
/* Rebuilds all lists and finds the selection in them again. */
void ui_rebuild(struct ui_state *s);
/* Rebuilds the lists that depend on the selected row. */
void ui_rebuild_row_lists(struct ui_state *s);
/* Selects what the focused list's cursor is on where the list does not hold the selection: what
 * keys act on is what the reviewer sees. */
void ui_settle(struct ui_state *s);
/* Finds the cursors of the selection in the lists. */
void ui_find_cursors(struct ui_state *s);

/* --- lists ------------------------------------------------------------------------------------ */

/* A pane: everything that the rest must know about it. */
struct pane_class {
	const char *name;
	size_t (*count)(const struct ui_state *s);
	/* Text of line I for search and copy, appended. */
	void (*text)(const struct ui_state *s, size_t i, struct buf *out);
	/* The cursor came to line I. */
	void (*chosen)(struct ui_state *s, size_t i);
	void (*draw)(const struct ui_state *s, struct grid *g, struct rect inside, bool focused);
	/* What follows the name in the frame. */
	void (*title)(const struct ui_state *s, struct buf *out);
	/* What follows the name when only the title line is there. */
	void (*brief)(const struct ui_state *s, struct buf *out);
	int head; /* lines of column titles */
};
extern const struct pane_class pane_workloads, pane_map, pane_findings, pane_source, pane_detail;
extern const struct pane_class *const pane_classes[PANE_COUNT];

/* The list that keys move in: of the focused pane, or of the full-screen view. */
size_t ui_list_count(const struct ui_state *s);
struct cursor *ui_list_cursor(struct ui_state *s);
int ui_list_height(const struct ui_state *s);
void ui_list_text(const struct ui_state *s, size_t i, struct buf *out);
/* Moves to line I (clamped), skipping headings in the direction of the move. */
void ui_list_go(struct ui_state *s, size_t i);

/* --- views ------------------------------------------------------------------------------------ */

void ui_open(struct ui_state *s, enum mode mode);
/* Back to the view below; false when there is none. */
bool ui_close(struct ui_state *s);
/* Recomputes layout, documents and scrolling. */
void ui_arrange(struct ui_state *s);
/* Fills the documents. */
void doc_detail(const struct ui_state *s, struct doc *d);
void doc_help(const struct ui_state *s, struct doc *d);
void doc_log(const struct ui_state *s, struct doc *d);
void doc_coverage(const struct ui_state *s, struct doc *d);
void doc_export(const struct ui_state *s, struct doc *d);
void doc_present(const struct ui_state *s, struct doc *d);

/* The frame of a full-screen view; returns what is inside. */
struct rect draw_view_frame(const struct ui_state *s, struct grid *g, struct rect area);
/* Draws the full-screen views. */
void draw_matrix(const struct ui_state *s, struct grid *g, struct rect area);
void draw_present(const struct ui_state *s, struct grid *g, struct rect area);
void draw_scope(const struct ui_state *s, struct grid *g, struct rect area);
void draw_text_view(const struct ui_state *s, struct grid *g, struct rect area);

/* The bottom line, and the prompt that takes its place. */
void draw_status(const struct ui_state *s, struct grid *g);
void draw_prompt(const struct ui_state *s, struct grid *g, struct rect row);

/* Matrix: its cursor column is the selected field. */
size_t matrix_count(const struct ui_state *s);
void matrix_text(const struct ui_state *s, size_t i, struct buf *out);
void matrix_chosen(struct ui_state *s, size_t i);

/* Scope: lines of the form, possible stacks included; the stack of a line, or NULL. */
size_t scope_count(const struct ui_state *s);
const struct possible_stack *scope_stack(const struct ui_state *s, size_t line);
/* Appends a list of files or profiles as the form holds it. */
void scope_list(const struct string_list *list, struct buf *out);

/* --- drawing helpers -------------------------------------------------------------------------- */

/* First line to show so that AT is visible in HEIGHT lines. */
size_t scroll_to(size_t top, size_t at, size_t count, int height);
/* Gutter of a list line: '>' when selected, '*' when tagged; selects the line. Returns the next x.
 */
int draw_gutter(struct grid *g, struct rect row, bool selected, bool focused, bool tagged);
void draw_empty(struct grid *g, struct rect area, const char *text);
/* The search word to show in a pane, or NULL. */
const char *ui_highlight(const struct ui_state *s);
bool ui_is_range(const struct ui_state *s, size_t i);

/* --- tags ------------------------------------------------------------------------------------- */

bool tags_have(const struct tag_set *t, const char *key);
/* Adds or removes; true when it is in afterwards. */
bool tags_toggle(struct tag_set *t, const char *key);
void tags_add(struct tag_set *t, const char *key);
void tags_clear(struct tag_set *t);
void tags_free(struct tag_set *t);

/* --- answers ---------------------------------------------------------------------------------- */

unsigned ui_prompt_accept(struct ui_state *s);
unsigned ui_prompt_changed(struct ui_state *s);
unsigned ui_prompt_cancel(struct ui_state *s);
/* True when one of some figures is wanted, not a text. */
bool ui_prompt_is_choice(const struct prompt *p);
/* A key while the prompt wants a choice; false when the prompt is a text. */
bool ui_prompt_choice(struct ui_state *s, ui_key key, unsigned *effects);

/* --- outbox ----------------------------------------------------------------------------------- */

/* Begins an act, adds its events (strings are copied), ends it; returns the effects. */
void outbox_begin(struct ui_state *s);
void outbox_add(struct ui_state *s, const struct event *event);
unsigned outbox_end(struct ui_state *s, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
unsigned outbox_undo(struct ui_state *s);
unsigned outbox_redo(struct ui_state *s);
void outbox_free(struct outbox *o);

#endif
