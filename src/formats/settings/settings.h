/* Settings of agent products, read by tables: one table a product, one row a key.
 *
 * A file may hold the settings of one product only; the row that it gives stands for that product's
 * agent process. Keys, defaults and scopes as read in 2026-11; where a default moved between
 * versions the note says so. SPDX-License-Identifier: MIT */
#ifndef FORMATS_SETTINGS_SETTINGS_H
#define FORMATS_SETTINGS_SETTINGS_H

#include "src/formats/format.h"

struct settings {
	struct workspace *w;
	struct input *in;
	struct row *row;
	const struct node *top;
	const char *product;
};

/* How a value is turned into facts. */
enum setting_form {
	SETTING_SANDBOX,   /* a switch: FACT_SANDBOX on or off */
	SETTING_WIDE,      /* a switch that widens when true */
	SETTING_NARROW,    /* a switch that narrows when true */
	SETTING_WIDE_LIST, /* each item widens */
	SETTING_NARROW_LIST,
	SETTING_TEXT,      /* shown, judged by nobody */
	SETTING_APPROVALS, /* FACT_APPROVALS by the words of `map` */
	SETTING_TRUST,     /* a switch: FACT_AUTO_TRUST when true */
	SETTING_TOOLS,     /* each item is FACT_ALLOWED_TOOL */
	SETTING_TOOLS_DENIED,
	SETTING_DOMAINS, /* each item is FACT_DOMAIN_RULE allow */
	SETTING_DOMAINS_DENIED,
	SETTING_COMMAND,     /* a command that the product runs: FACT_HOOK on the host */
	SETTING_ENVIRONMENT, /* a map of variables */
};

struct setting_words {
	const char *from, *to;
};

struct setting {
	const char *path; /* keys joined by '.'; a key may itself hold dots */
	enum setting_form form;
	const char *name;      /* shown instead of the path, or NULL */
	const char *otherwise; /* default, told when the map that holds the key is there; or NULL */
	const char *note;      /* of the default */
	const struct setting_words *map; /* ended by NULL */
};

struct product {
	const char *name;
	bool (*recognise)(const char *path, const struct node *top);
	const struct setting *settings;   /* ended by a NULL path */
	void (*more)(struct settings *s); /* what the table cannot say; may be NULL */
};

extern const struct product product_claude, product_codex, product_gemini, product_vscode,
    product_cursor, product_srt, product_goose, product_opencode, product_openhands, product_zed;

/* The value at a path of keys; keys that hold dots are found too. */
const struct node *setting_find(const struct node *top, const char *path);
struct fact *setting_fact(const struct settings *s, enum fact_kind kind, const char *value,
                          struct span span, const char *setting);
bool setting_is_true(const struct node *n);
bool setting_is_false(const struct node *n);
/* True when PATH ends in one of the blank-separated names as whole path parts. */
bool path_is(const char *path, const char *names);

#endif
