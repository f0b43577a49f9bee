/* Secrets that only the words before them give away: options of certain commands, names and values
 * that a blank divides, schemes of headers, what is piped into a command that takes a password.
 * SPDX-License-Identifier: MIT */
#include "model/secret_private.h"

#include <limits.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

#include "model/secret.h"

enum {
	LOOK_BACK = 400,  /* bytes searched for the command of an option */
	LOOK_AHEAD = 600, /* bytes searched for the command behind a pipe */
	LONGEST_WORD = 96,
	MIXED_LEAST = 8,   /* characters of a word that looks generated */
	SCHEME_LEAST = 12, /* the same behind a scheme */
};

struct word {
	const char *text;
	size_t length, start;
};

/* What a byte does to the words around it; asked of every byte, so that it is looked up and not searched for. */
enum bound {
	BOUND_NONE,
	BOUND_DIVIDES, /* a blank, a quote or a bracket stands between two words */
	BOUND_ENDS,    /* of a line or a command: nothing before it belongs to what follows */
};

static enum bound bound_of(char c)
{
	static const unsigned char bounds[UCHAR_MAX + 1] = {
		['\0'] = BOUND_DIVIDES, [' '] = BOUND_DIVIDES,	 ['\t'] = BOUND_DIVIDES,
		['"'] = BOUND_DIVIDES,	['\''] = BOUND_DIVIDES, [','] = BOUND_DIVIDES,
		['('] = BOUND_DIVIDES,	[')'] = BOUND_DIVIDES,	 ['['] = BOUND_DIVIDES,
		[']'] = BOUND_DIVIDES,	['{'] = BOUND_DIVIDES,	 ['}'] = BOUND_DIVIDES,
		['`'] = BOUND_DIVIDES,	['\n'] = BOUND_ENDS,	 [';'] = BOUND_ENDS,
		['|'] = BOUND_ENDS,	['&'] = BOUND_ENDS,
	};

	return bounds[(unsigned char)c];
}

static bool divides(char c)
{
	return bound_of(c) == BOUND_DIVIDES;
}

/* Quotes and brackets end a word, the backslash of an escaped quote too. */
static size_t word_end(const char *text, size_t length, size_t at)
{
	while (at < length && bound_of(text[at]) == BOUND_NONE &&
	       !(text[at] == '\\' && at + 1 < length && divides(text[at + 1])))
		at++;
	return at;
}

/* The word before AT on the same line; empty when there is none. */
static struct word word_before(const char *text, size_t at)
{
	size_t end = at, start;

	while (end && at - end < LONGEST_WORD && (divides(text[end - 1]) || text[end - 1] == '\\'))
		end--;
	start = end;
	while (start && end - start < LONGEST_WORD && bound_of(text[start - 1]) == BOUND_NONE)
		start--;
	return (struct word){ text + start, end - start, start };
}

/* The first character says no to most words. */
static bool word_is(const struct word *w, const char *what)
{
	return w->length && *w->text == *what && strncmp(w->text, what, w->length) == 0 &&
	       !what[w->length];
}

static bool word_among(const struct word *w, const char *const *list)
{
	for (; *list; list++)
		if (word_is(w, *list))
			return true;
	return false;
}

bool secret_is_mixed(const char *word, size_t length, size_t least)
{
	size_t letters = 0, digits = 0, others = 0;

	if (length < least)
		return false;
	for (size_t i = 0; i < length; i++) {
		unsigned char c = (unsigned char)word[i];

		digits += c >= '0' && c <= '9';
		letters += (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
		others += !c || c == '/' || c == ':' || c == '<' || c == '>' || c == '*' || c == '$';
	}
	return letters && digits && !others;
}

static bool is_secret_name(const struct word *w)
{
	char name[LONGEST_WORD + 1];
	size_t length = w->length;
	const char *text = w->text;

	/* "//registry.example/:_authToken" */
	for (size_t i = 0; i < length; i++)
		if (text[i] == '/' || text[i] == ':') {
			text += i + 1;
			length -= i + 1;
			i = SIZE_MAX;
		}
	if (!length || length > LONGEST_WORD || memchr(text, '=', length))
		return false;
	memcpy(name, text, length);
	name[length] = '\0';
	return name_is_secret(name);
}

/* Names so short that they are words of sentences and of other commands, too. */
static bool is_common_word(const struct word *w)
{
	static const char *const words[] = { "key",         "Key",    "secret", "Secret",
		                             "secrets",     "token",  "pass",   "credential",
		                             "credentials", "cookie", NULL };

	return word_among(w, words);
}

static size_t line_rest(const char *text, size_t length, size_t at)
{
	const char *end = memchr(text + at, '\n', length - at);
	size_t stop = end ? (size_t)(end - text) : length;

	while (stop > at && strchr(" \t\r\"'", text[stop - 1]))
		stop--;
	return stop - at;
}

/* "--setenv NAME VALUE", "ENV NAME all of the line", "set password VALUE", "machine h password
 * VALUE" */
static size_t named_before(const char *text, size_t length, size_t at, const struct word *name,
                           size_t own)
{
	static const char *const setters[] = { "--setenv", "setenv", "setx", "--set-env", NULL };
	const bool mixed = secret_is_mixed(text + at, own, MIXED_LEAST);
	struct word before;
	bool all, set;

	if (text[at] == '-')
		return 0;
	before = word_before(text, name->start);
	all = word_is(&before, "ENV");
	set = word_among(&before, setters);
	/* What costs least says no to most words. */
	if ((!all && !set && !mixed) || !is_secret_name(name))
		return 0;
	if (all)
		return line_rest(text, length, at);
	if (set)
		return own;
	/* "libsecret-1-dev" and "db-secrets" are names of things. */
	if (is_common_word(name) || memchr(name->text, '-', name->length))
		return 0;
	return mixed ? own : 0;
}

/* Short options that take a password, and the commands that give them this meaning. */
static const struct {
	const char *option;
	const char *commands[8];
	bool joined; /* "-pWORD" */
} options[] = {
	{ "-p",
	  { "login", "sshpass", "useradd", "usermod", "mongo", "mongosh", "mongodump" },
	  false },
	{ "-p",
	  { "mysql", "mysqldump", "mysqladmin", "mariadb", "mysqld", "sshpass", "7z" },
	  true },
	{ "-a", { "redis-cli" }, false },
	{ "-N", { "ssh-keygen" }, false },
	{ "-w", { "ldapsearch", "ldapadd", "ldapmodify", "ldappasswd" }, false },
	{ "-P", { "sqlcmd", "zip", "unzip", "bcp" }, false },
	{ "-pass", { "openssl" }, false },
	{ "-passin", { "openssl" }, false },
	{ "-passout", { "openssl" }, false },
};

/* One of the COMMANDS stands before AT in the same command. */
static bool after_command(const char *text, size_t at, const char *const *commands)
{
	size_t from = at;

	while (from && at - from < LOOK_BACK) {
		struct word w = word_before(text, from);
		size_t base;

		if (!w.length || w.start >= from)
			return false;
		for (base = w.length; base && w.text[base - 1] != '/'; base--)
			;
		w.text += base;
		w.length -= base;
		if (word_among(&w, commands))
			return true;
		from = w.start;
	}
	return false;
}

static bool option_takes_secret(const char *text, const struct word *option)
{
	for (size_t i = 0; i < sizeof options / sizeof *options; i++)
		if (!options[i].joined && word_is(option, options[i].option) &&
		    after_command(text, option->start, options[i].commands))
			return true;
	return false;
}

/* "mysql -pWORD" */
static size_t joined_secret(const char *text, size_t at, size_t length)
{
	for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
		size_t n = strlen(options[i].option);

		if (options[i].joined && length > n &&
		    memcmp(text + at, options[i].option, n) == 0 &&
		    after_command(text, at, options[i].commands))
			return n;
	}
	return 0;
}

/* What follows is piped into a command that reads a password. */
static size_t piped_secret(const char *text, size_t length, size_t at)
{
	static const char *const readers[] = { "chpasswd", "-stdin", "--with-token", "cryptsetup",
		                               "sudo -S" };
	const char *pipe =
	    memchr(text + at, '|', length - at < LOOK_AHEAD ? length - at : LOOK_AHEAD);
	const char *end;
	size_t rest;

	if (!pipe || memchr(text + at, ';', (size_t)(pipe - text) - at))
		return 0;
	rest = length - (size_t)(pipe - text);
	if (rest > LOOK_AHEAD)
		rest = LOOK_AHEAD;
	end = memchr(pipe, ';', rest);
	if (end)
		rest = (size_t)(end - pipe);
	for (size_t i = 0; i < sizeof readers / sizeof *readers; i++)
		if (memmem(pipe, rest, readers[i], strlen(readers[i]))) {
			end = pipe;
			while (end > text + at && divides(end[-1]))
				end--;
			return (size_t)(end - text) - at;
		}
	return 0;
}

static bool is_print_option(const char *word, size_t length)
{
	return length >= 2 && (word[0] == '-' || word[0] == '%');
}

static bool is_scheme(const struct word *w)
{
	static const char *const schemes[] = {
		"Bearer", "bearer", "Basic", "basic", "Token", NULL
	};

	return word_among(w, schemes);
}

static bool is_print_command(const char *text, const struct word *w)
{
	static const char *const prints[] = { "echo", "printf", NULL };
	struct word before;

	if (word_among(w, prints))
		return true;
	if (!is_print_option(w->text, w->length))
		return false;
	before = word_before(text, w->start);
	return word_among(&before, prints);
}

/* -N "" -C word: the empty word between is the value. */
static bool holds_empty(const char *from, const char *to)
{
	for (; from + 1 < to; from++)
		if ((*from == '"' || *from == '\'') && from[1] == *from)
			return true;
	return false;
}

static bool is_port(const char *word, size_t length)
{
	return length < 6 && secret_is_number(word, length);
}

/* "${{ inputs.key }}" and "$KEY" stand for a value and are none. */
static bool is_reference(const char *word)
{
	return *word == '$' || *word == '<' || *word == '{';
}

size_t secret_word(const char *text, size_t length, size_t at, size_t *skip)
{
	struct word w;
	size_t own;

	*skip = 0;
	if (!at || !divides(text[at - 1]) || divides(text[at]) || is_reference(text + at))
		return 0;
	w = word_before(text, at);
	if (!w.length || holds_empty(w.text + w.length, text + at))
		return 0;
	own = word_end(text, length, at) - at;
	if (!own)
		return 0;
	if (is_print_command(text, &w) && !is_print_option(text + at, own))
		return piped_secret(text, length, at);
	if (text[at] == '-' && (*skip = joined_secret(text, at, own)) > 0)
		return is_reference(text + at + *skip) ? 0 : own - *skip;
	if (w.text[0] == '-' && option_takes_secret(text, &w))
		return is_port(text + at, own) ? 0 : own;
	if (is_scheme(&w) && secret_is_mixed(text + at, own, SCHEME_LEAST))
		return own;
	/* "{{ .Values.x | default "WORD" }}" */
	if (word_is(&w, "default") && strchr("\"'`", text[at - 1]) &&
	    secret_is_mixed(text + at, own, MIXED_LEAST))
		return own;
	return named_before(text, length, at, &w, own);
}
