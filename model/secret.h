/* What counts as a secret, and the one function that hides secret values in text that is shown.
 *
 * No secret value is kept, printed or recorded: only names, kinds and places.
 * SPDX-License-Identifier: MIT */
#ifndef MODEL_SECRET_H
#define MODEL_SECRET_H

#include <stdbool.h>
#include <stddef.h>

#include "model/buf.h"

/* True when a variable, key or option of this name usually holds a secret (PASSWORD, TOKEN …). */
bool name_is_secret(const char *name);
/* "empty", "placeholder", "reference" (${X}, $X, {{x}}, secret references) or "literal". */
const char *value_class(const char *value);
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

#endif
