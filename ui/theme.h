/* Semantic elements of the screen and the themes that give them looks.
 *
 * A pane asks only for an element. Every theme leaves the background to the terminal, and nothing
 * is told by colour alone: the words and letters are always there. SPDX-License-Identifier: MIT */
#ifndef UI_THEME_H
#define UI_THEME_H

#include "model/cell.h"
#include "model/rule.h"

/* X(CONSTANT, "name", letter in the style plane) */
#define ELEMENT_LIST(X)                                                                            \
	X(TEXT, "text", '.')                                                                       \
	X(DIM, "dim", 'd')                                                                         \
	X(HEADER, "header", 'j')                                                                   \
	X(TITLE, "title", 'n')                                                                     \
	X(TITLE_FOCUS, "title-focus", 'f')                                                         \
	X(BORDER, "border", 'b')                                                                   \
	X(BORDER_FOCUS, "border-focus", 'g')                                                       \
	X(HEADING, "heading", 'k')                                                                 \
	X(MATCH, "match", 'm')                                                                     \
	X(CRITICAL, "critical", 'c')                                                               \
	X(HIGH, "high", 'h')                                                                       \
	X(MEDIUM, "medium", 'e')                                                                   \
	X(INFO, "info", 'i')                                                                       \
	X(DECLARED, "declared", 'x')                                                               \
	X(OBSERVED, "observed", 'o')                                                               \
	X(UNAVAILABLE, "unavailable", 'u')                                                         \
	X(STALE, "stale", 's')                                                                     \
	X(CONFLICT, "conflict", 'y')                                                               \
	X(SETTLED, "settled", 'z')                                                                 \
	X(ERROR, "error", 'r')                                                                     \
	X(WARNING, "warning", 'w')                                                                 \
	X(LINE_NUMBER, "line-number", 'l')                                                         \
	X(CITED, "cited", 'v')                                                                     \
	X(PROMPT, "prompt", 'p')                                                                   \
	X(KEY, "key", 'q')                                                                         \
	X(LABEL, "label", 'a')

enum element {
#define X(constant, name, letter) ELEMENT_##constant,
	ELEMENT_LIST(X)
#undef X
	    ELEMENT_COUNT,
};

struct element_info {
	const char *name;
	char letter; /* in a style plane; upper case ('S' for text) where selected */
};
extern const struct element_info element_table[ELEMENT_COUNT];

enum style_attribute {
	STYLE_BOLD = 1,
	STYLE_UNDERLINE = 2,
	STYLE_REVERSE = 4,
	STYLE_DIM = 8,
};

/* Colours are the eight of ANSI; COLOUR_DEFAULT is the terminal's own. */
enum {
	COLOUR_DEFAULT = -1,
	COLOUR_RED = 1,
	COLOUR_GREEN,
	COLOUR_YELLOW,
	COLOUR_BLUE,
	COLOUR_MAGENTA,
	COLOUR_CYAN
};

struct style {
	short foreground, background;
	unsigned attributes;
};

enum theme { THEME_DEFAULT, THEME_LIGHT, THEME_DARK, THEME_MONO, THEME_CONTRAST, THEME_COUNT };
extern const char *const theme_names[THEME_COUNT];

struct style theme_style(enum theme theme, enum element element);
/* THEME_COUNT for an unknown name. */
enum theme theme_by_name(const char *name);

enum element element_of_severity(enum severity severity);
enum element element_of_mark(enum mark mark);

#endif
