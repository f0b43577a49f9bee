/* The line editor.
 * SPDX-License-Identifier: MIT */
#include "ui/prompt.h"

#include <string.h>

#include "model/limits.h"
#include "model/text.h"

void prompt_ask(struct prompt *p, enum prompt_kind kind, const char *label, const char *proposal)
{
	p->active = true;
	p->kind = kind;
	p->at = 0;
	buf_clear(&p->text);
	buf_clear(&p->label);
	buf_puts(&p->label, label);
	buf_clear(&p->proposal);
	buf_puts(&p->proposal, proposal ? proposal : "");
}

const char *prompt_value(const struct prompt *p)
{
	return p->text.length > 0 ? buf_text(&p->text) : buf_text(&p->proposal);
}

void prompt_free(struct prompt *p)
{
	buf_free(&p->label);
	buf_free(&p->text);
	buf_free(&p->proposal);
	buf_free(&p->saved);
	buf_free(&p->note);
	buf_free(&p->owner);
	*p = (struct prompt){ 0 };
}

static void replace(struct prompt *p, size_t from, size_t to, const char *text, size_t length)
{
	struct buf next = { 0 };

	buf_add(&next, buf_text(&p->text), from);
	buf_add(&next, text, length);
	buf_puts(&next, buf_text(&p->text) + to);
	buf_free(&p->text);
	p->text = next;
	p->at = from + length;
}

static size_t step_back(const struct prompt *p)
{
	size_t at = p->at;

	while (at > 0 && ((unsigned char)p->text.bytes[--at] & 0xc0) == 0x80)
		;
	return at;
}

static size_t step_on(const struct prompt *p)
{
	size_t at = p->at;

	if (at < p->text.length)
		at++;
	while (at < p->text.length && ((unsigned char)p->text.bytes[at] & 0xc0) == 0x80)
		at++;
	return at;
}

static size_t word_back(const struct prompt *p)
{
	size_t at = p->at;

	while (at > 0 && p->text.bytes[at - 1] == ' ')
		at--;
	while (at > 0 && p->text.bytes[at - 1] != ' ')
		at--;
	return at;
}

static enum prompt_answer type(struct prompt *p, ui_key key)
{
	struct buf point = { 0 };

	if (!key_is_text(key) || p->text.length > LIMIT_NOTE_BYTES - 8)
		return PROMPT_GOES_ON;
	text_encode_point(&point, key);
	replace(p, p->at, p->at, buf_text(&point), point.length);
	buf_free(&point);
	return PROMPT_CHANGED;
}

static enum prompt_answer erase(struct prompt *p, size_t from, size_t to)
{
	if (from == to)
		return PROMPT_GOES_ON;
	replace(p, from, to, "", 0);
	return PROMPT_CHANGED;
}

static enum prompt_answer move(struct prompt *p, size_t at)
{
	p->at = at;
	return PROMPT_GOES_ON;
}

enum prompt_answer prompt_key(struct prompt *p, ui_key key)
{
	if (key == KEY_CODE_ENTER)
		return PROMPT_ACCEPTED;
	if (key == KEY_CODE_ESCAPE || key == KEY_CTRL('c') || key == KEY_CTRL('g'))
		return PROMPT_CANCELLED;
	if (key == KEY_CODE_BACKSPACE && p->text.length == 0)
		return PROMPT_CANCELLED;
	if (key == KEY_CODE_BACKSPACE)
		return erase(p, step_back(p), p->at);
	if (key == KEY_CODE_DELETE)
		return erase(p, p->at, step_on(p));
	if (key == KEY_CTRL('w'))
		return erase(p, word_back(p), p->at);
	if (key == KEY_CTRL('u'))
		return erase(p, 0, p->at);
	if (key == KEY_CTRL('k'))
		return erase(p, p->at, p->text.length);
	if (key == KEY_CODE_LEFT || key == KEY_CTRL('b'))
		return move(p, step_back(p));
	if (key == KEY_CODE_RIGHT || key == KEY_CTRL('f'))
		return move(p, step_on(p));
	if (key == KEY_CODE_HOME || key == KEY_CTRL('a'))
		return move(p, 0);
	if (key == KEY_CODE_END || key == KEY_CTRL('e'))
		return move(p, p->text.length);
	if (key == KEY_CODE_TAB && p->text.length == 0) {
		replace(p, 0, 0, buf_text(&p->proposal), p->proposal.length);
		return PROMPT_CHANGED;
	}
	return type(p, key);
}
