/* Types of scalars: the API server refuses text for a number, a number for text, text for a flag.
 *
 * Manifests are read as YAML 1.1, in which a plain yes, on or 1e3 is no text.
 * SPDX-License-Identifier: MIT */
#include "src/formats/k8s/k8s.h"

#include <stdlib.h>
#include <string.h>

#include "src/formats/k8s/quantity.h"

enum type { TYPE_TEXT, TYPE_FLAG, TYPE_NUMBER };

static const struct scalar_field {
	enum type type;
	const char *keys;
	long least, most; /* of a number */
} fields[] = {
	{ TYPE_FLAG,
	  "hostNetwork hostPID hostIPC hostUsers automountServiceAccountToken shareProcessNamespace "
	  "privileged runAsNonRoot allowPrivilegeEscalation readOnlyRootFilesystem readOnly",
	  0, 0 },
	{ TYPE_NUMBER, "runAsUser runAsGroup fsGroup", 0, 2147483647 },
	{ TYPE_NUMBER, "containerPort hostPort", 0, 65535 },
	{ TYPE_TEXT,
	  "name image value command args serviceAccountName runtimeClassName workingDir mountPath "
	  "subPath hostIP procMount label",
	  0, 0 },
};

static const struct scalar_field *field_of(const char *key)
{
	for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
		if (k8s_word_in(key, fields[i].keys))
			return &fields[i];
	return NULL;
}

static bool is_number(const char *text)
{
	const size_t sign = *text == '-' || *text == '+';
	double value;

	if (text[sign] == '0' && text[sign + 1] && strchr("xob", text[sign + 1]))
		return text[strspn(text + sign + 2, "0123456789abcdefABCDEF_") + sign + 2] == '\0';
	/* A quantity without a suffix. */
	return quantity_read(text, &value) && !text[strspn(text, "+-0123456789.eE")] &&
	       text[strlen(text) - 1] != 'e' && text[strlen(text) - 1] != 'E';
}

static enum type type_of(const struct node *n)
{
	if (n->tag)
		return strcmp(n->tag, "!!bool") == 0				      ? TYPE_FLAG :
		       strcmp(n->tag, "!!int") == 0 || strcmp(n->tag, "!!float") == 0 ? TYPE_NUMBER :
											TYPE_TEXT;
	if (n->style != NODE_PLAIN)
		return TYPE_TEXT;
	if (k8s_word_in(n->text, "true True TRUE false False FALSE yes Yes YES no No NO on On ON off Off "
				 "OFF"))
		return TYPE_FLAG;
	return is_number(n->text) ? TYPE_NUMBER : TYPE_TEXT;
}

/* A flag in the words of YAML 1.1, written as text. */
static bool reads_as_flag(const char *text)
{
	return k8s_word_in(text, "true false yes no on off True False TRUE FALSE");
}

static bool in_range(const struct scalar_field *f, const char *text)
{
	char *end;
	long value = strtol(text, &end, 0);

	return *end || (value >= f->least && value <= f->most);
}

static const char *const type_names[] = {
	[TYPE_TEXT] = "text", [TYPE_FLAG] = "true or false", [TYPE_NUMBER] = "a number",
};

/* What the API server says to N as F, or NULL. */
static const char *fault_of(struct arena *a, const struct scalar_field *f, const struct node *n)
{
	const enum type type = type_of(n);

	if (f->type == TYPE_FLAG && type == TYPE_TEXT && reads_as_flag(n->text))
		return "is quoted text, the API server refuses it; write true or false without quotes";
	if (f->type == TYPE_FLAG && type != TYPE_FLAG)
		return "must be true or false";
	if (f->type != type)
		return arena_printf(a, "must be %s, here it is %s; the API server refuses it%s",
				    type_names[f->type], type_names[type],
				    f->type == TYPE_TEXT ? ", write it in quotes" : "");
	if (f->type == TYPE_NUMBER && !in_range(f, n->text))
		return arena_printf(a, "must be a number from %ld to %ld; the API server refuses it",
				    f->least, f->most);
	return NULL;
}

void k8s_check_scalar(struct workspace *w, const struct k8s_object *o, const char *key,
		      const struct node *n)
{
	const struct scalar_field *f = field_of(key);
	const char *fault = f && !k8s_templated(w, n) ? fault_of(&w->snapshot->arena, f, n) : NULL;

	if (fault)
		input_problem(w, o->in, n->span, "%s \"%s\": %s %s", o->kind, o->name, key, fault);
}

void k8s_check_texts(struct workspace *w, const struct k8s_object *o, const struct node *map)
{
	for (uint32_t i = 0; i < node_count(map); i++) {
		const struct node *n = node_resolve(map->items[i].value);
		const char *key = node_text(map->items[i].key);

		if (key && node_text(n) && type_of(n) != TYPE_TEXT && !k8s_templated(w, n))
			input_problem(w, o->in, n->span,
				      "%s \"%s\": %s must be text, here it is %s; the API server "
				      "refuses it, write it in quotes", o->kind, o->name, key,
				      type_names[type_of(n)]);
	}
}
