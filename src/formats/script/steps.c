/* Walks shell texts and hands each command to the readers that know its program.
 * SPDX-License-Identifier: MIT */
#include "src/formats/script/steps.h"

#include <ctype.h>
#include <string.h>

#define INLINE_TEXTS 64u /* texts inside texts that are read for one command list */

struct texts {
	struct shell *items[INLINE_TEXTS];
	size_t count;
};

/* Readers of any program first; PROGRAMS NULL means every command. */
static const struct {
	const char *programs;
	unsigned where;
	steps_reader *read;
} readers[] = {
	{ NULL, STEPS_BUILD | STEPS_START, step_sudo },
	{ NULL, STEPS_BUILD | STEPS_START, step_check },
	{ NULL, STEPS_BUILD | STEPS_START, step_signatures },
	{ NULL, STEPS_BUILD | STEPS_START, step_tls },
	{ NULL, STEPS_BUILD, step_secret },
	{ NULL, STEPS_BUILD | STEPS_START, step_agent },
	{ NULL, STEPS_BUILD | STEPS_START, step_packages },
	{ "curl wget wget2 aria2c fetch axel git hg svn Invoke-WebRequest iwr",
	  STEPS_BUILD | STEPS_START, step_fetch },
	{ "chmod setcap install", STEPS_BUILD | STEPS_START, step_setuid },
	{ "chpasswd passwd usermod useradd", STEPS_BUILD, step_password },
	{ "usermod useradd adduser addgroup gpasswd groupmod groupadd newgrp sg",
	  STEPS_BUILD | STEPS_START, step_group },
	{ NULL, STEPS_START, step_drop },
	{ "iptables ip6tables iptables-nft iptables-legacy ipset nft ufw iptables-restore",
	  STEPS_BUILD | STEPS_START, step_firewall },
	{ NULL, STEPS_START, step_package_run },
	{ NULL, STEPS_START, step_host },
	{ NULL, STEPS_START, step_listen },
	{ NULL, STEPS_START, step_start },
};

struct fact *steps_fact_at(struct steps *s, enum fact_kind kind, const char *value,
			   struct span span)
{
	struct fact *f = snapshot_add_fact(s->w->snapshot, s->row, kind, value,
					   span_is_set(s->place) ? s->place : span);

	if (dockerfile_is_templated(f->value, strlen(f->value)))
		f->provenance = PROVENANCE_TEMPLATED;
	return f;
}

struct fact *steps_fact(struct steps *s, enum fact_kind kind, const char *value,
			const struct call *c)
{
	return steps_fact_at(s, kind, value, c->command->span);
}

void steps_set(struct steps *s, struct fact *f, const char *name, const char *value)
{
	snapshot_set_attribute(s->w->snapshot, f, name, value);
}

void steps_entry(struct steps *s, const struct call *c, const char *does)
{
	if (s->where != STEPS_START)
		return;
	steps_set(s, steps_fact(s, FACT_ENTRY_STEP, call_text(&s->w->snapshot->arena, c, 0), c),
		  "does", does);
}

bool steps_is_shell(const char *program)
{
	return *program && word_in("sh bash dash ash zsh ksh mksh fish pwsh powershell", program);
}

bool steps_is_interpreter(const char *program)
{
	return steps_is_shell(program) ||
	       (*program && word_in("node nodejs perl ruby php bun deno", program)) ||
	       (strncmp(program, "python", 6) == 0 &&
		strspn(program + 6, "0123456789.") == strlen(program + 6));
}

bool steps_is_commit(const char *text)
{
	return strlen(text) == 40 && strspn(text, "0123456789abcdefABCDEF") == 40;
}

/* --- texts inside a command ------------------------------------------------------------------- */

static void add_text(struct steps *s, struct texts *t, const struct folded *text)
{
	struct shell *sh;

	if (t->count == INLINE_TEXTS || !text->length)
		return;
	sh = ARENA_NEW(&s->w->snapshot->arena, struct shell);
	shell_read(&s->w->snapshot->arena, text, SHELL_POSIX, sh);
	t->items[t->count++] = sh;
}

static void add_word(struct steps *s, struct texts *t, const struct call *c,
		     const struct shell_word *word)
{
	struct folded text = shell_word_text(&s->w->snapshot->arena, c->shell, word);

	add_text(s, t, &text);
}

static void add_heredoc(struct steps *s, struct texts *t, const struct shell_redirect *r)
{
	const struct source *source = snapshot_source(s->w->snapshot, r->body.source);
	struct folded text;

	if (!source || strncmp(r->op, "<<", 2) != 0 || !r->body.length)
		return;
	text = folded_from(&s->w->snapshot->arena, source, r->body);
	add_text(s, t, &text);
}

/* su NAME -c TEXT and alike. */
static const struct shell_word *command_option(const struct call *c)
{
	size_t i;

	if (!call_is_any(c, "su runuser script flock watch"))
		return NULL;
	i = call_option(c, "-c");
	if (!i)
		i = call_option(c, "--command");
	return i && i < call_count(c) ? &c->command->words.items[c->at + i + 1] : NULL;
}

static void inner_texts(struct steps *s, struct texts *t, const struct call *c)
{
	const struct shell_command *command = c->command;
	const struct shell_word *word = NULL;

	for (size_t i = c->at; i < command->words.count && i < c->at + 8 && !word; i++)
		word = shell_inline_script(command, i);
	if (word)
		add_word(s, t, c, word);
	else if (command_option(c))
		add_word(s, t, c, command_option(c));
	else if (call_is(c, "eval") && call_count(c))
		for (size_t i = 1; i <= call_count(c); i++)
			add_word(s, t, c, &command->words.items[c->at + i]);
	if (call_is_any(c, "trap alias"))
		for (size_t i = 1; i <= call_count(c) && i < 3; i++)
			if (command->words.items[c->at + i].quoted)
				add_word(s, t, c, &command->words.items[c->at + i]);
	if (steps_is_shell(c->program))
		for (size_t i = 0; i < command->redirect_count; i++)
			add_heredoc(s, t, &command->redirects[i]);
}

/* --- the walk --------------------------------------------------------------------------------- */

static bool names_socket(const char *word)
{
	return strstr(word, "docker.sock") || strstr(word, "podman.sock") ||
	       strstr(word, "containerd.sock") || strstr(word, "crio.sock");
}

static void note_state(struct steps *s, const struct call *c)
{
	const struct shell_command *command = c->command;

	for (size_t i = 0; i < command->words.count; i++)
		s->names_socket |= names_socket(command->words.items[i].text);
	for (size_t i = 0; i < command->assignment_count; i++)
		s->names_socket |= names_socket(command->assignments[i].value.text);
	if (!call_is(c, "set"))
		return;
	for (size_t i = 1; i <= call_count(c); i++) {
		const char *word = call_word(c, i);

		if (word[0] == '-' && word[1] != '-' && strchr(word, 'e'))
			s->stops_on_error = true;
		else if (strcmp(word, "errexit") == 0)
			s->stops_on_error = strcmp(call_word(c, i - 1), "+o") != 0;
		else if (word[0] == '+' && strchr(word, 'e'))
			s->stops_on_error = false;
	}
}

static void variables(struct steps *s, const struct call *c)
{
	const struct shell_command *command = c->command;

	for (size_t i = 0; i < command->assignment_count; i++)
		step_tls_variable(s, command->assignments[i].name,
				  command->assignments[i].value.text, command->span);
	if (!call_is_any(c, "export env declare"))
		return;
	for (size_t i = 1; i <= call_count(c); i++) {
		const char *word = call_word(c, i), *equals = strchr(word, '=');

		if (equals)
			step_tls_variable(s,
					  arena_copy(&s->w->snapshot->arena, word,
						     (size_t)(equals - word)),
					  equals + 1, command->span);
	}
}

static void read_call(struct steps *s, const struct call *c)
{
	note_state(s, c);
	variables(s, c);
	for (size_t i = 0; i < sizeof readers / sizeof *readers; i++)
		if ((readers[i].where & s->where) &&
		    (!readers[i].programs || call_is_any(c, readers[i].programs)))
			readers[i].read(s, c);
}

static void read_text(struct steps *s, struct texts *t, const struct shell *sh)
{
	struct call c;

	for (size_t i = 0; i < sh->count; i++) {
		call_init(&c, sh, i);
		read_call(s, &c);
		inner_texts(s, t, &c);
	}
}

void steps_read(struct steps *s, const struct shell *sh)
{
	struct texts t = { 0 };

	s->texts++;
	if (sh->interpreter && strstr(sh->interpreter, " -e"))
		s->stops_on_error = true;
	read_text(s, &t, sh);
	for (size_t i = 0; i < t.count; i++)
		read_text(s, &t, t.items[i]);
}
