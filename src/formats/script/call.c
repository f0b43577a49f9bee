/* Commands without the programs in front of them.
 * SPDX-License-Identifier: MIT */
#include "src/formats/script/call.h"

#include <ctype.h>
#include <string.h>

#include "src/formats/format.h"

#define WRAPPERS 6u       /* programs looked through */
#define TEXT_SHOWN 240u   /* bytes of a command in a fact's value */

/* Programs that start another one; TAKING are options with a value, OPERANDS what stands before it. */
static const struct wrapper {
	const char *name, *taking;
	unsigned operands;
} wrappers[] = {
	{ "exec", "-a", 0 },
	{ "env", "-u --unset -C --chdir -S", 0 },
	{ "sudo", "-u -g -p -C -h -r -t -T -U --user --group --host --prompt --chdir --role", 0 },
	{ "doas", "-u -C", 0 },
	{ "nohup", "", 0 },
	{ "time", "-f -o", 0 },
	{ "command", "", 0 },
	{ "builtin", "", 0 },
	{ "eatmydata", "", 0 },
	{ "nice", "-n", 0 },
	{ "ionice", "-c -n", 0 },
	{ "stdbuf", "-i -o -e", 0 },
	{ "setsid", "", 0 },
	{ "timeout", "-s -k --signal --kill-after", 1 },
	{ "tini", "-p -e", 0 },
	{ "dumb-init", "-r --rewrite", 0 },
	{ "catatonit", "", 0 },
	{ "xvfb-run", "-n -s -f -e -w -p --server-num --server-args", 0 },
	{ "dbus-run-session", "", 0 },
	{ "retry", "-t -d", 0 },
};

static const struct wrapper *find_wrapper(const char *name)
{
	for (size_t i = 0; i < sizeof wrappers / sizeof *wrappers; i++)
		if (strcmp(wrappers[i].name, name) == 0)
			return &wrappers[i];
	return NULL;
}

bool word_in(const char *list, const char *word)
{
	size_t length = strlen(word);

	while (*list) {
		size_t n = strcspn(list, " ");

		if (n == length && n && strncmp(list, word, n) == 0)
			return true;
		list += n + (list[n] == ' ');
	}
	return false;
}

static bool is_assignment(const char *word)
{
	size_t n = strspn(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_");

	return n && word[n] == '=' && !isdigit((unsigned char)*word);
}

static const char *word_at(const struct call *c, size_t i)
{
	return i < c->command->words.count ? c->command->words.items[i].text : "";
}

/* The index behind the options, assignments and operands of a wrapper at I. */
static size_t behind(const struct call *c, const struct wrapper *w, size_t i)
{
	unsigned operands = w->operands;

	for (i++; i < c->command->words.count; i++) {
		const char *word = word_at(c, i);

		if (strcmp(word, "--") == 0)
			return i + 1 + operands;
		if (word[0] == '-' && word[1]) {
			i += word_in(w->taking, word);
			continue;
		}
		if (is_assignment(word))
			continue;
		if (!operands--)
			return i;
	}
	return i;
}

void call_init(struct call *c, const struct shell *sh, size_t index)
{
	const struct shell_command *command = &sh->items[index];
	size_t i = 0;

	*c = (struct call){ .shell = sh, .command = command, .index = index, .program = "" };
	if (command->kind != SHELL_SIMPLE) {
		c->at = command->words.count;
		return;
	}
	for (unsigned n = 0; n < WRAPPERS && i < command->words.count; n++) {
		const char *name = shell_base_name(word_at(c, i));
		const struct wrapper *w = find_wrapper(name);

		if (!w)
			break;
		if (strcmp(name, "sudo") == 0 || strcmp(name, "doas") == 0) {
			c->sudo = true;
			c->sudo_at = i;
		}
		c->exec |= strcmp(name, "exec") == 0;
		i = behind(c, w, i);
	}
	c->at = i < command->words.count ? i : command->words.count;
	c->program = shell_base_name(word_at(c, c->at));
}

const char *call_word(const struct call *c, size_t i)
{
	return word_at(c, c->at + i);
}

size_t call_count(const struct call *c)
{
	size_t count = c->command->words.count;

	return c->at < count ? count - c->at - 1 : 0;
}

bool call_is(const struct call *c, const char *program)
{
	return strcmp(c->program, program) == 0;
}

bool call_is_any(const struct call *c, const char *names)
{
	return *c->program && word_in(names, c->program);
}

size_t call_operand(const struct call *c, size_t from, const char *taking)
{
	for (size_t i = from ? from : 1; i <= call_count(c); i++) {
		const char *word = call_word(c, i);

		if (strcmp(word, "--") == 0)
			return i < call_count(c) ? i + 1 : 0;
		if (word[0] != '-' || !word[1])
			return i;
		i += word_in(taking, word);
	}
	return 0;
}

/* "-k" stands in "-fsSLk"; not behind an option letter that takes a value, but that is rare. */
static bool is_bundled(const char *word, const char *name)
{
	return name[0] == '-' && name[1] && name[1] != '-' && !name[2] && word[0] == '-' &&
	       word[1] && word[1] != '-' && strlen(word) < 9 && strchr(word + 1, name[1]) &&
	       strspn(word + 1, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789#") ==
		       strlen(word + 1);
}

size_t call_option(const struct call *c, const char *name)
{
	size_t length = strlen(name);

	for (size_t i = 1; i <= call_count(c); i++) {
		const char *word = call_word(c, i);

		if (strcmp(word, "--") == 0)
			return 0;
		if (strncmp(word, name, length) == 0 && (!word[length] || word[length] == '='))
			return i;
		if (is_bundled(word, name))
			return i;
	}
	return 0;
}

const char *call_option_value(const struct call *c, const char *name)
{
	size_t i = call_option(c, name), length = strlen(name);
	const char *word = call_word(c, i);

	if (!i)
		return NULL;
	if (strncmp(word, name, length) == 0 && word[length] == '=')
		return word + length + 1;
	return i < call_count(c) ? call_word(c, i + 1) : NULL;
}

const char *call_redirected(const struct call *c)
{
	for (size_t i = 0; i < c->command->redirect_count; i++) {
		const struct shell_redirect *r = &c->command->redirects[i];

		if (r->op[0] == '>' && r->op[1] != '&' && r->descriptor != 2)
			return r->target.text;
	}
	return NULL;
}

const char *call_written(const struct call *c)
{
	const char *path = call_redirected(c);
	size_t operand = !path && call_is(c, "tee") ? call_operand(c, 1, "") : 0;

	return operand ? call_word(c, operand) : path;
}

/* A word that holds a secret value, or follows an option that names one. */
static bool is_hidden(struct arena *a, const char *word, const char *before)
{
	const char *equals = strchr(word, '='), *colon = strchr(word, ':');

	if (url_has_secret(word) || value_token(word))
		return true;
	/* "X-Api-Key: value" */
	if (colon && colon[1] == ' ' && colon[2] != '$' &&
	    name_is_secret(arena_copy(a, word, (size_t)(colon - word))))
		return true;
	if (equals && equals[1] && equals[1] != '$')
		return name_is_secret(arena_copy(a, word, (size_t)(equals - word)));
	return before[0] == '-' && !strchr(before, '=') && word[0] != '-' && word[0] != '$' &&
	       name_is_secret(before);
}

const char *call_text(struct arena *a, const struct call *c, size_t from)
{
	struct buf b = { 0 };
	const char *text;

	for (size_t i = c->at + from; i < c->command->words.count; i++) {
		const char *word = word_at(c, i);

		if (b.length)
			buf_putc(&b, ' ');
		if (b.length > TEXT_SHOWN) {
			buf_puts(&b, "…");
			break;
		}
		if (is_hidden(a, word, i ? word_at(c, i - 1) : ""))
			word = "***";
		buf_puts(&b, *word ? word : "\"\"");
	}
	text = arena_copy(a, buf_text(&b), b.length);
	buf_free(&b);
	return text;
}
