/* The option table, the command table, and the parser that walks them.
 * SPDX-License-Identifier: MIT */
#include "src/options.h"

#include <string.h>

#include "model/kube_version.h"
#include "src/cmd.h"

#define BIT(command) (1ul << COMMAND_##command)
#define LISTINGS                                                                                   \
	(BIT(INVENTORY) | BIT(MAP) | BIT(FINDINGS) | BIT(PATHS) | BIT(COVERAGE) | BIT(ARTIFACTS))
#define WRITERS (BIT(MARK) | BIT(DECIDE) | BIT(SIGN))

#define TEXT(field) .type = OPTION_TEXT, .offset = offsetof(struct options, field)
#define LIST(field) .type = OPTION_LIST, .offset = offsetof(struct options, field)
#define FLAG(field) .type = OPTION_FLAG, .offset = offsetof(struct options, field)

const struct option_info option_table[] = {
	{ .name = "format", .letter = 'f', .argument = "FORMAT", TEXT(format),
	  .commands = BIT(REPORT) | LISTINGS,
	  .help = "report: markdown (default) or json; listings: text (default), tsv or json" },
	{ .name = "output", .letter = 'o', .argument = "FILE", TEXT(output), .commands = BIT(REPORT),
	  .help = "write the report to FILE, replaced in one step" },
	{ .name = "filter", .argument = "EXPRESSION", TEXT(filter), .commands = LISTINGS,
	  .may_be_empty = true,
	  .help = "show what matches: words, column:text, column=text, !word" },
	{ .name = "sort", .argument = "COLUMN", TEXT(sort), .commands = LISTINGS,
	  .help = "order by COLUMN; -COLUMN reverses" },
	{ .name = "fail-on", .argument = "SEVERITY", TEXT(fail_on), .commands = BIT(CHECK),
	  .choices = "critical|high|medium|info",
	  .help = "exit 1 with an open finding of SEVERITY or above (default high)" },
	{ .name = "require-signed", FLAG(require_signed), .commands = BIT(CHECK),
	  .help = "exit 3 unless the review is complete and signed as it stands" },
	{ .name = "message", .letter = 'm', .argument = "NOTE", TEXT(note), .commands = WRITERS,
	  .help = "the reason or remark that is kept with the act" },
	{ .name = "basis", .argument = "FILE[:LINE]", TEXT(basis), .commands = BIT(MARK),
	  .help = "the artifact that shows it; needed for observed" },
	{ .name = "owner", .argument = "NAME", TEXT(owner), .commands = BIT(DECIDE),
	  .help = "who answers for an accepted finding" },
	{ .name = "expires", .argument = "DATE", TEXT(expires), .commands = BIT(DECIDE),
	  .help = "last day of an acceptance, as 2027-01-31" },
	{ .name = "role", .argument = "ROLE", TEXT(role), .commands = BIT(SIGN),
	  .help = "role of the signer, such as \"Lead reviewer\"" },
	{ .name = "decision", .argument = "TEXT", TEXT(decision), .commands = BIT(SIGN),
	  .help = "what is signed, such as \"changes required\"" },
	{ .name = "confirm-unresolved", .argument = "COUNT", TEXT(confirm), .commands = BIT(SIGN),
	  .help = "confirm once more that COUNT boundary checks stay unresolved" },
	{ .name = "size", .argument = "WxH", TEXT(size), .commands = BIT(PLAY),
	  .help = "size of the screen that is played (default 80x24)" },
	{ .name = "list-keys", FLAG(list_keys), .commands = BIT(TUI),
	  .help = "print the keys of the reviewer and exit" },
	{ .name = "revision", .argument = "REV", TEXT(revision),
	  .help = "review the files of this git revision, without a checkout" },
	{ .name = "observed", .argument = "PATH", LIST(observed),
	  .help = "runtime exports kept outside PATH; repeatable" },
	{ .name = "runtime", .argument = "NAME", TEXT(runtime),
	  .choices = "docker|podman|containerd|cri-o|none", .help = "intended container runtime" },
	{ .name = "os", .argument = "NAME", TEXT(os), .choices = "linux|windows|darwin",
	  .help = "intended operating system" },
	{ .name = "kubernetes", .argument = "1.N", TEXT(kubernetes), .takes = kube_version_is_valid,
	  .help = "Kubernetes version; without it the latest known is assumed and said so" },
	{ .name = "deployment", .argument = "TEXT", TEXT(deployment),
	  .help = "deployment version in the reviewer's words" },
	{ .name = "compose-file", .argument = "FILE", LIST(compose_files),
	  .help = "Compose file of the deployment; repeatable, the order counts" },
	{ .name = "project-directory", .argument = "DIRECTORY", TEXT(project_directory),
	  .help = "folder that paths in the Compose files start from (default: that of the first)" },
	{ .name = "profile", .argument = "NAME", LIST(profiles),
	  .help = "active Compose profile; repeatable" },
	{ .name = "env-file", .argument = "FILE", LIST(env_files),
	  .help = "variables as supplied; the program's own environment is never read for them" },
	{ .name = "review", .argument = "FILE", LIST(reviews),
	  .help = "review file; repeatable: the first is written, all are read" },
	{ .name = "reviewer", .argument = "NAME", TEXT(reviewer),
	  .help = "name under which marks are made" },
	{ .name = "read-only", FLAG(read_only), .help = "never write to the review file" },
	{ .name = "config", .argument = "FILE", TEXT(config),
	  .help = "settings instead of the user's own; a repository's are never read" },
	{ .name = "set", .letter = 'O', .argument = "NAME=VALUE", LIST(settings),
	  .help = "one setting, also as -o name=value where -o is no output file" },
	{ .name = "jobs", .letter = 'j', .argument = "N", TEXT(jobs),
	  .help = "kept for scripts; reading uses one thread" },
	{ .name = "color", .argument = "WHEN", TEXT(color), .choices = "auto|always|never",
	  .help = "colour on the screen" },
	{ .name = "quiet", .letter = 'q', FLAG(quiet), .help = "no progress line" },
	{ .name = "version", .letter = 'V', FLAG(version), .help = "print the version and exit" },
	{ .name = "help", .letter = 'h', FLAG(help), .help = "print this help and exit" },
};
const size_t option_count = sizeof option_table / sizeof *option_table;

const struct command_info command_table[COMMAND_COUNT] = {
	[COMMAND_TUI] = { NULL, "[PATH]", "open the reviewer on PATH (default: .)", 0, 1, cmd_tui },
	[COMMAND_REPORT] = { "report", "[PATH]", "write the whole review as one document", 0, 1,
			     cmd_report },
	[COMMAND_INVENTORY] = { "inventory", "[PATH]", "list the workloads", 0, 1, cmd_listing },
	[COMMAND_MAP] = { "map", "[PATH]", "list the cells of the boundary map", 0, 1,
			  cmd_listing },
	[COMMAND_FINDINGS] = { "findings", "[PATH]", "list the findings, worst first", 0, 1,
			       cmd_listing },
	[COMMAND_PATHS] = { "paths", "[PATH]", "list the ways out of the boundary", 0, 1,
			    cmd_listing },
	[COMMAND_COVERAGE] = { "coverage", "[PATH]", "list what was not read in full, and why", 0, 1,
			       cmd_listing },
	[COMMAND_ARTIFACTS] = { "artifacts", "[PATH]", "list the files that were read", 0, 1,
				cmd_listing },
	[COMMAND_SHOW] = { "show", "KEY [PATH]",
			   "show one row, cell or finding with its cited lines", 1, 2, cmd_show },
	[COMMAND_CHECK] = { "check", "[PATH]", "answer by exit code whether findings are open", 0,
			    1, cmd_check },
	[COMMAND_MARK] = { "mark", "KEY declared|observed|unavailable [PATH]",
			   "record what a person says about a cell", 2, 3, cmd_mark },
	[COMMAND_DECIDE] = { "decide", "FINDING DISPOSITION [PATH]",
			     "record what a person decides about a finding", 2, 3, cmd_decide },
	[COMMAND_SIGN] = { "sign", "[PATH]", "sign the review as it stands", 0, 1, cmd_sign },
	[COMMAND_VERIFY] = { "verify", "REPORT [PATH]",
			     "compare a written report with what would be written now", 1, 2,
			     cmd_verify },
	[COMMAND_LOG] = { "log", "[PATH]", "list the acts of the review in order", 0, 1, cmd_log },
	[COMMAND_EXPLAIN] = { "explain", "[RULE|FIELD]", "explain one rule or field, or list them", 0, 1,
			      cmd_explain },
	[COMMAND_PARSE] = { "parse", "KIND FILE…",
			    "print what is read in one file, as JSON", 1, 64, cmd_parse },
	[COMMAND_PLAY] = { "play", "SCRIPT [PATH]",
			   "drive the reviewer by a script of keys, without a terminal", 1, 2,
			   cmd_play },
	[COMMAND_COMPLETION] = { "completion", "bash|zsh|fish",
				 "print a completion script for a shell", 1, 1, cmd_completion },
};

bool option_applies(const struct option_info *option, enum command_id command)
{
	return !option->commands || option->commands >> command & 1;
}

/* --- parsing ------------------------------------------------------------------------------------ */

struct parser {
	struct options *o;
	char **words;
	int count, at;
	bool has_command;
	struct buf *why;
};

static const struct option_info *option_by_name(const char *name, size_t length)
{
	for (size_t i = 0; i < option_count; i++)
		if (strlen(option_table[i].name) == length &&
		    strncmp(option_table[i].name, name, length) == 0)
			return &option_table[i];
	return NULL;
}

static const struct option_info *option_by_letter(char letter)
{
	for (size_t i = 0; i < option_count; i++)
		if (option_table[i].letter == letter)
			return &option_table[i];
	return NULL;
}

static bool is_choice(const char *choices, const char *word)
{
	size_t length = strlen(word);

	for (const char *at = choices; *at;) {
		size_t part = strcspn(at, "|");

		if (part == length && strncmp(at, word, length) == 0)
			return true;
		at += part + (at[part] == '|');
	}
	return false;
}

static bool store(struct parser *p, const struct option_info *option, const char *value)
{
	char *field = (char *)p->o + option->offset;

	if (option->choices && value && !is_choice(option->choices, value)) {
		buf_printf(p->why, "--%s: \"%s\" is none of %s", option->name, value,
			   option->choices);
		return false;
	}
	if (option->takes && !option->takes(value)) {
		buf_printf(p->why, "--%s: \"%s\" is no %s; write a version such as 1.34, or latest",
			   option->name, value, option->argument);
		return false;
	}
	if (option->type == OPTION_FLAG)
		*(bool *)(void *)field = true;
	else if (option->type == OPTION_TEXT)
		*(const char **)(void *)field = value;
	else
		*ARENA_PUSH(&p->o->arena, (struct string_list *)(void *)field) = value;
	return true;
}

static bool take_value(struct parser *p, const struct option_info *option, const char *attached)
{
	if (option->type == OPTION_FLAG && attached) {
		buf_printf(p->why, "--%s takes no value", option->name);
		return false;
	}
	if (option->type == OPTION_FLAG)
		return store(p, option, attached);
	if (!attached && p->at < p->count)
		attached = p->words[p->at++];
	if (!attached || (!*attached && !option->may_be_empty)) {
		buf_printf(p->why, "--%s needs %s", option->name, option->argument);
		return false;
	}
	return store(p, option, attached);
}

static bool take_long(struct parser *p, const char *word)
{
	size_t length = strcspn(word, "=");
	const struct option_info *option = option_by_name(word, length);

	if (!option) {
		buf_printf(p->why, "--%.*s: unknown option; try --help", (int)length, word);
		return false;
	}
	return take_value(p, option, word[length] == '=' ? word + length + 1 : NULL);
}

/* "-o name=value" is a setting where no output file is written. */
static const struct option_info *short_option(const struct parser *p, char letter)
{
	const struct option_info *option = option_by_letter(letter);

	if (letter == 'o' && option && !option_applies(option, p->o->command))
		return option_by_name("set", 3);
	return option;
}

static bool take_short(struct parser *p, const char *word)
{
	for (; *word; word++) {
		const struct option_info *option = short_option(p, *word);

		if (!option) {
			buf_printf(p->why, "-%c: unknown option; try --help", *word);
			return false;
		}
		if (option->type == OPTION_FLAG) {
			store(p, option, NULL);
			continue;
		}
		return take_value(p, option, word[1] ? word + 1 : NULL);
	}
	return true;
}

static bool take_word(struct parser *p, const char *word)
{
	if (!*word) {
		buf_puts(p->why, "an argument is empty; try --help");
		return false;
	}
	if (!p->has_command) {
		p->has_command = true;
		for (unsigned i = 1; i < COMMAND_COUNT; i++)
			if (strcmp(command_table[i].name, word) == 0) {
				p->o->command = (enum command_id)i;
				return true;
			}
	}
	*ARENA_PUSH(&p->o->arena, &p->o->arguments) = word;
	return true;
}

static bool was_given(const struct options *o, const struct option_info *option)
{
	const char *field = (const char *)o + option->offset;

	if (option->type == OPTION_FLAG)
		return *(const bool *)(const void *)field;
	if (option->type == OPTION_TEXT)
		return *(const char *const *)(const void *)field != NULL;
	return ((const struct string_list *)(const void *)field)->count > 0;
}

static bool check_whole(const struct options *o, struct buf *why)
{
	const struct command_info *command = &command_table[o->command];
	const char *name = command->name ? command->name : "boundwalk";

	if (o->help || o->version)
		return true;
	for (size_t i = 0; i < option_count; i++)
		if (was_given(o, &option_table[i]) &&
		    !option_applies(&option_table[i], o->command)) {
			buf_printf(why, "--%s is no option of %s; try %s --help",
				   option_table[i].name, name,
				   command->name ? command->name : "boundwalk");
			return false;
		}
	if (o->arguments.count < command->least || o->arguments.count > command->most) {
		buf_printf(why, "%s takes %s; try --help", name, command->arguments);
		return false;
	}
	return true;
}

bool options_parse(struct options *o, int argc, char **argv, struct buf *why)
{
	struct parser p = { .o = o, .words = argv, .count = argc, .at = 1, .why = why };
	bool ok = true, ended = false;

	*o = (struct options){ 0 };
	while (ok && p.at < argc) {
		const char *word = argv[p.at++];

		if (!ended && strcmp(word, "--") == 0)
			ended = true;
		else if (!ended && strncmp(word, "--", 2) == 0)
			ok = take_long(&p, word + 2);
		else if (!ended && word[0] == '-' && word[1])
			ok = take_short(&p, word + 1);
		else
			ok = take_word(&p, word);
	}
	return ok && check_whole(o, why);
}

void options_free(struct options *o)
{
	arena_free(&o->arena);
}
