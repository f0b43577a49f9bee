/* Conditions of Helm templates by the chart's default values: .Values paths, literals, not, and, or, eq,
 * ne and parentheses. Whatever else stands in one makes it unknown; nothing is ever run.
 * SPDX-License-Identifier: MIT */
#include "src/formats/k8s/template_blocks.h"

#include <string.h>

enum { FRAMES = 16, ARGUMENTS = 8 };

struct value {
	enum tri truth;
	const char *text; /* of a scalar, for eq; NULL when not known */
	size_t length;
};

/* One call: its function (NULL: a plain value) and what it is given. */
struct frame {
	const char *name;
	size_t name_length;
	struct value arguments[ARGUMENTS];
	unsigned count;
};

struct reader {
	const struct node *values;
	const struct node **decides;
	struct frame frames[FRAMES];
	unsigned depth;
	bool failed;
};

static bool is_word(const struct frame *f, const char *word)
{
	return f->name_length == strlen(word) && memcmp(f->name, word, f->name_length) == 0;
}

static enum tri both_equal(const struct frame *f)
{
	const struct value *a = &f->arguments[0], *b = &f->arguments[1];

	if (f->count != 2 || !a->text || !b->text)
		return TRI_UNKNOWN;
	return a->length == b->length && memcmp(a->text, b->text, a->length) == 0 ? TRI_TRUE :
										     TRI_FALSE;
}

static enum tri opposite(enum tri truth)
{
	return truth == TRI_TRUE ? TRI_FALSE : truth == TRI_FALSE ? TRI_TRUE : TRI_UNKNOWN;
}

/* The value that one argument has settles it (FALSE for and, TRUE for or). */
static enum tri settled_by(const struct frame *f, enum tri settles)
{
	enum tri result = opposite(settles);

	for (unsigned i = 0; i < f->count; i++) {
		if (f->arguments[i].truth == settles)
			return settles;
		if (f->arguments[i].truth == TRI_UNKNOWN)
			result = TRI_UNKNOWN;
	}
	return f->count ? result : TRI_UNKNOWN;
}

static struct value result_of(const struct frame *f)
{
	struct value v = { .truth = TRI_UNKNOWN };

	if (!f->name)
		return f->count == 1 ? f->arguments[0] : v;
	if (is_word(f, "not") && f->count == 1)
		v.truth = opposite(f->arguments[0].truth);
	else if (is_word(f, "and"))
		v.truth = settled_by(f, TRI_FALSE);
	else if (is_word(f, "or"))
		v.truth = settled_by(f, TRI_TRUE);
	else if (is_word(f, "eq"))
		v.truth = both_equal(f);
	else if (is_word(f, "ne"))
		v.truth = opposite(both_equal(f));
	return v;
}

static void give(struct reader *r, struct value v)
{
	struct frame *f = &r->frames[r->depth];

	if (f->count < ARGUMENTS)
		f->arguments[f->count++] = v;
	else
		r->failed = true;
}

/* Empty text, zero, false, null and empty collections do not hold. */
static struct value value_of(const struct node *n)
{
	struct value v = { .truth = TRI_FALSE };

	if (!n || n->kind == NODE_NULL)
		return v;
	if (n->kind != NODE_SCALAR) {
		v.truth = node_count(n) ? TRI_TRUE : TRI_FALSE;
		return v;
	}
	v.text = n->text;
	v.length = n->text_length;
	if (n->style != NODE_PLAIN)
		v.truth = v.length ? TRI_TRUE : TRI_FALSE;
	else
		v.truth = k8s_word_in(n->text, "false False FALSE 0 ~ null") || !v.length ? TRI_FALSE :
											     TRI_TRUE;
	return v;
}

static bool is_name_byte(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
	       c == '-';
}

static struct value look_up(struct reader *r, const char *path, size_t length)
{
	const struct node *n = r->values;
	char key[128];

	for (size_t i = 0; n && i < length;) {
		size_t size = 0;

		while (i + size < length && is_name_byte(path[i + size]))
			size++;
		if (!size || size >= sizeof key || (i + size < length && path[i + size] != '.'))
			return (struct value){ .truth = TRI_UNKNOWN };
		memcpy(key, path + i, size);
		key[size] = '\0';
		n = node_get(n, key);
		i += size + 1;
	}
	if (r->decides && !*r->decides)
		*r->decides = n;
	return value_of(n);
}

static size_t literal(struct reader *r, const char *text, size_t length)
{
	const char *end = length > 1 ? memchr(text + 1, *text, length - 1) : NULL;

	if (!end) {
		r->failed = true;
		return length;
	}
	give(r, (struct value){ .truth = end > text + 1 ? TRI_TRUE : TRI_FALSE,
				.text = text + 1,
				.length = (size_t)(end - text - 1) });
	return (size_t)(end - text) + 1;
}

static void word(struct reader *r, const char *text, size_t length)
{
	static const char prefix[] = ".Values.";
	struct frame *f = &r->frames[r->depth];
	const bool rooted = *text == '$';

	if (length > sizeof prefix - 1 + rooted &&
	    memcmp(text + rooted, prefix, sizeof prefix - 1) == 0) {
		give(r, look_up(r, text + rooted + sizeof prefix - 1,
				length - rooted - (sizeof prefix - 1)));
	} else if (*text == '.' || *text == '$') {
		give(r, (struct value){ .truth = TRI_UNKNOWN });
	} else if (length == 4 && memcmp(text, "true", 4) == 0) {
		give(r, (struct value){ .truth = TRI_TRUE, .text = text, .length = length });
	} else if (length == 5 && memcmp(text, "false", 5) == 0) {
		give(r, (struct value){ .truth = TRI_FALSE, .text = text, .length = length });
	} else if (*text >= '0' && *text <= '9') {
		give(r, (struct value){ .truth = length == 1 && *text == '0' ? TRI_FALSE : TRI_TRUE,
					.text = text, .length = length });
	} else if (!f->name && !f->count) {
		f->name = text;
		f->name_length = length;
	} else {
		r->failed = true;
	}
}

static void open_frame(struct reader *r)
{
	if (r->depth + 1 == FRAMES) {
		r->failed = true;
		return;
	}
	r->frames[++r->depth] = (struct frame){ 0 };
}

static void close_frame(struct reader *r)
{
	struct value v;

	if (!r->depth) {
		r->failed = true;
		return;
	}
	v = result_of(&r->frames[r->depth--]);
	give(r, v);
}

enum tri template_condition(const struct node *values, const char *condition, size_t length,
			    const struct node **decides)
{
	struct reader r = { .values = values, .decides = decides };

	if (!values)
		return TRI_UNKNOWN;
	for (size_t i = 0; i < length && !r.failed;) {
		size_t size = 0;

		if (memchr(" \t\r\n", condition[i], 4)) {
			i++;
		} else if (condition[i] == '(') {
			open_frame(&r), i++;
		} else if (condition[i] == ')') {
			close_frame(&r), i++;
		} else if (condition[i] == '"' || condition[i] == '`') {
			i += literal(&r, condition + i, length - i);
		} else {
			while (i + size < length && !memchr(" \t\r\n()", condition[i + size], 6))
				size++;
			word(&r, condition + i, size);
			i += size;
		}
	}
	return r.failed || r.depth ? TRI_UNKNOWN : result_of(&r.frames[0]).truth;
}
