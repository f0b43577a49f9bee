/* Keys as numbers and as names: "j", "C-l", "Enter", "S-Tab", "F1".
 *
 * A printable key is its code point, a control key its control code; keys without a character have
 * numbers above the code points.
 * SPDX-License-Identifier: MIT */
#ifndef UI_KEY_H
#define UI_KEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint32_t ui_key;

#define KEY_CTRL(letter) ((ui_key)((letter)&31))

enum {
	KEY_NONE = 0,
	KEY_NAMED = 0x110000,
	KEY_CODE_UP,
	KEY_CODE_DOWN,
	KEY_CODE_LEFT,
	KEY_CODE_RIGHT,
	KEY_CODE_HOME,
	KEY_CODE_END,
	KEY_CODE_PAGE_UP,
	KEY_CODE_PAGE_DOWN,
	KEY_CODE_ENTER,
	KEY_CODE_ESCAPE,
	KEY_CODE_TAB,
	KEY_CODE_BACK_TAB,
	KEY_CODE_BACKSPACE,
	KEY_CODE_DELETE,
	KEY_CODE_F1,
	KEY_CODE_F5 = KEY_CODE_F1 + 4,
	KEY_CODE_F12 = KEY_CODE_F1 + 11,
	KEY_CODE_LAST,
};

#define KEY_NAME_BYTES 16

/* Reads one name of LENGTH bytes; false when it is none. */
bool key_parse(const char *name, size_t length, ui_key *out);
/* Writes the name that key_parse() reads. */
void key_spell(ui_key key, char out[KEY_NAME_BYTES]);
/* True for a key that types a character. */
bool key_is_text(ui_key key);

#endif
