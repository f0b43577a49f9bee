/* Every action of the reviewer: name, default keys, words and the modes where it works, in one
 * list.
 *
 * The enum, the key map, the help, `--list-keys` and the manual's section all come from this list.
 * SPDX-License-Identifier: MIT */
#ifndef UI_ACTIONS_H
#define UI_ACTIONS_H

#include <stdbool.h>

enum mode {
	MODE_MAIN,
	MODE_MATRIX,
	MODE_PRESENT,
	MODE_HELP,
	MODE_EXPORT,
	MODE_SCOPE,
	MODE_LOG,
	MODE_COVERAGE,
	MODE_COUNT,
};

#define IN(mode) (1u << MODE_##mode)
#define IN_TEXT (IN(HELP) | IN(EXPORT) | IN(LOG) | IN(COVERAGE))
#define IN_LISTS (IN(MAIN) | IN(MATRIX) | IN(SCOPE) | IN_TEXT)
#define IN_WORK (IN(MAIN) | IN(MATRIX) | IN(PRESENT))
#define IN_ANY (IN_LISTS | IN(PRESENT))

enum action_group {
	GROUP_MARKS,
	GROUP_LISTS,
	GROUP_VIEWS,
	GROUP_MOVES,
	GROUP_PROGRAM,
	GROUP_COUNT
};
extern const char *const action_group_titles[GROUP_COUNT];

enum action_flags {
	ACTION_PLAIN = 0,
	ACTION_MUTATES = 1, /* dead with --read-only */
};

/* X(CONSTANT, function, "name", "keys", "hint", "help", modes, group, flags). A hint is the word
 * shown on the bottom line. */
#define ACTION_LIST(X)                                                                             \
	X(DECLARED, declared, "declared", "d", "declared",                                         \
	  "mark the cell declared: a file says so", IN_WORK, MARKS, MUTATES)                       \
	X(OBSERVED, observed, "observed", "o", "observed",                                         \
	  "mark the cell observed, with its basis", IN_WORK, MARKS, MUTATES)                       \
	X(UNAVAILABLE, unavailable, "unavailable", "u", "unavailable",                             \
	  "mark the cell unavailable, with the reason", IN_WORK, MARKS, MUTATES)                   \
	X(CLEAR, clear, "clear", "BS", "", "take the mark or decision back to the proposal",       \
	  IN_WORK, MARKS, MUTATES)                                                                 \
	X(COMMENT, comment, "comment", "c", "comment", "comment on what is selected", IN_WORK,     \
	  MARKS, MUTATES)                                                                          \
	X(TRIAGE, triage, "triage", "t", "triage", "decide on the finding", IN_WORK, MARKS,        \
	  MUTATES)                                                                                 \
	X(FOLLOW_UP, follow_up, "follow-up", "!", "", "the finding needs evidence", IN_WORK,       \
	  MARKS, MUTATES)                                                                          \
	X(SEVERITY, severity, "severity", "=", "",                                                 \
	  "change the finding's severity, with the reason", IN_WORK, MARKS, MUTATES)               \
	X(TASK, task, "task", "T", "", "write the workload's task: what it needs to do", IN_WORK,  \
	  MARKS, MUTATES)                                                                          \
	X(ROLE, role, "role", "r", "", "say what the workload is: agent, tool, …", IN_WORK,        \
	  MARKS, MUTATES)                                                                          \
	X(UNDO, undo, "undo", "z", "undo", "undo the last act", IN_ANY, MARKS, MUTATES)            \
	X(REDO, redo, "redo", "Z", "", "redo what was undone", IN_ANY, MARKS, MUTATES)             \
	X(SIGN, sign, "sign", "C-s", "sign", "sign the review off", IN_ANY, MARKS, MUTATES)        \
	X(DECIDE_1, decide_1, "confirm", "1", "confirm", "confirm the finding", IN(PRESENT),       \
	  MARKS, MUTATES)                                                                          \
	X(DECIDE_2, decide_2, "accept", "2", "accept", "accept the risk, with owner and date",     \
	  IN(PRESENT), MARKS, MUTATES)                                                             \
	X(DECIDE_3, decide_3, "false-positive", "3", "false", "a false positive, with the reason", \
	  IN(PRESENT), MARKS, MUTATES)                                                             \
	X(DECIDE_4, decide_4, "needs-evidence", "4", "evidence", "more evidence is needed",        \
	  IN(PRESENT), MARKS, MUTATES)                                                             \
	X(SEARCH, search, "search", "/", "search", "search; in the help: filter", IN_LISTS, LISTS, \
	  PLAIN)                                                                                   \
	X(SEARCH_NEXT, search_next, "search-next", "n", "", "next match", IN_LISTS, LISTS, PLAIN)  \
	X(SEARCH_BACK, search_back, "search-back", "N", "", "previous match", IN_LISTS, LISTS,     \
	  PLAIN)                                                                                   \
	X(FILTER, filter, "filter", "f", "filter",                                                 \
	  "show only what holds all words; !word leaves out", IN(MAIN) | IN(HELP), LISTS, PLAIN)   \
	X(FILTER_CLEAR, filter_clear, "filter-clear", "F", "", "clear the filter",                 \
	  IN(MAIN) | IN(HELP), LISTS, PLAIN)                                                       \
	X(SORT, sort, "sort", "s", "", "next order of the list", IN(MAIN), LISTS, PLAIN)           \
	X(TAG, tag, "tag", "Space", "",                                                            \
	  "tag or untag: marks and decisions then apply to all tagged", IN(MAIN) | IN(MATRIX),     \
	  LISTS, PLAIN)                                                                            \
	X(RANGE, range, "range", "v", "", "start a range; Space tags it", IN(MAIN), LISTS, PLAIN)  \
	X(ALL, all, "all-findings", "a", "all/one",                                                \
	  "findings of all workloads, or of the selected one", IN(MAIN), LISTS, PLAIN)             \
	X(FINDING_NEXT, finding_next, "finding-next", "]", "", "next finding, in any workload",    \
	  IN_WORK, LISTS, PLAIN)                                                                   \
	X(FINDING_BACK, finding_back, "finding-back", "[", "",                                     \
	  "previous finding, in any workload", IN_WORK, LISTS, PLAIN)                              \
	X(OPEN_NEXT, open_next, "undecided-next", "}", "next undecided",                           \
	  "next finding without a decision", IN_WORK, LISTS, PLAIN)                                \
	X(OPEN_BACK, open_back, "undecided-back", "{", "", "previous finding without a decision",  \
	  IN_WORK, LISTS, PLAIN)                                                                   \
	X(EDIT, edit, "edit", "e", "edit", "open the line in $EDITOR", IN_WORK | IN(COVERAGE),     \
	  LISTS, PLAIN)                                                                            \
	X(COPY, copy, "copy", "y", "", "copy the selected line", IN_ANY, LISTS, PLAIN)             \
	X(COPY_MARKDOWN, copy_markdown, "copy-markdown", "Y", "", "copy as Markdown", IN_ANY,      \
	  LISTS, PLAIN)                                                                            \
	X(PRESENT_NEXT, finding_next, "present-next", "Right l j Down", "next", "next finding",    \
	  IN(PRESENT), LISTS, PLAIN)                                                               \
	X(PRESENT_BACK, finding_back, "present-back", "Left h k Up", "previous",                   \
	  "previous finding", IN(PRESENT), LISTS, PLAIN)                                           \
	X(MATRIX, matrix, "matrix", "m", "matrix", "boundary map as one table", IN_WORK, VIEWS,    \
	  PLAIN)                                                                                   \
	X(PRESENT, present, "present", "p", "present", "one finding on the whole screen", IN_WORK, \
	  VIEWS, PLAIN)                                                                            \
	X(EXPORT, export, "export", "x", "export", "the report as it will be written", IN_WORK,    \
	  VIEWS, PLAIN)                                                                            \
	X(WRITE, write, "write", "Enter w", "write", "write the report to a file", IN(EXPORT),     \
	  VIEWS, PLAIN)                                                                            \
	X(SCOPE, scope, "scope", "S", "scope", "runtime, system, versions, reviewer", IN_WORK,     \
	  VIEWS, PLAIN)                                                                            \
	X(COVERAGE, coverage, "coverage", "C", "coverage",                                         \
	  "files that were not read in full, and why", IN_WORK, VIEWS, PLAIN)                      \
	X(LOG, log, "messages", "M", "", "all messages so far", IN_WORK, VIEWS, PLAIN)             \
	X(HELP, help, "help", "? F1", "help", "this list", IN_ANY, VIEWS, PLAIN)                   \
	X(PANE_NEXT, pane_next, "pane-next", "Tab", "", "next pane", IN(MAIN), VIEWS, PLAIN)       \
	X(PANE_BACK, pane_back, "pane-back", "S-Tab", "", "previous pane", IN(MAIN), VIEWS, PLAIN) \
	X(PANE_1, pane_1, "pane-workloads", "1", "", "to the workloads", IN(MAIN), VIEWS, PLAIN)   \
	X(PANE_2, pane_2, "pane-map", "2", "", "to the boundary map", IN(MAIN), VIEWS, PLAIN)      \
	X(PANE_3, pane_3, "pane-findings", "3", "", "to the findings", IN(MAIN), VIEWS, PLAIN)     \
	X(PANE_4, pane_4, "pane-source", "4", "", "to the source", IN(MAIN), VIEWS, PLAIN)         \
	X(PANE_5, pane_5, "pane-detail", "5", "", "to the detail", IN(MAIN), VIEWS, PLAIN)         \
	X(ZOOM_IN, zoom_in, "zoom-in", "+", "", "enlarge the pane", IN(MAIN), VIEWS, PLAIN)        \
	X(ZOOM_OUT, zoom_out, "zoom-out", "-", "", "make the pane smaller again", IN(MAIN), VIEWS, \
	  PLAIN)                                                                                   \
	X(NARROWER, narrower, "narrower", "<", "", "first column narrower", IN(MAIN), VIEWS,       \
	  PLAIN)                                                                                   \
	X(WIDER, wider, "wider", ">", "", "first column wider", IN(MAIN), VIEWS, PLAIN)            \
	X(DOWN, down, "down", "j Down", "", "down", IN_LISTS, MOVES, PLAIN)                        \
	X(UP, up, "up", "k Up", "", "up", IN_LISTS, MOVES, PLAIN)                                  \
	X(HALF_DOWN, half_down, "half-down", "C-d", "", "half a page down", IN_ANY, MOVES,       \
	  PLAIN)                                                                                   \
	X(HALF_UP, half_up, "half-up", "C-u", "", "half a page up", IN_ANY, MOVES, PLAIN)        \
	X(PAGE_DOWN, page_down, "page-down", "PgDn C-f", "", "a page down", IN_ANY, MOVES,       \
	  PLAIN)                                                                                   \
	X(PAGE_UP, page_up, "page-up", "PgUp C-b", "", "a page up", IN_ANY, MOVES, PLAIN)        \
	X(FIRST, first, "first", "g Home", "", "to the first line", IN_LISTS, MOVES, PLAIN)        \
	X(LAST, last, "last", "G End", "", "to the last line", IN_LISTS, MOVES, PLAIN)             \
	X(LEFT, left, "left", "h Left", "", "text to the left; in the matrix: previous field",     \
	  IN_LISTS, MOVES, PLAIN)                                                                  \
	X(RIGHT, right, "right", "l Right", "", "text to the right; in the matrix: next field",    \
	  IN_LISTS, MOVES, PLAIN)                                                                  \
	X(ENTER, enter, "open", "Enter", "open", "follow: to the findings, the line, the field",   \
	  IN(MAIN) | IN(MATRIX) | IN(SCOPE) | IN(COVERAGE) | IN(PRESENT), MOVES, PLAIN)            \
	X(BACK, back, "back", "Esc", "back", "back; while reading: stop and keep what is there",   \
	  IN_ANY, MOVES, PLAIN)                                                                    \
	X(COMMAND, command, "command", ":", "", "run an action by its name; theme NAME", IN_ANY,   \
	  PROGRAM, PLAIN)                                                                          \
	X(RELOAD, reload, "reload", "R F5", "", "read the tree again; marks stay", IN_ANY,         \
	  PROGRAM, PLAIN)                                                                          \
	X(REDRAW, redraw, "redraw", "C-l", "", "draw the screen again", IN_ANY, PROGRAM, PLAIN)    \
	X(SUSPEND, suspend, "suspend", "C-z", "", "suspend to the shell", IN_ANY, PROGRAM, PLAIN)  \
	X(CLOSE, close, "close", "q", "close", "close the view; in the main view: quit", IN_ANY,   \
	  PROGRAM, PLAIN)                                                                          \
	X(QUIT, quit, "quit", "Q C-c", "", "quit; marks are on disk already", IN_ANY, PROGRAM,     \
	  PLAIN)

enum action {
#define X(constant, function, name, keys, hint, help, modes, group, flags) ACTION_##constant,
	ACTION_LIST(X)
#undef X
	    ACTION_COUNT,
	ACTION_NONE = ACTION_COUNT,
};

struct ui_state;

struct action_info {
	const char *name, *keys, *hint, *help;
	unsigned modes; /* IN(…) */
	enum action_group group;
	unsigned flags;
	unsigned (*run)(struct ui_state *s); /* effects */
};
extern const struct action_info action_table[ACTION_COUNT];

/* ACTION_NONE for an unknown name. */
enum action action_by_name(const char *name);

#endif
