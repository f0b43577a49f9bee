/* Which key runs which action in which mode.
 * SPDX-License-Identifier: MIT */
#ifndef UI_KEYMAP_H
#define UI_KEYMAP_H

#include "model/buf.h"
#include "ui/actions.h"
#include "ui/key.h"

#define KEYMAP_KEYS 4 /* keys of one action */

struct keymap {
	ui_key keys[ACTION_COUNT][KEYMAP_KEYS]; /* KEY_NONE ends */
};

void keymap_defaults(struct keymap *map);
/* Binds an action to the key names in KEYS (separated by blanks) instead of its former ones; takes
 * them from other actions of the same modes. False when a name is no key. */
bool keymap_bind(struct keymap *map, enum action action, const char *keys);
/* ACTION_NONE when nothing is bound. */
enum action keymap_find(const struct keymap *map, enum mode mode, ui_key key);
/* Appends the action's keys, separated by blanks. */
void keymap_names(const struct keymap *map, enum action action, struct buf *out);
/* The first key's name, "" without one. */
void keymap_first(const struct keymap *map, enum action action, char out[KEY_NAME_BYTES]);
/* All bindings as text: what --list-keys prints. */
void keymap_list(const struct keymap *map, struct buf *out);
/* The same as the manual's KEYS section in mdoc(7). */
void keymap_manual(const struct keymap *map, struct buf *out);

#endif
