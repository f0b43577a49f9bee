/* Rights that a command gives: sudo, set-uid bits, passwords, groups.
 * SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <string.h>

#include "src/formats/script/steps.h"

/* --- sudo ------------------------------------------------------------------------------------- */

/* A line of a sudoers file: who, where, as whom, what. */
static void sudoers_rule(struct steps *s, const char *text, size_t length, struct span span)
{
	struct arena *a = &s->w->snapshot->arena;
	const char *line = arena_copy(a, text, length);
	const char *tag = strstr(line, "NOPASSWD");
	const char *what = tag ? strchr(tag, ':') : strchr(line, ')');
	struct fact *f;

	while (isspace((unsigned char)*line))
		line++;
	f = steps_fact_at(s, FACT_SUDO, line, span);
	steps_set(s, f, "nopasswd", tag ? "true" : "false");
	what = what ? what + 1 : "";
	while (*what == ' ' || *what == '\t')
		what++;
	if (strncmp(what, "ALL", 3) == 0 && !isalnum((unsigned char)what[3]))
		steps_set(s, f, "all", "true");
}

/* Comments ("#1000" is a uid), and what root may do, which it may anyway. */
static bool says_nothing(const char *line, size_t length)
{
	while (length && (*line == ' ' || *line == '\t'))
		line++, length--;
	if (length > 1 && *line == '#')
		return !isdigit((unsigned char)line[1]);
	return length > 4 && memcmp(line, "root", 4) == 0 && (line[4] == ' ' || line[4] == '\t');
}

static bool is_sudoers_line(const char *line, size_t length)
{
	if (says_nothing(line, length))
		return false;
	return memmem(line, length, "NOPASSWD", 8) ||
	       (memmem(line, length, "ALL=(", 5) && memmem(line, length, ")", 1));
}

static void sudoers_lines(struct steps *s, const char *text, size_t length, struct span span,
			  bool exact)
{
	size_t at = 0;

	while (at < length) {
		const char *end = memchr(text + at, '\n', length - at);
		size_t n = end ? (size_t)(end - text) - at : length - at;
		struct span line = exact ? (struct span){ .source = span.source,
							  .offset = span.offset + (uint32_t)at,
							  .length = (uint32_t)n }
					 : span;

		if (is_sudoers_line(text + at, n))
			sudoers_rule(s, text + at, n, line);
		at += n + 1;
	}
}

void steps_sudoers(struct steps *s, const char *text, size_t length, struct span span)
{
	sudoers_lines(s, text, length, span, true);
}

static void sudoers_text(struct steps *s, const struct call *c)
{
	const struct shell_command *command = c->command;

	/* A search for the text writes nothing. */
	if (call_is_any(c, "grep egrep awk test [ if"))
		return;
	for (size_t i = c->at; i < command->words.count; i++)
		sudoers_lines(s, command->words.items[i].text, strlen(command->words.items[i].text),
			      command->words.items[i].span, false);
	for (size_t i = 0; i < command->redirect_count; i++) {
		const struct shell_redirect *r = &command->redirects[i];
		const struct source *source = snapshot_source(s->w->snapshot, r->body.source);
		const char *text = source ? source_text(source, r->body) : NULL;

		if (strcmp(r->op, "<<<") != 0 && text && !steps_is_shell(c->program))
			sudoers_lines(s, text, r->body.length, r->body, true);
	}
}

void step_sudo(struct steps *s, const struct call *c)
{
	struct arena *a = &s->w->snapshot->arena;
	struct call outer = *c;

	sudoers_text(s, c);
	if (!c->sudo)
		return;
	/* "sudo -u NAME" from root gives rights up; the reader of such changes speaks of it. */
	outer.at = c->sudo_at;
	if (s->where == STEPS_START &&
	    (call_option_value(&outer, "-u") || call_option_value(&outer, "--user")))
		return;
	steps_fact(s, FACT_SUDO, call_text(a, &outer, 0), c);
}

/* --- set-uid ---------------------------------------------------------------------------------- */

/* An octal mode with the set-uid bit, or a symbolic one that sets it. */
static bool sets_uid(const char *mode)
{
	size_t n = strspn(mode, "01234567");

	if (n && !mode[n]) {
		while (n > 4 && *mode == '0') {
			mode++;
			n--;
		}
		return n >= 4 && strchr("4567", mode[n - 4]) != NULL;
	}
	for (; *mode; mode += strcspn(mode, ",") + (mode[strcspn(mode, ",")] == ',')) {
		size_t length = strcspn(mode, ",");
		const char *op = memchr(mode, '+', length);

		if (!op)
			op = memchr(mode, '=', length);
		if (op && memchr(op, 's', length - (size_t)(op - mode)) &&
		    (op == mode || memchr(mode, 'u', (size_t)(op - mode)) ||
		     memchr(mode, 'a', (size_t)(op - mode))))
			return true;
	}
	return false;
}

void step_setuid(struct steps *s, const struct call *c)
{
	const char *mode = call_word(c, call_operand(c, 1, ""));

	if (call_is(c, "install"))
		mode = call_option_value(c, "-m");
	/* "-r" removes capabilities. */
	if (call_is(c, "setcap") ? !call_option(c, "-r") : mode && sets_uid(mode)) {
		steps_fact(s, FACT_SETUID, call_text(&s->w->snapshot->arena, c, 0), c);
		steps_entry(s, c, "set-uid");
	}
}

/* --- passwords -------------------------------------------------------------------------------- */

void step_password(struct steps *s, const struct call *c)
{
	if (call_is(c, "passwd") &&
	    (call_option(c, "-l") || call_option(c, "--lock") || call_option(c, "-S") ||
	     call_option(c, "-e") || call_option(c, "--expire")))
		return;
	if (call_is_any(c, "usermod useradd") && !call_option_value(c, "-p") &&
	    !call_option_value(c, "--password"))
		return;
	steps_fact(s, FACT_PASSWORD_SET, c->program, c);
}

/* --- groups ----------------------------------------------------------------------------------- */

static bool is_engine_group(const char *name)
{
	return word_in("docker podman dockerhost docker_host docker-host", name);
}

static void join(struct steps *s, const struct call *c, const char *name)
{
	if (!*name || name[0] == '-')
		return;
	if (s->where == STEPS_BUILD) {
		struct fact *f = steps_fact(s, FACT_GROUP_ADD, name, c);

		if (*name == '$')
			f->provenance = PROVENANCE_UNRESOLVED;
		return;
	}
	steps_entry(s, c, "group");
	if (is_engine_group(name) || s->names_socket)
		steps_fact(s, FACT_SOCKET_GROUP_JOIN, name, c);
}

static void join_list(struct steps *s, const struct call *c, const char *list)
{
	struct arena *a = &s->w->snapshot->arena;

	while (list && *list) {
		size_t n = strcspn(list, ",");

		join(s, c, arena_copy(a, list, n));
		list += n + (list[n] == ',');
	}
}

/* The value of -G or of a bundle that ends in it ("-aG", "-mG"). */
static const char *groups_option(const struct call *c)
{
	for (size_t i = 1; i <= call_count(c); i++) {
		const char *word = call_word(c, i);

		if (strncmp(word, "--groups=", 9) == 0)
			return word + 9;
		if (strcmp(word, "--groups") == 0 ||
		    (word[0] == '-' && word[1] != '-' && word[1] &&
		     word[strlen(word) - 1] == 'G'))
			return call_word(c, i + 1);
	}
	return NULL;
}

void step_group(struct steps *s, const struct call *c)
{
	static const char taking[] = "-g --gid -G -u --uid -h --home -s --shell -S -D --gecos -k "
				     "--ingroup -c --comment -d --home-dir -K --password -p -e -f -l";
	size_t first = call_operand(c, 1, taking), second;

	if (call_is_any(c, "usermod useradd")) {
		join_list(s, c, groups_option(c));
	} else if (call_is_any(c, "adduser addgroup")) {
		second = first ? call_operand(c, first + 1, taking) : 0;
		if (second)
			join(s, c, call_word(c, second));
	} else if (call_is(c, "gpasswd")) {
		const char *user = call_option_value(c, "-a");

		for (size_t i = 1; user && i <= call_count(c); i++)
			if (call_word(c, i)[0] != '-' && call_word(c, i) != user)
				join(s, c, call_word(c, i));
	} else if (call_is(c, "groupmod") && s->where == STEPS_START && s->names_socket) {
		/* The engine's group gets the socket's number: its members may open it. */
		if (first && is_engine_group(call_word(c, first)))
			join(s, c, call_word(c, first));
	}
}
