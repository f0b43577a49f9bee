/* Changes of user in a start script, and what happens when such a change fails.
 *
 * "closed" means that a failed change ends the start: the program replaces the shell, the script stops
 * on errors, the next command exits, or nothing that could run as root follows. A change that is made
 * only in one branch of a test that is not about root leaves the other branch as it was: not closed.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "src/formats/script/steps.h"

/* Programs with the user as their first operand; TAKING as elsewhere. */
static const struct {
	const char *program, *taking;
} by_operand[] = {
	{ "gosu", "" }, { "su-exec", "" }, { "setuidgid", "" }, { "s6-setuidgid", "" },
	{ "tini-gosu", "" }, { "chroot-su", "" },
};

static const struct {
	const char *program;
	const char *options[3];
} by_option[] = {
	{ "setpriv", { "--reuid", "--ruid", "--euid" } },
	{ "runuser", { "-u", "--user", NULL } },
	{ "chpst", { "-u", NULL, NULL } },
	{ "capsh", { "--user", "--uid", NULL } },
	{ "start-stop-daemon", { "--chuid", "-c", NULL } },
	{ "chroot", { "--userspec", NULL, NULL } },
	{ "pwdrop", { "-u", NULL, NULL } },
	{ "unshare", { "--setuid", "-S", NULL } },
};

/* su and runuser: options, then the user. */
static const char *su_user(const struct call *c)
{
	static const char taking[] = "-c --command -s --shell -g --group -G --supp-group -w -T";
	size_t i = call_operand(c, 1, taking);

	if (i && strcmp(call_word(c, i), "-") == 0)
		i = call_operand(c, i + 1, taking);
	return i ? call_word(c, i) : "root";
}

static const char *option_user(const struct call *c, const char *const options[3])
{
	for (size_t i = 0; i < 3 && options[i]; i++) {
		const char *value = call_option_value(c, options[i]);

		if (value)
			return value;
	}
	return NULL;
}

/* The user that C changes to and the tool; NULL when it does not. */
static const char *changed_user(const struct call *c, const char **tool)
{
	struct call outer = *c;

	*tool = c->program;
	for (size_t i = 0; i < sizeof by_operand / sizeof *by_operand; i++)
		if (call_is(c, by_operand[i].program) && call_operand(c, 1, by_operand[i].taking))
			return call_word(c, call_operand(c, 1, by_operand[i].taking));
	for (size_t i = 0; i < sizeof by_option / sizeof *by_option; i++) {
		const char *user = call_is(c, by_option[i].program)
					   ? option_user(c, by_option[i].options)
					   : NULL;

		if (user)
			return user;
	}
	if (call_is_any(c, "su runuser"))
		return su_user(c);
	if (!c->sudo)
		return NULL;
	*tool = "sudo";
	outer.at = c->sudo_at;
	return option_user(&outer, (const char *const[3]){ "-u", "--user", NULL });
}

/* --- closed or open --------------------------------------------------------------------------- */

static bool ends_start(const struct call *c)
{
	return call_is_any(c, "exit return false die abort kill");
}

/* "change … || next". */
static bool has_otherwise(const struct call *c, struct call *next)
{
	if (c->index + 1 >= c->shell->count || c->shell->items[c->index + 1].before != SHELL_OR)
		return false;
	call_init(next, c->shell, c->index + 1);
	return true;
}

static bool something_follows(const struct call *c)
{
	struct call next;

	for (size_t i = c->index + 1; i < c->shell->count; i++) {
		const struct shell_command *command = &c->shell->items[i];

		if (command->parent >= 0 || command->depth > c->command->depth)
			continue;
		call_init(&next, c->shell, i);
		if (ends_start(&next))
			return false;
		if (next.exec || strstr(call_word(&next, 0), "$@") || strchr(call_word(&next, 0), '/'))
			return true;
	}
	return false;
}

static bool is_closed(const struct steps *s, const struct call *c)
{
	struct call next;

	if (c->exec)
		return true;
	if (has_otherwise(c, &next))
		return ends_start(&next);
	return s->stops_on_error || !something_follows(c);
}

static bool asks_for_root(const struct steps *s, const struct shell_command *command)
{
	const struct source *source = snapshot_source(s->w->snapshot, command->span.source);
	const char *text = source ? source_text(source, command->span) : NULL;
	static const char *const marks[] = { "id -u", "UID", "whoami", "id -nu", "id -un",
					     "command -v", "which ", "id --user", "setpriv", "gosu",
					     "su-exec", "runuser" };

	for (size_t i = 0; text && i < sizeof marks / sizeof *marks; i++)
		if (bytes_hold(text, command->span.length, marks[i]))
			return true;
	return false;
}

/* True when the change stands in a branch of a test about something else than being root. */
static bool is_conditional(const struct steps *s, const struct call *c)
{
	uint32_t depth = c->command->depth;

	for (size_t i = c->index; i-- > 0 && depth;) {
		const struct shell_command *command = &c->shell->items[i];

		if (command->parent >= 0 || command->depth > depth || !command->keyword)
			continue;
		if (strcmp(command->keyword, "if") != 0 && strcmp(command->keyword, "elif") != 0)
			continue;
		/* The command is the test of an if that holds the change. */
		if (!asks_for_root(s, command))
			return true;
		if (command->depth < depth)
			depth = command->depth;
		depth = depth ? depth - 1 : 0;
	}
	return false;
}

/* A dry run: "if setpriv … true". */
static bool is_trial(const struct call *c)
{
	const char *last = call_word(c, call_count(c));

	return word_in("true id /bin/true whoami", last) && !c->exec;
}

void step_drop(struct steps *s, const struct call *c)
{
	const char *tool, *user = changed_user(c, &tool);
	bool conditional;
	struct fact *f;

	if (!user || !*user || is_trial(c) || strcmp(user, "root") == 0 || strcmp(user, "0") == 0)
		return;
	conditional = is_conditional(s, c);
	f = steps_fact(s, FACT_PRIVILEGE_DROP,
		       arena_copy(&s->w->snapshot->arena, user, strcspn(user, ":")), c);
	steps_set(s, f, "tool", tool);
	steps_set(s, f, "closed", is_closed(s, c) && !conditional ? "true" : "false");
	if (conditional)
		steps_set(s, f, "conditional", "true");
	if (strchr(user, '$'))
		f->note = "the user is named by a variable";
	steps_entry(s, c, "user");
}
