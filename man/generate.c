/* Fills the generated regions of the manual pages and of the README from the program's own tables.
 *
 * usage: generate FILE [NAME=TEXTFILE…]
 * Prints FILE; what stands between a line with "begin generated NAME" and the next with "end generated" is
 * made anew, from the table of that name or from TEXTFILE. An unknown name is an error, exit 2.
 * SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "model/text.h"
#include "model/review.h"
#include "src/options.h"
#include "src/rules/rules.h"
#include "ui/keymap.h"

#define BEGIN "begin generated "
#define END "end generated"

/* --- mdoc(7) ------------------------------------------------------------------------------------ */

/* One word with what roff would read made harmless. */
static void mdoc_word(const char *word, size_t length, struct buf *out)
{
	if (length && strchr(".'", word[0]))
		buf_puts(out, "\\&");
	for (size_t i = 0, used; i < length; i += used) {
		uint32_t point = text_decode_point(word + i, length - i, &used);

		if (point == '\\')
			buf_puts(out, "\\e");
		else if (point == '"')
			buf_puts(out, "\\(dq");
		else if (point == '-')
			buf_puts(out, "\\-");
		else if (point == '~')
			buf_puts(out, "\\(ti");
		else if (point == '^')
			buf_puts(out, "\\(ha");
		else if (point == '`')
			buf_puts(out, "\\(ga");
		else if (point > 0x7e)
			buf_printf(out, "\\[u%04X]", (unsigned)point);
		else
			buf_putc(out, (char)point);
	}
}

/* A paragraph: a new line for each sentence and before column 80. */
static void mdoc_text(const char *text, struct buf *out)
{
	size_t start = out->length;
	bool ended = false;

	while (*text) {
		size_t length = strcspn(text, " \n");

		if (length && out->length > start) {
			bool full = out->length - start + length > 78;

			buf_putc(out, ended || full ? '\n' : ' ');
			if (ended || full)
				start = out->length;
		}
		mdoc_word(text, length, out);
		ended = length && strchr(".?!", text[length - 1]);
		text += length + (text[length] != '\0');
	}
	buf_putc(out, '\n');
}

/* An argument of a macro line; the empty escape keeps it from being read as a macro. */
static void mdoc_argument(const char *word, size_t length, struct buf *out)
{
	buf_puts(out, " \\&");
	mdoc_word(word, length, out);
}

/* One word of a usage: a name in capitals or a word to be typed; "…" repeats it. */
static size_t mdoc_usage_word(const char *usage, struct buf *out)
{
	size_t length = strcspn(usage, " []|"), shown = length;
	bool repeats = length > 3 && memcmp(usage + length - 3, "…", 3) == 0;

	if (repeats)
		shown -= 3;
	buf_puts(out, *usage >= 'A' && *usage <= 'Z' ? " Ar" : " Cm");
	mdoc_argument(usage, shown, out);
	if (repeats)
		buf_puts(out, " ...");
	return length;
}

/* "KEY declared|observed [PATH]" as macros. */
static void mdoc_usage(const char *usage, struct buf *out)
{
	while (*usage) {
		if (*usage == '[')
			buf_puts(out, " Oo");
		else if (*usage == ']')
			buf_puts(out, " Oc");
		else if (*usage == '|')
			buf_puts(out, " No \\&|");
		if (strchr("[]| ", *usage))
			usage++;
		else
			usage += mdoc_usage_word(usage, out);
	}
}

static void write_commands(struct buf *out)
{
	buf_puts(out, ".Bl -tag -width Ds\n");
	for (unsigned i = 1; i < COMMAND_COUNT; i++) {
		buf_puts(out, ".It Cm");
		mdoc_argument(command_table[i].name, strlen(command_table[i].name), out);
		mdoc_usage(command_table[i].arguments, out);
		buf_putc(out, '\n');
		mdoc_text(command_table[i].summary, out);
	}
	buf_puts(out, ".El\n");
}

static void option_commands(const struct option_info *o, struct buf *out)
{
	const char *before = "only for";

	if (!o->commands)
		return;
	for (unsigned i = 0; i < COMMAND_COUNT; i++)
		if (o->commands >> i & 1) {
			buf_printf(out, "%s\n.Cm %s", before,
				   command_table[i].name ? command_table[i].name : "boundwalk");
			before = " ,";
		}
	buf_puts(out, " .\n");
}

static void write_options(struct buf *out)
{
	buf_puts(out, ".Bl -tag -width Ds\n");
	for (size_t i = 0; i < option_count; i++) {
		const struct option_info *o = &option_table[i];
		struct buf text = { 0 };

		buf_puts(out, ".It");
		if (o->letter)
			buf_printf(out, " Fl %c ,", o->letter);
		buf_puts(out, " Fl \\-");
		mdoc_word(o->name, strlen(o->name), out);
		if (o->argument) {
			buf_puts(out, " Ar");
			mdoc_argument(o->argument, strlen(o->argument), out);
		}
		buf_printf(&text, "%s%s%s%s", o->help, o->choices ? " (" : "",
			   o->choices ? o->choices : "", o->choices ? ")" : "");
		buf_puts(&text, o->commands ? ";" : "");
		buf_putc(out, '\n');
		mdoc_text(buf_text(&text), out);
		option_commands(o, out);
		buf_free(&text);
	}
	buf_puts(out, ".El\n");
}

static void write_keys(struct buf *out)
{
	struct keymap map;

	keymap_defaults(&map);
	keymap_manual(&map, out);
}

/* --- boundwalk-rules(7) ---------------------------------------------------------------------- */

static void labelled(const char *label, const char *text, struct buf *out)
{
	if (!text || !*text)
		return;
	buf_printf(out, ".It %s:\n", label);
	mdoc_text(text, out);
}

static void write_rule(const struct rule *r, struct buf *out)
{
	buf_puts(out, ".It Sy");
	mdoc_argument(r->slug, strlen(r->slug), out);
	buf_printf(out, "\n.Em %s ,\nconfidence %s", severity_names[r->severity],
		   confidence_names[r->confidence]);
	buf_puts(out, r->combination ? ", combination" : "");
	buf_puts(out, r->task_context ? ", info until the task of the row is written\n" : "\n");
	buf_puts(out, ".Bl -tag -compact -width \"Consequence:\"\n");
	labelled("Fires on", r->trigger, out);
	labelled("Consequence", r->consequence, out);
	labelled("Fix", r->fix, out);
	labelled("Restore", r->restore, out);
	buf_puts(out, ".El\n");
}

static void write_rules(struct buf *out)
{
	struct rule_table tables[RULE_TABLE_COUNT];

	rules_tables(tables);
	for (unsigned field = 0; field < FIELD_COUNT; field++) {
		const char *before = ".Bl -tag -width Ds\n";

		buf_printf(out, ".Ss %s\n", field_table[field].title);
		for (size_t t = 0; t < RULE_TABLE_COUNT; t++)
			for (size_t i = 0; i < tables[t].count; i++) {
				if (tables[t].rules[i].field != field)
					continue;
				buf_puts(out, before);
				before = "";
				write_rule(&tables[t].rules[i], out);
			}
		buf_puts(out, *before ? "No rule.\n" : ".El\n");
	}
}

static void write_fields(struct buf *out)
{
	buf_puts(out, ".Bl -tag -width Ds\n");
	for (unsigned i = 0; i < FIELD_COUNT; i++) {
		const struct field_info *f = &field_table[i];

		buf_puts(out, ".It Sy");
		mdoc_argument(f->slug, strlen(f->slug), out);
		buf_printf(out, " Pq %s\n", f->abbreviation);
		mdoc_text(f->question, out);
		buf_puts(out, ".Bl -tag -compact -width \"When absent:\"\n");
		labelled("When absent", f->when_absent, out);
		labelled("Observed by", f->observed_by, out);
		buf_puts(out, ".El\n");
	}
	buf_puts(out, ".El\n");
}

static void write_dispositions(struct buf *out)
{
	for (unsigned i = 0; i < DISPOSITION_COUNT; i++) {
		buf_puts(out, ".Cm ");
		mdoc_word(disposition_names[i], strlen(disposition_names[i]), out);
		buf_puts(out, i + 1 < DISPOSITION_COUNT ? " ,\n" : " .\n");
	}
}

/* --- README --------------------------------------------------------------------------------------- */

/* A table cell of code: bars are kept apart from the table's own. */
static void markdown_code(const char *text, struct buf *out)
{
	buf_puts(out, "`");
	for (; *text; text++)
		buf_printf(out, *text == '|' ? "\\|" : "%c", *text);
	buf_puts(out, "`");
}

static void markdown_keys(const char *keys, struct buf *out)
{
	while (*keys) {
		size_t length = strcspn(keys, " ");

		buf_printf(out, " `%.*s`", (int)length, keys);
		keys += length + (keys[length] == ' ');
	}
}

static void write_key_table(struct buf *out)
{
	struct keymap map;

	keymap_defaults(&map);
	for (enum action_group group = 0; group < GROUP_COUNT; group++) {
		buf_printf(out, "%s| %s | |\n|---|---|\n", group ? "\n" : "",
			   action_group_titles[group]);
		for (enum action a = 0; a < ACTION_COUNT; a++) {
			struct buf keys = { 0 };

			if (action_table[a].group != group)
				continue;
			keymap_names(&map, a, &keys);
			buf_putc(out, '|');
			markdown_keys(buf_text(&keys), out);
			buf_printf(out, " | %s%s |\n", action_table[a].help,
				   action_table[a].modes == IN(PRESENT) ? " (one finding on the screen)"
									: "");
			buf_free(&keys);
		}
	}
}

static void write_command_table(struct buf *out)
{
	struct buf usage = { 0 };

	buf_puts(out, "| Command | |\n|---|---|\n");
	for (unsigned i = 0; i < COMMAND_COUNT; i++) {
		const struct command_info *c = &command_table[i];

		buf_clear(&usage);
		buf_printf(&usage, "boundwalk %s%s%s", c->name ? c->name : "", c->name ? " " : "",
			   c->arguments);
		buf_puts(out, "| ");
		markdown_code(buf_text(&usage), out);
		buf_printf(out, " | %s |\n", c->summary);
	}
	buf_free(&usage);
}

/* --- regions --------------------------------------------------------------------------------------- */

static const struct {
	const char *name;
	void (*write)(struct buf *out);
} regions[] = {
	{ "commands", write_commands },
	{ "options", write_options },
	{ "keys", write_keys },
	{ "rules", write_rules },
	{ "fields", write_fields },
	{ "dispositions", write_dispositions },
	{ "key table", write_key_table },
	{ "command table", write_command_table },
};

static bool read_file(const char *path, struct buf *out)
{
	FILE *f = fopen(path, "re");
	char block[65536];
	size_t got;
	bool ok;

	if (!f)
		return false;
	while ((got = fread(block, 1, sizeof block, f)) > 0)
		buf_add(out, block, got);
	ok = !ferror(f);
	fclose(f);
	return ok;
}

/* True when the region of LENGTH bytes at NAME is one of ours or is given as NAME=TEXTFILE. */
static bool write_region(const char *name, size_t length, char **given, struct buf *out)
{
	for (size_t i = 0; i < sizeof regions / sizeof *regions; i++)
		if (strlen(regions[i].name) == length &&
		    strncmp(regions[i].name, name, length) == 0) {
			regions[i].write(out);
			return true;
		}
	for (; *given; given++)
		if (strncmp(*given, name, length) == 0 && (*given)[length] == '=')
			return read_file(*given + length + 1, out);
	return false;
}

/* The name after "begin generated" on the line, up to the end of the line or of the remark; NULL: none. */
static const char *region_name(const char *line, size_t length, size_t *name_length)
{
	const char *begin = memmem(line, length, BEGIN, sizeof BEGIN - 1);
	const char *end = line + length, *close;

	if (!begin)
		return NULL;
	begin += sizeof BEGIN - 1;
	close = memmem(begin, (size_t)(end - begin), " -->", 4);
	*name_length = (size_t)((close ? close : end) - begin);
	return begin;
}

static bool fill(const char *path, const struct buf *in, char **given, struct buf *out)
{
	const char *at = buf_text(in), *end = at + in->length, *name;
	bool inside = false;
	size_t name_length;

	while (at < end) {
		const char *stop = memchr(at, '\n', (size_t)(end - at));
		size_t length = (size_t)((stop ? stop : end) - at);

		inside = inside && !memmem(at, length, END, sizeof END - 1);
		if (!inside)
			buf_printf(out, "%.*s\n", (int)length, at);
		name = region_name(at, length, &name_length);
		if (name && !inside) {
			inside = true;
			if (!write_region(name, name_length, given, out)) {
				fprintf(stderr, "%s: no region \"%.*s\"\n", path,
					(int)name_length, name);
				return false;
			}
		}
		at += length + 1;
	}
	if (inside)
		fprintf(stderr, "%s: a region has no end\n", path);
	return !inside;
}

int main(int argc, char **argv)
{
	struct buf in = { 0 }, out = { 0 };
	bool ok = argc > 1 && read_file(argv[1], &in);

	if (!ok)
		fprintf(stderr, "%s: %s\n", argc > 1 ? argv[1] : "usage: generate FILE",
			argc > 1 ? strerror(errno) : "no file");
	ok = ok && fill(argv[1], &in, argv + 2, &out) &&
	     fwrite(buf_text(&out), 1, out.length, stdout) == out.length && fflush(stdout) == 0;
	buf_free(&in);
	buf_free(&out);
	return ok ? 0 : 2;
}
