/* Hiding of secret values in a line of text.
 *
 * The line is read without knowing its language: NAME: value, NAME=value, "NAME": "value" and --name value
 * are the forms in which names and values meet. Hiding too much costs a reader a look into the file; hiding
 * too little leaks.
 * SPDX-License-Identifier: MIT */
#include "model/secret.h"

#include <string.h>
#include <strings.h>

#include "model/secret_private.h"

#define LONGEST_NAME 128
#define LONGEST_TOKEN 512
#define LEAST_URL_TOKEN 20

static bool is_token_char(char c)
{
	return secret_name_char(c) || c == '+' || c == '/';
}

static bool is_quote(char c)
{
	return c == '"' || c == '\'';
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

struct line {
	const char *text;
	size_t length, at;
	size_t put; /* what stands before was written */
	struct buf *out;
	bool prose, changed;
	bool pair;   /* what stands under "value" is a secret */
	bool object; /* a Secret stands on this line: its data are secrets */
	bool headers; /* inside the braces of headers */
	char around; /* the quote that name and value stand in together, as "X-Key: value" */
};

static void keep(struct line *l, size_t count)
{
	l->at += count;
}

/* Most lines hide nothing, so that what is kept is written in one piece. */
static void put_kept(struct line *l)
{
	buf_add(l->out, l->text + l->put, l->at - l->put);
	l->put = l->at;
}

static void hide(struct line *l, size_t count)
{
	put_kept(l);
	buf_puts(l->out, SECRET_SHOWN);
	l->at += count;
	l->put = l->at;
	l->changed = true;
}

static size_t name_run(const struct line *l)
{
	size_t end = l->at;

	while (end < l->length && secret_name_char(l->text[end]))
		end++;
	return end - l->at;
}

/* Of which the first RUN bytes are known. */
static size_t token_run(const struct line *l, size_t run)
{
	size_t end = l->at + run;

	while (end < l->length && is_token_char(l->text[end]))
		end++;
	return end - l->at;
}

/* Length of the value at the cursor. Quoted: to the closing quote. Plain behind ':': to the end or a comment;
 * otherwise to a blank or a bracket. */
static size_t value_length(const struct line *l, char quote, bool to_end)
{
	size_t end = l->at;

	for (; end < l->length; end++) {
		char c = l->text[end];

		if (!quote && c == '\n')
			break;
		if (quote ? c == quote : l->around && c == l->around ? true
					  : to_end ? c == '#' && is_blank(l->text[end - 1])
						: is_blank(c) || strchr(",;}])\"'&|", c) != NULL)
			break;
		if (quote && c == '\\' && end + 1 < l->length)
			end++;
	}
	while (!quote && end > l->at && (is_blank(l->text[end - 1]) || l->text[end - 1] == '\r'))
		end--;
	return end - l->at;
}

/* JSON inside a JSON text: \" is its quote. */
static bool is_escaped_quote(const struct line *l, size_t at)
{
	return at + 1 < l->length && l->text[at] == '\\' && is_quote(l->text[at + 1]);
}

static size_t escaped_length(const struct line *l)
{
	size_t end = l->at;

	while (end < l->length && !is_escaped_quote(l, end) && !is_quote(l->text[end]))
		end += l->text[end] == '\\' && end + 1 < l->length ? 2 : 1;
	return (end < l->length ? end : l->length) - l->at;
}

/* Length of what stands between a name that ends at AT and its value; 0 when nothing joins them. */
static size_t join_length(const struct line *l, size_t at, bool is_option, bool is_header, bool *colon)
{
	size_t end = at;
	bool joined = false;

	while (end < l->length && end - at < 16) {
		char c = l->text[end];

		if (c == ':' && l->prose && !is_header)
			break;
		if ((c == ':' || c == '=') && !joined)
			joined = true, *colon = c == ':';
		else if (is_escaped_quote(l, end) && !joined)
			end++;
		else if (!(is_blank(c) || (is_quote(c) && !joined) || (is_option && c == ',')))
			break;
		end++;
	}
	return joined || is_option ? end - at : 0;
}

/* "X-Api-Key" and "Authorization" before a colon are headers even in a sentence. */
static bool is_header_name(const char *name)
{
	return *name >= 'A' && *name <= 'Z' &&
	       (strchr(name, '-') || strcmp(name, "Authorization") == 0 || strcmp(name, "Cookie") == 0);
}

/* Length of "Bearer " and the like at the cursor. */
static size_t scheme_length(const struct line *l)
{
	static const char *const schemes[] = { "Bearer ", "Basic ", "Token ", "Digest ", "Api-Key " };

	for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++)
		if (l->length - l->at > strlen(schemes[i]) &&
		    strncasecmp(l->text + l->at, schemes[i], strlen(schemes[i])) == 0)
			return strlen(schemes[i]);
	return 0;
}

/* In a sentence a header's value ends with its word; before it may stand the name of a scheme. */
static size_t header_length(const struct line *l)
{
	size_t end = l->at + scheme_length(l);

	while (end < l->length && !is_blank(l->text[end]) && !strchr(";\"'", l->text[end]))
		end++;
	return end - l->at;
}

/* "$(echo value)": a plain value does not end at the blanks of a substitution. */
static size_t substitution_length(const struct line *l)
{
	const char *close;

	if (l->length - l->at < 3 || memcmp(l->text + l->at, "$(", 2) != 0)
		return 0;
	close = memchr(l->text + l->at, ')', l->length - l->at);
	return close ? (size_t)(close - l->text) + 1 - l->at : 0;
}

/* Where the value at the cursor ends, as far as it can be told. */
static size_t whole_value(struct line *l, bool colon)
{
	bool escaped = is_escaped_quote(l, l->at), flow;
	char quote = l->at < l->length && is_quote(l->text[l->at]) ? l->text[l->at] : '\0';
	size_t length, scheme, start = l->at;

	if (escaped || quote)
		keep(l, escaped ? 2 : 1);
	if (escaped)
		return escaped_length(l);
	if (l->prose && colon && !quote)
		return header_length(l);
	flow = memchr(l->text, '{', l->length) != NULL;
	length = substitution_length(l);
	if (length)
		return length;
	scheme = quote ? 0 : scheme_length(l);
	l->at += scheme;
	length = scheme + value_length(l, quote, colon && !flow);
	l->at = start + (quote != '\0');
	return length;
}

static void take_value(struct line *l, const char *name, bool colon)
{
	size_t length = whole_value(l, colon), skip = 0, inside;
	const char *value = l->text + l->at;

	inside = secret_literal_inside(value, length, &skip);
	if (inside) {
		keep(l, skip);
		hide(l, inside);
		keep(l, length - skip - inside);
	} else if (secret_is_harmless(value, length) || secret_is_entry_name(name, value, length)) {
		keep(l, length);
	} else {
		hide(l, length);
	}
}

/* The quote before the cursor when none stands in the next COUNT bytes. */
static char quote_around(const struct line *l, size_t count)
{
	char before = l->at ? l->text[l->at - 1] : '\0';

	return is_quote(before) && !memchr(l->text + l->at, before, count) ? before : '\0';
}

static bool is_login_option(const char *name)
{
	static const char *const names[] = { "-u", "-U", "--user", "--proxy-user", "--login" };

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return false;
}

/* "-u name:password": what follows the colon, unless it is a number or the name again, as in the user and
 * group of a container. */
static bool take_login(struct line *l, size_t before)
{
	size_t start = l->at + before, colon, end;

	if (start < l->length && is_quote(l->text[start]))
		start++;
	for (colon = start; colon < l->length && (secret_name_char(l->text[colon]) || l->text[colon] == '@');)
		colon++;
	if (colon == start || colon >= l->length || l->text[colon] != ':')
		return false;
	end = colon + 1;
	while (end < l->length && !is_blank(l->text[end]) && !strchr("\"'|;,)]", l->text[end]))
		end++;
	if (end == colon + 1 || secret_is_number(l->text + colon + 1, end - colon - 1) ||
	    (end - colon - 1 == colon - start &&
	     memcmp(l->text + start, l->text + colon + 1, colon - start) == 0) ||
	    secret_is_harmless(l->text + colon + 1, end - colon - 1))
		return false;
	keep(l, colon + 1 - l->at);
	hide(l, end - colon - 1);
	return true;
}

/* "/root/.git-credentials:/home/x:ro": a path that is mounted has no value. */
static bool is_path_part(const struct line *l, size_t length)
{
	const char *after = l->text + l->at + length;
	size_t left = l->length - l->at - length;

	if (left < 2 || after[0] != ':' || !((l->at && l->text[l->at - 1] == '/') || l->text[l->at] == '.'))
		return false;
	return strchr("/$~.", after[1]) != NULL || memcmp(after, ":r", 2) == 0;
}

/* What stands under this name is a secret, whatever it is called. */
static bool is_value_name(const struct line *l, const char *name)
{
	static const char *const values[] = { "value", "default", "content" };

	for (size_t i = 0; l->pair && i < sizeof values / sizeof *values; i++)
		if (strcasecmp(name, values[i]) == 0)
			return true;
	return l->headers && !secret_is_plain_header(name);
}

/* Hides all between the brace at the cursor and the one that closes it. */
static bool take_data(struct line *l)
{
	size_t end = l->at + 1;
	char quote = '\0';

	while (end < l->length && (quote || l->text[end] != '}')) {
		if (is_quote(l->text[end]) && (!quote || quote == l->text[end]))
			quote = quote ? '\0' : l->text[end];
		end++;
	}
	keep(l, 1);
	if (end > l->at)
		hide(l, end - l->at);
	return true;
}

static bool is_among(const char *name, const char *one, const char *other)
{
	return strcmp(name, one) == 0 || strcmp(name, other) == 0;
}

/* Words of a sentence have a blank and another word behind them: nothing joins these but a dash before them. */
static bool is_alone(const struct line *l, size_t length)
{
	size_t end = l->at + length;

	return l->text[l->at] != '-' && l->length - end >= 2 && is_blank(l->text[end]) &&
	       secret_name_char(l->text[end + 1]);
}

/* A name of LENGTH at the cursor, with its value when it is a secret's. What joins them is looked at first, because
 * most words are joined to nothing. */
static bool take_name(struct line *l, size_t length)
{
	size_t skip = 0, join;
	char name[LONGEST_NAME];
	bool colon = false, is_option;

	if (!length || length >= sizeof name || is_alone(l, length))
		return false;
	memcpy(name, l->text + l->at, length);
	name[length] = '\0';
	while (name[skip] == '-')
		skip++;
	is_option = skip > 0 && (length > skip + 1 || is_login_option(name));
	join = join_length(l, l->at + length, is_option, is_header_name(name), &colon);
	if (!join)
		return false;
	if (is_login_option(name))
		return take_login(l, length + join);
	if (l->at + length + join < l->length && l->text[l->at + length + join] == '{') {
		l->headers = is_among(name, "headers", "http_headers");
		if (l->object && is_among(name, "data", "stringData")) {
			keep(l, length + join);
			return take_data(l);
		}
	}
	if (!name_is_secret(name + skip) && !is_value_name(l, name))
		return false;
	if (is_path_part(l, length))
		return false;
	l->around = quote_around(l, length + join);
	keep(l, length + join);
	take_value(l, name + skip, colon);
	return true;
}

/* Base64 of a key: long, and upper case, lower case and digits together. */
static bool is_key_material(const char *token, size_t length)
{
	size_t upper = 0, lower = 0, digits = 0;

	for (size_t i = 0; i < length; i++) {
		upper += token[i] >= 'A' && token[i] <= 'Z';
		lower += token[i] >= 'a' && token[i] <= 'z';
		digits += token[i] >= '0' && token[i] <= '9';
	}
	return length >= 60 && upper > 4 && lower > 4 && digits > 2 && !memchr(token, '.', length);
}

/* The name at the cursor is RUN bytes long, and a token at least as long. */
static bool take_token(struct line *l, size_t run)
{
	size_t length;
	char token[LONGEST_TOKEN];

	if (l->at && is_token_char(l->text[l->at - 1]))
		return false;
	length = token_run(l, run);
	if (length < 16)
		return false;
	if (length < sizeof token) {
		memcpy(token, l->text + l->at, length);
		token[length] = '\0';
		if (strncmp(token, "-----", 5) != 0 && value_token(token)) {
			hide(l, length);
			return true;
		}
	}
	if (!is_key_material(l->text + l->at, length))
		return false;
	hide(l, length);
	return true;
}

/* "://user:password@": the cursor is at "://". */
static bool take_url_password(struct line *l)
{
	const char *rest = l->text + l->at;
	size_t left = l->length - l->at, end = 3, colon = 0;

	if (*rest != ':' || left < 6 || memcmp(rest, "://", 3) != 0)
		return false;
	while (end < left && !strchr("@/?# \t\"'", rest[end])) {
		if (rest[end] == ':' && !colon)
			colon = end;
		end++;
	}
	if (end >= left || rest[end] != '@')
		return false;
	/* A token may stand in the place of the name. */
	if (!colon && secret_is_mixed(rest + 3, end - 3, LEAST_URL_TOKEN)) {
		keep(l, 3);
		hide(l, end - 3);
		return true;
	}
	if (!colon || end - colon < 2)
		return false;
	keep(l, colon + 1);
	if (secret_is_harmless(rest + colon + 1, end - colon - 1))
		keep(l, end - colon - 1);
	else
		hide(l, end - colon - 1);
	return true;
}

bool secret_value(const char *name, const char *value, size_t length)
{
	return name_is_secret(name) && !secret_is_harmless(value, length) &&
	       !secret_is_entry_name(name, value, length);
}

/* What stands between the first and the last line of a private key, in a text that holds several. */
static bool take_key(struct line *l)
{
	const char *rest = l->text + l->at, *mark, *end;
	size_t left = l->length - l->at, start;

	if (*rest != '-' || left < 32 || memcmp(rest, "-----BEGIN ", 11) != 0)
		return false;
	mark = memmem(rest, left < 64 ? left : 64, "PRIVATE KEY-----", 16);
	if (!mark)
		return false;
	start = (size_t)(mark - rest) + 16;
	end = memmem(rest + start, left - start, "-----END ", 9);
	keep(l, start);
	left -= start;
	if (end)
		left = (size_t)(end - rest) - start;
	while (left && (is_blank(l->text[l->at]) || l->text[l->at] == '\n'))
		keep(l, 1), left--;
	if (left > 2)
		hide(l, left);
	return true;
}

static bool take_word(struct line *l)
{
	size_t skip, length = secret_word(l->text, l->length, l->at, &skip);

	if (!length || secret_is_harmless(l->text + l->at + skip, length))
		return false;
	keep(l, skip);
	hide(l, length);
	return true;
}

static bool redact(struct line *l)
{
	l->object = secret_holds_object(l->text, l->length);
	while (l->at < l->length) {
		size_t word = name_run(l);

		if (take_key(l) || take_url_password(l) || take_token(l, word) || take_word(l) || take_name(l, word))
			continue;
		if (!word && l->text[l->at] == '}')
			l->headers = false;
		keep(l, word ? word : 1);
	}
	put_kept(l);
	return l->changed;
}

bool secret_redact(struct buf *out, const char *line, size_t length)
{
	return secret_redact_hinted(out, line, length, SECRET_HINT_NONE);
}

bool secret_redact_prose(struct buf *out, const char *text, size_t length)
{
	return redact(&(struct line){ .text = text, .length = length, .out = out,
				      .prose = true });
}

/* The words before show what the word is; their own secrets make that unclear, and then it stands alone. */
void secret_redact_word(struct buf *out, const char *before, const char *word)
{
	struct buf line = { 0 }, shown = { 0 };
	size_t start = strlen(before) + 1;

	buf_printf(&line, "%s %s", before, word);
	secret_redact(&shown, buf_text(&line), line.length);
	if (shown.length >= start && memcmp(buf_text(&shown), buf_text(&line), start) == 0)
		buf_add(out, shown.bytes + start, shown.length - start);
	else
		secret_redact(out, word, strlen(word));
	buf_free(&line);
	buf_free(&shown);
}

bool secret_follows(const char *before, const char *word)
{
	return *before == '-' && *word != '-' && !strchr(before, '=') &&
	       name_is_secret(before + strspn(before, "-"));
}

/* --- with what the lines around it say ---------------------------------------------------------- */

/* Keeps indentation, list dashes and an opening quote. */
static void keep_lead(struct line *l)
{
	while (l->at < l->length &&
	       (is_blank(l->text[l->at]) || (l->text[l->at] == '-' && l->at + 1 < l->length &&
					     is_blank(l->text[l->at + 1]))))
		keep(l, 1);
	if (l->at < l->length && is_quote(l->text[l->at]))
		keep(l, 1);
}

/* Hides the rest of the line up to what closes it. */
static void hide_rest(struct line *l)
{
	size_t end = l->length;

	while (end > l->at && (is_blank(l->text[end - 1]) || strchr("\"',\\]}\r", l->text[end - 1])))
		end--;
	if (secret_is_harmless(l->text + l->at, end - l->at))
		keep(l, end - l->at);
	else
		hide(l, end - l->at);
	keep(l, l->length - l->at);
}

/* Hides what follows the first name of the line, whatever it is called. */
static void hide_entry(struct line *l)
{
	size_t name, join;
	bool colon = false;

	keep_lead(l);
	if (l->length - l->at > 7 && memcmp(l->text + l->at, "export ", 7) == 0)
		keep(l, 7);
	name = name_run(l);
	join = name ? join_length(l, l->at + name, false, true, &colon) : 0;
	if (!join)
		return;
	keep(l, name + join);
	if (l->at < l->length && is_quote(l->text[l->at]))
		keep(l, 1);
	hide_rest(l);
}

bool secret_redact_hinted(struct buf *out, const char *line, size_t length, enum secret_hint hint)
{
	struct line l = { .text = line, .length = length, .out = out };

	l.pair = hint == SECRET_HINT_PAIR || secret_has_pair(line, length);
	if (hint == SECRET_HINT_WHOLE) {
		keep_lead(&l);
		hide_rest(&l);
	} else if (hint == SECRET_HINT_ENTRY) {
		hide_entry(&l);
	}
	return redact(&l);
}
