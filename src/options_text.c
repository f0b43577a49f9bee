/* Help and completion scripts, made from the two tables.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "src/options.h"

static void help_option(const struct option_info *option, struct buf *out)
{
	size_t start = out->length;

	buf_printf(out, "  %c%c%c --%s%s%s", option->letter ? '-' : ' ',
		   option->letter ? option->letter : ' ', option->letter ? ',' : ' ', option->name,
		   option->argument ? " " : "", option->argument ? option->argument : "");
	while (out->length - start < 32)
		buf_putc(out, ' ');
	buf_printf(out, " %s\n", option->help);
	if (option->choices)
		buf_printf(out, "%33s(%s)\n", "", option->choices);
}

static void help_options(enum command_id command, bool common, struct buf *out)
{
	for (size_t i = 0; i < option_count; i++)
		if (option_applies(&option_table[i], command) &&
		    (option_table[i].commands == 0) == common)
			help_option(&option_table[i], out);
}

static void help_usage(enum command_id command, struct buf *out)
{
	const struct command_info *c = &command_table[command];

	buf_printf(out, "usage: boundwalk%s%s [OPTION…] %s\n", c->name ? " " : "",
		   c->name ? c->name : "", c->arguments);
	buf_printf(out, "%s\n", c->summary);
}

void options_help(enum command_id command, struct buf *out)
{
	help_usage(command, out);
	if (command == COMMAND_TUI) {
		buf_puts(out, "\ncommands:\n");
		for (unsigned i = 1; i < COMMAND_COUNT; i++)
			buf_printf(out, "  %-11s %-41s %s\n", command_table[i].name,
				   command_table[i].arguments, command_table[i].summary);
	}
	buf_puts(out, command == COMMAND_TUI ? "\noptions of the reviewer:\n"
					     : "\noptions of this command:\n");
	help_options(command, false, out);
	buf_puts(out, "\ncommon options:\n");
	help_options(command, true, out);
	buf_puts(out, "\nexit: 0 done, 1 findings are open or a report differs, 2 usage or "
		      "input/output error,\n      3 unsigned or incomplete (check "
		      "--require-signed)\n");
}

/* --- completion --------------------------------------------------------------------------------- */

static void command_names(struct buf *out)
{
	for (unsigned i = 1; i < COMMAND_COUNT; i++)
		buf_printf(out, "%s%s", i > 1 ? " " : "", command_table[i].name);
}

static void spaced_choices(const char *choices, struct buf *out)
{
	for (; *choices; choices++)
		buf_putc(out, *choices == '|' ? ' ' : *choices);
}

static void complete_bash(struct buf *out)
{
	buf_puts(out, "_boundwalk() {\n\tlocal word=${COMP_WORDS[COMP_CWORD]} "
		      "before=${COMP_WORDS[COMP_CWORD-1]}\n\tcase $before in\n");
	for (size_t i = 0; i < option_count; i++) {
		const struct option_info *o = &option_table[i];

		if (!o->choices)
			continue;
		buf_printf(out, "\t--%s) COMPREPLY=($(compgen -W '", o->name);
		spaced_choices(o->choices, out);
		buf_puts(out, "' -- \"$word\")); return ;;\n");
	}
	buf_puts(out, "\tcompletion) COMPREPLY=($(compgen -W 'bash zsh fish' -- \"$word\")); "
		      "return ;;\n\tesac\n\tif [[ $word == -* ]]; then\n\t\t"
		      "COMPREPLY=($(compgen -W '");
	for (size_t i = 0; i < option_count; i++)
		buf_printf(out, "%s--%s", i ? " " : "", option_table[i].name);
	buf_puts(out, "' -- \"$word\"))\n\telif [[ $COMP_CWORD -eq 1 ]]; then\n\t\t"
		      "COMPREPLY=($(compgen -W '");
	command_names(out);
	buf_puts(out, "' -- \"$word\") $(compgen -f -- \"$word\"))\n\telse\n\t\t"
		      "COMPREPLY=($(compgen -f -- \"$word\"))\n\tfi\n}\n"
		      "complete -o filenames -F _boundwalk boundwalk\n");
}

/* Text inside single quotes of a zsh specification: brackets and colons mean something there. */
static void zsh_text(const char *text, struct buf *out)
{
	for (; *text; text++) {
		if (strchr("[]:\\", *text))
			buf_putc(out, '\\');
		if (*text == '\'')
			buf_puts(out, "'\\'");
		buf_putc(out, *text);
	}
}

static void complete_zsh(struct buf *out)
{
	buf_puts(out, "#compdef boundwalk\n_arguments -s \\\n");
	for (size_t i = 0; i < option_count; i++) {
		const struct option_info *o = &option_table[i];

		buf_printf(out, "\t'%s--%s%s[", o->type == OPTION_LIST ? "*" : "", o->name,
			   o->argument ? "=" : "");
		zsh_text(o->help, out);
		buf_putc(out, ']');
		if (o->argument) {
			buf_putc(out, ':');
			zsh_text(o->argument, out);
			buf_putc(out, ':');
		}
		if (o->choices) {
			buf_putc(out, '(');
			spaced_choices(o->choices, out);
			buf_putc(out, ')');
		} else if (o->argument) {
			buf_puts(out, "_files");
		}
		buf_puts(out, "' \\\n");
	}
	buf_puts(out, "\t'1: :((");
	for (unsigned i = 1; i < COMMAND_COUNT; i++) {
		buf_printf(out, "%s%s\\:\"", i > 1 ? " " : "", command_table[i].name);
		zsh_text(command_table[i].summary, out);
		buf_putc(out, '"');
	}
	buf_puts(out, "))' \\\n\t'*: :_files'\n");
}

static void fish_quoted(const char *text, struct buf *out)
{
	buf_putc(out, '\'');
	for (; *text; text++) {
		if (*text == '\'' || *text == '\\')
			buf_putc(out, '\\');
		buf_putc(out, *text);
	}
	buf_putc(out, '\'');
}

static void complete_fish(struct buf *out)
{
	for (unsigned i = 1; i < COMMAND_COUNT; i++) {
		buf_printf(out, "complete -c boundwalk -n __fish_use_subcommand -a %s -d ",
			   command_table[i].name);
		fish_quoted(command_table[i].summary, out);
		buf_putc(out, '\n');
	}
	for (size_t i = 0; i < option_count; i++) {
		const struct option_info *o = &option_table[i];

		buf_printf(out, "complete -c boundwalk -l %s", o->name);
		if (o->letter)
			buf_printf(out, " -s %c", o->letter);
		if (o->argument)
			buf_puts(out, " -r");
		if (o->choices) {
			buf_puts(out, " -f -a '");
			spaced_choices(o->choices, out);
			buf_putc(out, '\'');
		}
		buf_puts(out, " -d ");
		fish_quoted(o->help, out);
		buf_putc(out, '\n');
	}
}

bool options_completion(const char *shell, struct buf *out)
{
	static const struct {
		const char *shell;
		void (*write)(struct buf *out);
	} shells[] = {
		{ "bash", complete_bash },
		{ "zsh", complete_zsh },
		{ "fish", complete_fish },
	};

	for (size_t i = 0; i < sizeof shells / sizeof *shells; i++)
		if (strcmp(shells[i].shell, shell) == 0) {
			shells[i].write(out);
			return true;
		}
	return false;
}
