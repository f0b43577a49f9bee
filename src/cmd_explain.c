/* explain and completion: texts made from the tables.
 * SPDX-License-Identifier: MIT */
#include "src/cmd.h"

#include <stdio.h>
#include <string.h>

#include "src/rules/rules.h"

static void add_line(struct buf *out, const char *name, const char *text)
{
	if (text && *text)
		buf_printf(out, "%-14s %s\n", name, text);
}

static void add_formats(struct buf *out, format_set formats)
{
	buf_printf(out, "%-14s", "formats");
	if (formats == FORMAT_ALL)
		buf_puts(out, " all");
	for (unsigned i = 1; formats != FORMAT_ALL && i < FORMAT_COUNT; i++)
		if (formats >> i & 1)
			buf_printf(out, " %s", format_table[i].name);
	buf_putc(out, '\n');
}

static void explain_rule(const struct rule *r, struct buf *out)
{
	buf_printf(out, "%s\n", r->slug);
	add_line(out, "field", field_table[r->field].slug);
	add_line(out, "severity", severity_names[r->severity]);
	add_line(out, "confidence", confidence_names[r->confidence]);
	add_line(out, "kind", r->combination ? "combination of other findings" : "single");
	if (r->task_context)
		add_line(out, "context", "info until the row's task is written");
	add_line(out, "fires on", r->trigger);
	add_line(out, "consequence", r->consequence);
	add_line(out, "fix", r->fix);
	add_line(out, "compatibility", r->compatibility);
	add_line(out, "owner", r->owner);
	add_line(out, "restore", r->restore);
	add_formats(out, r->formats);
	add_line(out, "concepts", r->concepts);
}

static void explain_field(enum field field, struct buf *out)
{
	const struct field_info *info = &field_table[field];
	struct rule_table tables[RULE_TABLE_COUNT];

	buf_printf(out, "%s: %s\n", info->slug, info->title);
	add_line(out, "question", info->question);
	add_line(out, "when absent", info->when_absent);
	add_line(out, "observed by", info->observed_by);
	buf_printf(out, "%-14s", "facts");
	for (unsigned i = 1; i < FACT_KIND_COUNT; i++)
		if (fact_kind_table[i].field == field || fact_kind_table[i].second == field)
			buf_printf(out, " %s", fact_kind_table[i].name);
	buf_printf(out, "\n%-14s", "rules");
	rules_tables(tables);
	for (size_t k = 0; k < RULE_TABLE_COUNT; k++)
		for (size_t i = 0; i < tables[k].count; i++)
			if (tables[k].rules[i].field == field)
				buf_printf(out, " %s", tables[k].rules[i].slug);
	buf_putc(out, '\n');
}

static void list_all(struct buf *out)
{
	struct rule_table tables[RULE_TABLE_COUNT];

	rules_tables(tables);
	for (unsigned field = 0; field < FIELD_COUNT; field++) {
		buf_printf(out, "%s: %s\n", field_table[field].slug, field_table[field].title);
		for (size_t k = 0; k < RULE_TABLE_COUNT; k++)
			for (size_t i = 0; i < tables[k].count; i++) {
				const struct rule *r = &tables[k].rules[i];

				if (r->field == (enum field)field)
					buf_printf(out, "  %-8s %s\n", severity_names[r->severity],
						   r->slug);
			}
	}
}

static int print_and_free(struct buf *out)
{
	int code = cmd_print(out) ? EXIT_DONE : EXIT_USAGE;

	buf_free(out);
	return code;
}

int cmd_explain(const struct options *o)
{
	const char *name = o->arguments.count ? o->arguments.items[0] : NULL;
	const struct rule *rule = name ? rules_find(name) : NULL;
	enum field field = name ? field_by_slug(name) : FIELD_NONE;
	struct buf out = { 0 };

	if (!name)
		list_all(&out);
	else if (rule)
		explain_rule(rule, &out);
	else if (field != FIELD_NONE)
		explain_field(field, &out);
	else
		return cmd_error("\"%s\" is no rule and no field; \"explain\" lists them", name);
	return print_and_free(&out);
}

int cmd_completion(const struct options *o)
{
	const char *shell = o->arguments.items[0];
	struct buf out = { 0 };

	if (!options_completion(shell, &out))
		return cmd_error("completion: \"%s\" is none of bash|zsh|fish", shell);
	return print_and_free(&out);
}
