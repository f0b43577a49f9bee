/* What counts as a secret, and the one function that hides secret values in text that is shown.
 *
 * No secret value is kept, printed or recorded: only names, kinds and places.
 * SPDX-License-Identifier: MIT */
#ifndef MODEL_SECRET_H
#define MODEL_SECRET_H

#include <stdbool.h>
#include <stddef.h>

#include "model/buf.h"
#include "model/source.h"

/* True when a variable, key or option of this name usually holds a secret (PASSWORD, TOKEN …). */
bool name_is_secret(const char *name);
/* "empty", "placeholder", "reference" (${X}, $X, {{x}}, secret references) or "literal". */
const char *value_class(const char *value);
/* The same where the name is known: a number under a password's name is a literal. */
const char *named_class(const char *name, const char *value);
/* What a value is when it has the shape of a known kind of token ("GitHub token"); NULL otherwise. */
const char *value_token(const char *value);
/* True when VALUE is a URL with a literal password or a literal secret in its query. */
bool url_has_secret(const char *value);

/* True when VALUE under NAME must not be shown: the name is a secret's, and the value is neither empty nor a
 * reference nor a switch. */
bool secret_value(const char *name, const char *value, size_t length);

#define SECRET_SHOWN "<redacted>"
/* Appends the bytes of one line of a reviewed file with every value that looks like a secret replaced by
 * SECRET_SHOWN: what follows a secret's name, known shapes of tokens, passwords in URLs, lines of keys.
 * Returns true when something was replaced. The result is still untrusted text. */
bool secret_redact(struct buf *out, const char *line, size_t length);
/* The same for a sentence with values of a file in it, where "name: word" is prose and not an assignment. */
bool secret_redact_prose(struct buf *out, const char *text, size_t length);

/* A word of a command that is given as a list: BEFORE holds the words before it, with blanks between. */
void secret_redact_word(struct buf *out, const char *before, const char *word);
/* True when WORD is the secret that the option BEFORE, the word before it, asks for: "--token", "x". */
bool secret_follows(const char *before, const char *word);

/* Line 1… of a source, at most LIMIT_LINE_SHOWN bytes, as secret_redact() with what the lines around it say:
 * "name: X" before "value:", an option on the line before, a block under a secret's name, the data of a
 * Kubernetes Secret, and every value of an environment file. */
bool secret_redact_line(struct buf *out, const struct source *source, uint32_t line);

/* What the lines around a line say about it. */
enum secret_hint {
	SECRET_HINT_NONE,
	SECRET_HINT_PAIR,  /* what stands under "value" is a secret */
	SECRET_HINT_ENTRY, /* what follows the line's first name is a secret */
	SECRET_HINT_WHOLE, /* all of it is a secret */
};
bool secret_redact_hinted(struct buf *out, const char *line, size_t length, enum secret_hint hint);
/* The word behind ':' or '=' at the begin of TEXT, without quotes; false when there is none. */
bool secret_line_word(const char *text, size_t length, char *out, size_t size);

#endif
