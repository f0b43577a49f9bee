/* Untrusted text inside Markdown and JSON.
 * SPDX-License-Identifier: MIT */
#include "model/text.h"

#include <string.h>

/* Every character at which something of the below may begin; there is no NUL in visible text. */
#define SPECIAL "\\`*[]#|~$<>&:_wW"

/* Characters that mean something in a Markdown paragraph, and how they are made plain. */
static const char *markdown_form(const char *rest, size_t length)
{
	static const struct {
		char c;
		const char *form;
	} forms[] = {
		{ '\\', "\\\\" }, { '`', "\\`" },  { '*', "\\*" }, { '[', "\\[" },
		{ ']', "\\]" },   { '#', "\\#" },  { '|', "\\|" }, { '~', "\\~" }, { '$', "\\$" },
		{ '<', "&lt;" },  { '>', "&gt;" }, { '&', "&amp;" },
	};

	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
		if (forms[i].c == *rest)
			return forms[i].form;
	if (length >= 3 && memcmp(rest, "://", 3) == 0)
		return "&#58;";
	return NULL;
}

static bool is_word(unsigned char c)
{
	return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
}

/* An underscore between letters is only itself; elsewhere it may begin emphasis. */
static bool is_open_underscore(const char *text, size_t at, size_t length)
{
	return text[at] == '_' && !(at > 0 && at + 1 < length &&
				    is_word((unsigned char)text[at - 1]) &&
				    is_word((unsigned char)text[at + 1]));
}

static bool begins_www(const char *rest, size_t length)
{
	return length >= 4 && (rest[0] | 0x20) == 'w' && (rest[1] | 0x20) == 'w' &&
	       (rest[2] | 0x20) == 'w' && rest[3] == '.';
}

/* A list or number at the start of a paragraph would become a list. */
static const char *leading_form(const char *text, size_t length, size_t *used)
{
	size_t digits = 0;

	*used = 1;
	if (length && text[0] == '-')
		return "\\-";
	if (length && text[0] == '+')
		return "\\+";
	if (length && text[0] == '=')
		return "\\=";
	while (digits < length && text[digits] >= '0' && text[digits] <= '9')
		digits++;
	if (digits && digits < length && (text[digits] == '.' || text[digits] == ')') &&
	    (digits + 1 == length || text[digits + 1] == ' ')) {
		*used = digits + 1;
		return text[digits] == '.' ? "\\." : "\\)";
	}
	return NULL;
}

void text_markdown(struct buf *out, const char *bytes, size_t length)
{
	struct buf visible = { 0 };
	const char *text, *form;
	size_t i = 0, used;

	text_visible(&visible, bytes, length, TEXT_ONE_LINE);
	text = buf_text(&visible);
	length = visible.length;
	form = leading_form(text, length, &used);
	if (form) {
		buf_add(out, text, used - 1);
		buf_puts(out, form);
		i = used;
	}
	while (i < length) {
		size_t plain = strcspn(text + i, SPECIAL);

		buf_add(out, text + i, plain);
		i += plain;
		if (i >= length)
			break;
		form = markdown_form(text + i, length - i);
		if (form) {
			buf_puts(out, form);
		} else if (is_open_underscore(text, i, length)) {
			buf_puts(out, "\\_");
		} else if (begins_www(text + i, length - i)) {
			buf_add(out, text + i, 3);
			buf_puts(out, "&#46;");
			i += 3;
		} else {
			buf_putc(out, text[i]);
		}
		i++;
	}
	buf_free(&visible);
}

static size_t longest_fence(const char *text, size_t length)
{
	size_t longest = 0, run = 0;

	if (!memchr(text, '`', length))
		return 0;
	for (size_t i = 0; i < length; i++) {
		run = text[i] == '`' ? run + 1 : 0;
		longest = run > longest ? run : longest;
	}
	return longest;
}

static void add_times(struct buf *out, char c, size_t times)
{
	while (times--)
		buf_putc(out, c);
}

void text_markdown_code(struct buf *out, const char *bytes, size_t length)
{
	struct buf visible = { 0 };
	const char *text;
	size_t fence;
	bool pad;

	text_visible(&visible, bytes, length, TEXT_ONE_LINE);
	text = buf_text(&visible);
	length = visible.length;
	fence = longest_fence(text, length) + 1;
	pad = length == 0 || text[0] == '`' || text[length - 1] == '`' ||
	      (text[0] == ' ' && text[length - 1] == ' ');
	add_times(out, '`', fence);
	add_times(out, ' ', pad);
	for (size_t i = 0, plain; i < length; i += plain) {
		plain = strcspn(text + i + 1, "|") + 1;
		if (text[i] == '|')
			buf_putc(out, '\\');
		buf_add(out, text + i, plain);
	}
	add_times(out, ' ', pad && length);
	add_times(out, '`', fence);
	buf_free(&visible);
}

static void json_unit(struct buf *out, uint32_t unit)
{
	buf_printf(out, "\\u%04x", (unsigned)unit);
}

static void json_point(struct buf *out, uint32_t point)
{
	static const char controls[] = "btn?fr"; /* 8 to 13 */

	if (point == '"' || point == '\\') {
		buf_putc(out, '\\');
		buf_putc(out, (char)point);
	} else if (point >= 8 && point <= 13 && point != 11) {
		buf_putc(out, '\\');
		buf_putc(out, controls[point - 8]);
	} else if (text_point_width(point) >= 0) {
		text_encode_point(out, point);
	} else if (point < 0x10000) {
		json_unit(out, point);
	} else {
		json_unit(out, 0xD800 + ((point - 0x10000) >> 10));
		json_unit(out, 0xDC00 + ((point - 0x10000) & 0x3FF));
	}
}

#define EACH_BYTE(value) (UINT64_C(0x0101010101010101) * (value))

/* The top bit of a byte of WORD that is below LIMIT; of those above it, none or a false one. */
static uint64_t any_below(uint64_t word, unsigned limit)
{
	return (word - EACH_BYTE(limit)) & ~word;
}

/* Not 0 when one of eight bytes cannot stand in a JSON string as it is. */
static uint64_t any_escaped(uint64_t word)
{
	return (any_below(word, 0x20) | any_below(word ^ EACH_BYTE('"'), 1) |
		any_below(word ^ EACH_BYTE('\\'), 1) | word | (word + EACH_BYTE(1))) &
	       EACH_BYTE(0x80);
}

/* Length of the bytes at the begin that stand in a JSON string as they are: nearly always all of them. */
static size_t json_run(const char *bytes, size_t length)
{
	size_t run = 0;
	uint64_t word;

	for (; length - run >= sizeof word; run += sizeof word) {
		memcpy(&word, bytes + run, sizeof word);
		if (any_escaped(word))
			break;
	}
	while (run < length && bytes[run] >= 0x20 && bytes[run] < 0x7F && bytes[run] != '"' &&
	       bytes[run] != '\\')
		run++;
	return run;
}

void text_json(struct buf *out, const char *bytes, size_t length)
{
	size_t at = 0, used;
	uint32_t point;

	buf_putc(out, '"');
	for (;;) {
		size_t run = json_run(bytes + at, length - at);

		buf_add(out, bytes + at, run);
		at += run;
		if (at >= length)
			break;
		point = text_decode_point(bytes + at, length - at, &used);
		json_point(out, point == TEXT_INVALID ? 0xFFFD : point);
		at += used;
	}
	buf_putc(out, '"');
}
