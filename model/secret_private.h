/* Shared by the files that hide secrets.
 * SPDX-License-Identifier: MIT */
#ifndef MODEL_SECRET_PRIVATE_H
#define MODEL_SECRET_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>

/* Length of the secret that begins at the word at AT because of the words before it ("sshpass -p WORD",
 * "--setenv API_TOKEN WORD", "Bearer WORD", "echo WORD | chpasswd"); 0 when the words say nothing.
 * *SKIP is what stands before the secret in the word itself. Looks a bounded way back. */
size_t secret_word(const char *text, size_t length, size_t at, size_t *skip);

/* Letters, digits, '-', '.' and '_'. */
static inline bool secret_name_char(char c)
{
	return ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || (c >= '-' && c <= '9' && c != '/') ||
	       c == '_';
}
/* Digits only. */
bool secret_is_number(const char *text, size_t length);
/* Words that say nothing secret even behind a secret's name. */
bool secret_is_harmless(const char *value, size_t length);
/* "key: password" names an entry of a secret. */
bool secret_is_entry_name(const char *name, const char *value, size_t length);
/* Length of the literal in "${NAME:-value}" or "$(echo value)", and in *SKIP what stands before it; 0 when
 * VALUE is no such text or a reference only. */
size_t secret_literal_inside(const char *value, size_t length, size_t *skip);
/* A header whose value says nothing secret, whatever it is. */
bool secret_is_plain_header(const char *name);
/* The line holds an object of kind Secret. */
bool secret_holds_object(const char *text, size_t length);
/* The line names a secret, and the value stands there as well under a name of its own. */
bool secret_has_pair(const char *text, size_t length);
/* Words of one kind of character that have letters and digits mixed, as generated ones have. */
bool secret_is_mixed(const char *word, size_t length, size_t least);

#endif
