/* The key map: lookup, binding, and the texts generated from it.
 * SPDX-License-Identifier: MIT */
#include "ui/keymap.h"

#include <string.h>

static bool parse_keys(const char *names, ui_key keys[KEYMAP_KEYS])
{
	size_t count = 0;

	memset(keys, 0, KEYMAP_KEYS * sizeof *keys);
	while (*names) {
		size_t length = strcspn(names, " ");

		if (length > 0) {
			if (count == KEYMAP_KEYS || !key_parse(names, length, &keys[count]))
				return false;
			count++;
		}
		names += length + (names[length] == ' ');
	}
	return true;
}

void keymap_defaults(struct keymap *map)
{
	for (enum action a = 0; a < ACTION_COUNT; a++)
		parse_keys(action_table[a].keys, map->keys[a]);
}

static void drop_key(ui_key keys[KEYMAP_KEYS], ui_key key)
{
	size_t kept = 0;

	for (size_t i = 0; i < KEYMAP_KEYS; i++) {
		if (keys[i] != key)
			keys[kept++] = keys[i];
	}
	while (kept < KEYMAP_KEYS)
		keys[kept++] = KEY_NONE;
}

bool keymap_bind(struct keymap *map, enum action action, const char *keys)
{
	ui_key wanted[KEYMAP_KEYS];

	if (!parse_keys(keys, wanted))
		return false;
	for (enum action a = 0; a < ACTION_COUNT; a++) {
		if (!(action_table[a].modes & action_table[action].modes))
			continue;
		for (size_t i = 0; i < KEYMAP_KEYS && wanted[i]; i++)
			drop_key(map->keys[a], wanted[i]);
	}
	memcpy(map->keys[action], wanted, sizeof wanted);
	return true;
}

enum action keymap_find(const struct keymap *map, enum mode mode, ui_key key)
{
	for (enum action a = 0; a < ACTION_COUNT; a++) {
		if (!(action_table[a].modes & (1u << mode)))
			continue;
		for (size_t i = 0; i < KEYMAP_KEYS && map->keys[a][i]; i++) {
			if (map->keys[a][i] == key)
				return a;
		}
	}
	return ACTION_NONE;
}

void keymap_names(const struct keymap *map, enum action action, struct buf *out)
{
	char name[KEY_NAME_BYTES];

	for (size_t i = 0; i < KEYMAP_KEYS && map->keys[action][i]; i++) {
		key_spell(map->keys[action][i], name);
		buf_printf(out, "%s%s", i ? " " : "", name);
	}
}

void keymap_first(const struct keymap *map, enum action action, char out[KEY_NAME_BYTES])
{
	out[0] = '\0';
	if (map->keys[action][0])
		key_spell(map->keys[action][0], out);
}

void keymap_list(const struct keymap *map, struct buf *out)
{
	struct buf keys = { 0 };

	for (enum action_group group = 0; group < GROUP_COUNT; group++) {
		buf_printf(out, "%s%s\n", group ? "\n" : "", action_group_titles[group]);
		for (enum action a = 0; a < ACTION_COUNT; a++) {
			if (action_table[a].group != group)
				continue;
			buf_clear(&keys);
			keymap_names(map, a, &keys);
			buf_printf(out, "  %-14s %-16s %s\n", buf_text(&keys), action_table[a].name,
			           action_table[a].help);
		}
	}
	buf_free(&keys);
}

/* Key names hold characters that mdoc(7) would read. */
static void manual_keys(const char *keys, struct buf *out)
{
	while (*keys) {
		size_t length = strcspn(keys, " ");

		buf_puts(out, " \\&");
		for (size_t i = 0; i < length; i++) {
			if (keys[i] == '\\')
				buf_puts(out, "\\e");
			else if (keys[i] == '-')
				buf_puts(out, "\\-");
			else
				buf_putc(out, keys[i]);
		}
		keys += length + (keys[length] == ' ');
	}
}

void keymap_manual(const struct keymap *map, struct buf *out)
{
	struct buf keys = { 0 };

	for (enum action_group group = 0; group < GROUP_COUNT; group++) {
		buf_printf(out, ".Ss %s\n.Bl -tag -width Ds\n", action_group_titles[group]);
		for (enum action a = 0; a < ACTION_COUNT; a++) {
			if (action_table[a].group != group)
				continue;
			buf_clear(&keys);
			keymap_names(map, a, &keys);
			buf_puts(out, ".It Ic");
			manual_keys(buf_text(&keys), out);
			buf_printf(out, "\n%s\n", action_table[a].help);
		}
		buf_puts(out, ".El\n");
	}
	buf_free(&keys);
}
