/* Names of keys, both ways.
 * SPDX-License-Identifier: MIT */
#include "ui/key.h"

#include <stdio.h>
#include <string.h>

#include "model/text.h"

static const struct {
	const char *name;
	ui_key key;
} names[] = {
	{ "Up", KEY_CODE_UP },
	{ "Down", KEY_CODE_DOWN },
	{ "Left", KEY_CODE_LEFT },
	{ "Right", KEY_CODE_RIGHT },
	{ "Home", KEY_CODE_HOME },
	{ "End", KEY_CODE_END },
	{ "PgUp", KEY_CODE_PAGE_UP },
	{ "PgDn", KEY_CODE_PAGE_DOWN },
	{ "Enter", KEY_CODE_ENTER },
	{ "Esc", KEY_CODE_ESCAPE },
	{ "Tab", KEY_CODE_TAB },
	{ "S-Tab", KEY_CODE_BACK_TAB },
	{ "BS", KEY_CODE_BACKSPACE },
	{ "Del", KEY_CODE_DELETE },
	{ "Space", ' ' },
};

#define NAME_COUNT (sizeof names / sizeof *names)

static bool parse_function_key(const char *name, size_t length, ui_key *out)
{
	ui_key number = 0;

	if (length < 2 || length > 3 || name[0] != 'F')
		return false;
	for (size_t i = 1; i < length; i++) {
		if (name[i] < '0' || name[i] > '9')
			return false;
		number = number * 10 + (ui_key)(name[i] - '0');
	}
	if (number < 1 || number > 12)
		return false;
	*out = KEY_CODE_F1 + number - 1;
	return true;
}

bool key_parse(const char *name, size_t length, ui_key *out)
{
	size_t used;

	if (length == 0)
		return false;
	for (size_t i = 0; i < NAME_COUNT; i++) {
		if (strlen(names[i].name) == length && memcmp(names[i].name, name, length) == 0) {
			*out = names[i].key;
			return true;
		}
	}
	if (parse_function_key(name, length, out))
		return true;
	if (length == 3 && name[0] == 'C' && name[1] == '-' && name[2] >= 'a' && name[2] <= 'z') {
		*out = KEY_CTRL(name[2]);
		return true;
	}
	*out = text_decode_point(name, length, &used);
	return *out != TEXT_INVALID && used == length && key_is_text(*out);
}

void key_spell(ui_key key, char out[KEY_NAME_BYTES])
{
	struct buf text = { 0 };

	for (size_t i = 0; i < NAME_COUNT; i++) {
		if (names[i].key == key) {
			snprintf(out, KEY_NAME_BYTES, "%s", names[i].name);
			return;
		}
	}
	if (key >= KEY_CODE_F1 && key <= KEY_CODE_F12) {
		snprintf(out, KEY_NAME_BYTES, "F%u", (unsigned)(key - KEY_CODE_F1 + 1));
	} else if (key > 0 && key < ' ') {
		snprintf(out, KEY_NAME_BYTES, "C-%c", (char)(key + 'a' - 1));
	} else if (key_is_text(key)) {
		text_encode_point(&text, key);
		snprintf(out, KEY_NAME_BYTES, "%s", buf_text(&text));
		buf_free(&text);
	} else {
		snprintf(out, KEY_NAME_BYTES, "?");
	}
}

bool key_is_text(ui_key key)
{
	return key >= ' ' && key < KEY_NAMED && text_point_width(key) > 0;
}
