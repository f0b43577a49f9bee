/* Admission today: policies and what applies them, kept apart; labels handed to pods.
 *
 * Sources: standards of Pod Security Admission, ValidatingAdmissionPolicy, Kyverno and Gatekeeper as of
 * 2026-08. A policy in the tree is a request, never proof that a cluster enforces it.
 * SPDX-License-Identifier: MIT */
#include "src/formats/k8s/objects.h"

#include <string.h>
#include <strings.h>

#include "model/limits.h"
#include "src/formats/k8s/index.h"

static struct fact *policy(struct workspace *w, struct k8s_object *o, const char *engine,
			   struct span span)
{
	struct fact *f = k8s_object_fact(w, o, FACT_POLICY, o->name, span);

	k8s_attribute(w, f, "engine", engine);
	return f;
}

void k8s_read_webhooks(struct workspace *w, struct k8s_object *o)
{
	const struct node *list = k8s_seq(o->node, "webhooks");

	for (uint32_t i = 0; i < node_count(list); i++) {
		const struct node *hook = node_at(list, i);
		const bool ignore = node_is(k8s_get(hook, "failurePolicy"), "Ignore");
		struct fact *f = policy(w, o, "webhook",
					k8s_get(hook, "failurePolicy") ?
						k8s_place(hook, "failurePolicy") :
						k8s_get(hook, "name") ? k8s_place(hook, "name") :
									o->row->span);

		k8s_attribute(w, f, "name", k8s_text(hook, "name"));
		k8s_attribute(w, f, "bound", "true");
		k8s_attribute(w, f, "action", ignore ? "ignore" : "enforce");
		k8s_attribute(w, f, "failure", ignore ? "Ignore" : "Fail");
		k8s_attribute(w, f, "mutates", o->kind[0] == 'M' ? "true" : "false");
	}
}

/* --- Kyverno: the policy acts by itself once its controller is installed ------------------------ */

static const char *kyverno_action(const char *text)
{
	return text && strcasecmp(text, "enforce") == 0 ? "enforce" : "audit";
}

static void kyverno_rule(struct workspace *w, struct k8s_object *o, const struct node *spec,
			 const struct node *rule)
{
	const struct node *validate = k8s_map(rule, "validate");
	const struct node *action = k8s_get(validate, "failureAction");
	struct fact *f;

	if (!validate)
		return;
	if (!action)
		action = k8s_get(spec, "validationFailureAction");
	f = policy(w, o, "Kyverno",
		   action ? action->span :
			    k8s_get(rule, "name") ? k8s_place(rule, "name") : o->row->span);
	k8s_attribute(w, f, "name", k8s_text(rule, "name"));
	k8s_attribute(w, f, "bound", "true");
	k8s_attribute(w, f, "action", kyverno_action(node_text(action)));
	if (k8s_get(rule, "exclude"))
		k8s_attribute(w, f, "excludes", "true");
}

void k8s_read_kyverno(struct workspace *w, struct k8s_object *o)
{
	const struct node *spec = k8s_map(o->node, "spec"), *rules = k8s_seq(spec, "rules");
	const struct node *actions = k8s_seq(spec, "validationActions");
	struct fact *f;

	for (uint32_t i = 0; i < node_count(rules); i++)
		kyverno_rule(w, o, spec, node_at(rules, i));
	if (strcmp(o->kind, "ValidatingPolicy") != 0)
		return;
	f = policy(w, o, "Kyverno",
		   actions ? k8s_key(spec, "validationActions") : o->row->span);
	k8s_attribute(w, f, "bound", "true");
	k8s_attribute(w, f, "action",
		      !actions || k8s_holds(actions, "Deny") ? "enforce" : "audit");
}

/* --- Gatekeeper ---------------------------------------------------------------------------------- */

void k8s_read_constraint(struct workspace *w, struct k8s_object *o)
{
	const struct node *spec = k8s_map(o->node, "spec");
	const char *action = k8s_text(spec, "enforcementAction");
	struct fact *f = policy(w, o, "Gatekeeper",
				action ? k8s_place(spec, "enforcementAction") : o->row->span);

	k8s_attribute(w, f, "template", o->kind);
	k8s_attribute(w, f, "bound", "true");
	k8s_attribute(w, f, "action",
		      !action || k8s_word_in(action, "deny scoped") ? "enforce" :
		      strcmp(action, "warn") == 0			  ? "warn" :
									    "audit");
	if (k8s_get(k8s_map(spec, "match"), "excludedNamespaces"))
		k8s_attribute(w, f, "excludes", "true");
}

static void join_template(struct k8s_world *world, struct k8s_object *template)
{
	const char *kind = node_text(
		node_path(template->node, "spec", "crd", "spec", "names", "kind", NULL));
	const struct k8s_object *constraint = NULL;
	struct fact *f = policy(world->w, template, "Gatekeeper template", template->row->span);

	const struct id_list *list = k8s_of_kind(world, kind ? kind : "");

	for (size_t i = 0; i < list->count && !constraint; i++)
		if (strcmp(world->objects.items[list->items[i]]->group,
			   "constraints.gatekeeper.sh") == 0)
			constraint = world->objects.items[list->items[i]];
	k8s_attribute(world->w, f, "bound", constraint ? "true" : "false");
	if (constraint && constraint->row)
		snapshot_add_hop(world->w->snapshot, f, constraint->row->span, constraint->name,
				 "constraint");
}

/* --- ValidatingAdmissionPolicy ------------------------------------------------------------------- */

/* Bindings by "kind of the policy", a line end, "name of the policy". */
static void list_bindings(struct k8s_world *world, struct name_lists *bindings)
{
	static const char ending[] = "Binding";
	struct arena *a = &world->w->snapshot->arena;

	for (size_t i = 0; i < world->objects.count; i++) {
		const struct k8s_object *b = world->objects.items[i];
		const char *name = k8s_text(k8s_map(b->node, "spec"), "policyName");
		size_t length = strlen(b->kind);

		if (name && length >= sizeof ending && strcmp(b->kind + length - 7, ending) == 0)
			name_lists_add(a, bindings,
				      arena_printf(a, "%.*s\n%s", (int)(length - 7), b->kind, name),
				      (uint32_t)i);
	}
}

static void join_admission_policy(struct k8s_world *world, const struct name_lists *bindings,
				  struct k8s_object *o)
{
	struct arena *a = &world->w->snapshot->arena;
	const struct id_list *list =
		name_lists_get(bindings, arena_printf(a, "%s\n%s", o->kind, o->name));
	const struct node *spec = k8s_map(o->node, "spec");
	struct fact *f = policy(world->w, o, o->kind, o->row->span);
	bool bound = false, deny = false;

	if (!k8s_may_compare(world, list->count)) {
		k8s_not_joined(world, o);
		list = name_lists_get(bindings, "");
	}
	for (size_t i = 0; i < list->count; i++) {
		const struct k8s_object *b = world->objects.items[list->items[i]];
		const struct node *binding = k8s_map(b->node, "spec");

		bound = true;
		deny |= o->kind[0] == 'M' || k8s_holds(k8s_seq(binding, "validationActions"), "Deny");
		if (i < LIMIT_JOINED)
			snapshot_add_hop(world->w->snapshot, f,
				 k8s_get(binding, "validationActions") ?
					 k8s_key(binding, "validationActions") :
					 k8s_place(binding, "policyName"),
				 b->name, "binding");
	}
	k8s_attribute(world->w, f, "bound", bound ? "true" : "false");
	k8s_attribute(world->w, f, "action", deny ? "enforce" : "audit");
	k8s_attribute(world->w, f, "failure",
		      node_is(k8s_get(spec, "failurePolicy"), "Ignore") ? "Ignore" : "Fail");
}

/* --- Pod Security Admission ---------------------------------------------------------------------- */

static void add_exemption(struct workspace *w, struct k8s_object *o, const struct node *list,
			  const char *what)
{
	for (uint32_t i = 0; i < node_count(list); i++) {
		const char *name = node_text(node_at(list, i));
		struct fact *f;

		if (!name)
			continue;
		f = k8s_object_fact(w, o, FACT_POLICY, name, node_at(list, i)->span);
		k8s_attribute(w, f, "engine", "PodSecurity exemption");
		k8s_attribute(w, f, "bound", "true");
		k8s_attribute(w, f, "exempts",
			      arena_printf(&w->snapshot->arena, "%s %s", what, name));
		k8s_attribute(w, f, "name", name);
	}
}

static void read_pod_security_configuration(struct workspace *w, struct k8s_object *o,
					    const struct node *body)
{
	static const char *const lists[] = { "usernames", "runtimeClasses", "namespaces" };
	static const char *const modes[] = { "enforce", "audit", "warn" };
	const struct node *exempt = k8s_map(body, "exemptions");
	const struct node *defaults = k8s_map(body, "defaults");

	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
		add_exemption(w, o, k8s_seq(exempt, lists[i]), lists[i]);
	for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
		struct fact *f;

		if (!k8s_text(defaults, modes[i]))
			continue;
		f = k8s_object_fact(w, o, FACT_POD_SECURITY_LABEL, k8s_text(defaults, modes[i]),
				    k8s_place(defaults, modes[i]));
		k8s_attribute(w, f, "mode", modes[i]);
		k8s_attribute(w, f, "version", "latest");
		k8s_attribute(w, f, "default", "true");
	}
}

void k8s_read_admission_configuration(struct workspace *w, struct k8s_object *o)
{
	const struct node *plugins = k8s_seq(o->node, "plugins");

	if (strcmp(o->kind, "PodSecurityConfiguration") == 0)
		read_pod_security_configuration(w, o, o->node);
	for (uint32_t i = 0; i < node_count(plugins); i++)
		if (node_is(k8s_get(node_at(plugins, i), "name"), "PodSecurity"))
			read_pod_security_configuration(
				w, o, k8s_map(node_at(plugins, i), "configuration"));
}

/* A webhook that is asked about pods may refuse them; what it refuses only its program knows. */
static bool hook_sees_pods(const struct k8s_object *o)
{
	const struct node *hooks = k8s_seq(o->node, "webhooks");

	for (uint32_t i = 0; i < node_count(hooks); i++) {
		const struct node *rules = k8s_seq(node_at(hooks, i), "rules");

		for (uint32_t k = 0; k < node_count(rules); k++) {
			const struct node *rule = node_at(rules, k);
			const struct node *resources = k8s_seq(rule, "resources");

			if (!node_is(k8s_get(rule, "scope"), "Cluster") &&
			    (k8s_holds(resources, "pods") || k8s_holds(resources, "*")) &&
			    !node_is(k8s_get(node_at(hooks, i), "failurePolicy"), "Ignore"))
				return true;
		}
	}
	return false;
}

static bool governs(const struct k8s_object *policy, const struct fact *f)
{
	if (strcmp(policy->kind, "ValidatingWebhookConfiguration") == 0)
		return hook_sees_pods(policy);
	return policy->kind[0] != 'M' && fact_attribute_is(f, "bound", "true") &&
	       fact_attribute_is(f, "action", "enforce") &&
	       !fact_attribute_is(f, "engine", "PodSecurityPolicy");
}

/* Policies that govern every namespace stand beside its labels. */
static void join_namespace(struct k8s_world *world, const struct id_list *policies,
			   struct k8s_object *ns)
{
	size_t joined = 0;

	for (size_t i = 0; i < policies->count; i++) {
		const struct k8s_object *o = world->objects.items[policies->items[i]];
		struct fact *copy;

		if (!k8s_may_compare(world, k8s_near_cost(o))) {
			k8s_not_joined(world, ns);
			return;
		}
		if (o == ns || !k8s_near(o, ns))
			continue;
		if (joined++ == LIMIT_JOINED) {
			k8s_too_many(world, ns);
			return;
		}
		copy = snapshot_copy_fact(world->w->snapshot, ns->row,
					  row_first(o->row, FACT_POLICY, LAYER_DECLARED));
		copy->layer = k8s_layer(ns);
		k8s_attribute(world->w, copy, "admits", "");
		k8s_attribute(world->w, copy, "elsewhere", "true");
	}
}

/* A namespace's labels govern its pods; the object is cluster-scoped, its name is the namespace. */
static void join_labels(struct k8s_world *world, struct k8s_pod *pod)
{
	const char *ns = pod->object->namespace;

	const struct id_list *list = k8s_named(world, "Namespace", ns);

	for (size_t i = 0; *ns && i < list->count; i++) {
		const struct k8s_object *o = world->objects.items[list->items[i]];

		if (!k8s_may_compare(world, k8s_near_cost(o))) {
			k8s_not_joined(world, pod->object);
			return;
		}
		if (!o->row || !k8s_near(o, pod->object))
			continue;
		for (size_t f = 0; f < o->row->facts.count; f++)
			if (o->row->facts.items[f]->kind == FACT_POD_SECURITY_LABEL)
				k8s_give(world, pod, o->row->facts.items[f], o->row->span,
					 "namespace");
		return;
	}
}

/* --- RuntimeClass --------------------------------------------------------------------------------- */

static void join_runtime(struct k8s_world *world, struct k8s_pod *pod)
{
	const char *name = k8s_text(pod->spec, "runtimeClassName");
	const struct k8s_object *class = NULL;
	const struct id_list *list;
	const char *handler;

	if (!name)
		return;
	list = k8s_named(world, "RuntimeClass", name);
	if (list->count)
		class = world->objects.items[list->items[0]];
	handler = class ? k8s_text(class->node, "handler") : NULL;
	for (size_t i = 0; i < pod->rows.count; i++)
		for (size_t k = 0; k < pod->rows.items[i]->facts.count; k++) {
			struct fact *f = pod->rows.items[i]->facts.items[k];

			if (f->kind != FACT_RUNTIME)
				continue;
			k8s_attribute(world->w, f, "known", class ? "true" : "false");
			k8s_attribute(world->w, f, "handler", handler);
			if (class && class->row)
				snapshot_add_hop(world->w->snapshot, f, class->row->span, handler,
						 "RuntimeClass");
		}
}

/* Policies that govern every namespace. */
static void list_governing(struct k8s_world *world, struct id_list *policies)
{
	for (size_t i = 0; i < world->objects.count; i++) {
		const struct k8s_object *o = world->objects.items[i];
		const struct fact *f = o->row ? row_first(o->row, FACT_POLICY, LAYER_DECLARED) : NULL;

		if (f && governs(o, f))
			*ARENA_PUSH(&world->w->snapshot->arena, policies) = (uint32_t)i;
	}
}

static void join_namespaces(struct k8s_world *world)
{
	const struct id_list *list = k8s_of_kind(world, "Namespace");
	struct id_list policies = { 0 };
	size_t at = 0;

	list_governing(world, &policies);
	for (struct k8s_object *ns; (ns = k8s_next_with_row(world, list, &at));)
		join_namespace(world, &policies, ns);
}

void k8s_join_policies(struct k8s_world *world)
{
	struct name_lists bindings = { 0 };

	list_bindings(world, &bindings);
	for (size_t i = 0; i < world->objects.count; i++) {
		struct k8s_object *o = world->objects.items[i];

		if (!o->row)
			continue;
		if (strcmp(o->kind, "ConstraintTemplate") == 0)
			join_template(world, o);
		else if (k8s_word_in(o->kind, "ValidatingAdmissionPolicy MutatingAdmissionPolicy"))
			join_admission_policy(world, &bindings, o);
	}
	join_namespaces(world);
	for (size_t p = 0; p < world->pods.count; p++) {
		join_labels(world, world->pods.items[p]);
		join_runtime(world, world->pods.items[p]);
	}
}
