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
#include "src/formats/k8s/pod_security.h"
#include "src/formats/k8s/policy_scope.h"

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
	if (node_is(k8s_get(spec, "failurePolicy"), "Ignore") ||
	    node_is(k8s_get(k8s_map(spec, "webhookConfiguration"), "failurePolicy"), "Ignore"))
		k8s_attribute(w, f, "failure", "Ignore");
	if (k8s_get(rule, "exclude"))
		k8s_attribute(w, f, "excludes", "true");
	if (policy_kinds_miss_pods(k8s_map(rule, "match")))
		k8s_attribute(w, f, "pods", "false");
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

/* Among scoped actions, the hardest for the point at which objects are admitted. */
static const char *scoped_action(const struct node *spec)
{
	const struct node *list = k8s_seq(spec, "scopedEnforcementActions");
	const char *found = "audit";

	for (uint32_t i = 0; i < node_count(list); i++) {
		const struct node *points = k8s_seq(node_at(list, i), "enforcementPoints");
		const char *action = k8s_text(node_at(list, i), "action");
		bool admits = false;

		for (uint32_t k = 0; k < node_count(points); k++)
			admits |= node_is(k8s_get(node_at(points, k), "name"), "*") ||
				  node_is(k8s_get(node_at(points, k), "name"),
					  "validation.gatekeeper.sh");
		if (admits && action && strcmp(action, "deny") == 0)
			return "enforce";
		if (admits && action && strcmp(action, "warn") == 0)
			found = "warn";
	}
	return found;
}

static const char *constraint_action(const struct node *spec)
{
	const char *action = k8s_text(spec, "enforcementAction");

	if (!action || strcmp(action, "deny") == 0)
		return "enforce";
	if (strcmp(action, "scoped") == 0)
		return scoped_action(spec);
	return strcmp(action, "warn") == 0 ? "warn" : "audit";
}

void k8s_read_constraint(struct workspace *w, struct k8s_object *o)
{
	const struct node *spec = k8s_map(o->node, "spec");
	struct fact *f = policy(w, o, "Gatekeeper",
				k8s_get(spec, "enforcementAction") ?
					k8s_place(spec, "enforcementAction") : o->row->span);

	k8s_attribute(w, f, "template", o->kind);
	k8s_attribute(w, f, "bound", "true");
	k8s_attribute(w, f, "action", constraint_action(spec));
	if (k8s_get(k8s_map(spec, "match"), "excludedNamespaces"))
		k8s_attribute(w, f, "excludes", "true");
	if (policy_kinds_miss_pods(k8s_map(spec, "match")))
		k8s_attribute(w, f, "pods", "false");
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

/* The policy's parameter is not among the files, and without it the binding lets everything through. */
static bool lacks_parameter(const struct k8s_world *world, const struct node *policy,
			    const struct k8s_object *binding)
{
	const char *kind = k8s_text(k8s_map(policy, "paramKind"), "kind");
	const struct node *ref = k8s_map(k8s_map(binding->node, "spec"), "paramRef");
	const char *name = k8s_text(ref, "name");

	return kind && name && node_is(k8s_get(ref, "parameterNotFoundAction"), "Allow") &&
	       !k8s_named(world, kind, name)->count;
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
		if (lacks_parameter(world, spec, b))
			k8s_attribute(world->w, f, "parameter", "missing");
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
	if (policy_rules_miss_pods(k8s_seq(k8s_map(spec, "matchConstraints"), "resourceRules")))
		k8s_attribute(world->w, f, "pods", "false");
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

/* --- defaults for namespaces without labels ------------------------------------------------------- */

static bool is_exempt(const struct k8s_object *o, const char *namespace)
{
	for (const struct fact *f = row_first(o->row, FACT_POLICY, k8s_layer(o)); f;
	     f = row_next(o->row, f))
		if (fact_is(f, namespace) && fact_attribute(f, "exempts") &&
		    strncmp(fact_attribute(f, "exempts"), "namespaces ", 11) == 0)
			return true;
	return false;
}

static bool has_enforce_label(const struct k8s_object *ns)
{
	return k8s_get(k8s_map(ns->metadata, "labels"), "pod-security.kubernetes.io/enforce") != NULL;
}

/* The server's configuration holds where the namespace says nothing. */
static void take_defaults(struct k8s_world *world, struct k8s_object *ns)
{
	static const char *const kinds[] = { "AdmissionConfiguration", "PodSecurityConfiguration" };

	for (size_t k = 0; k < 2; k++) {
		const struct id_list *list = k8s_of_kind(world, kinds[k]);
		size_t at = 0;

		for (struct k8s_object *o; (o = k8s_next_with_row(world, list, &at));) {
			const struct fact *f = row_first(o->row, FACT_POD_SECURITY_LABEL, k8s_layer(o));

			if (!k8s_may_compare(world, k8s_near_cost(o)))
				return;
			if (!k8s_near(o, ns) || is_exempt(o, ns->name))
				continue;
			for (; f; f = row_next(o->row, f))
				snapshot_copy_fact(world->w->snapshot, ns->row, f)->layer =
					k8s_layer(ns);
		}
	}
}

static void join_defaults(struct k8s_world *world)
{
	const struct id_list *list = k8s_of_kind(world, "Namespace");
	size_t at = 0;

	for (struct k8s_object *ns; (ns = k8s_next_with_row(world, list, &at));)
		if (!has_enforce_label(ns))
			take_defaults(world, ns);
}

/* On ROW, the copy of LABEL: same place, same mode. */
static void set_met(struct k8s_world *world, const struct row *row, const struct fact *label,
		    const char *met)
{
	for (size_t i = 0; i < row->facts.count; i++) {
		struct fact *f = row->facts.items[i];

		if (f->kind == FACT_POD_SECURITY_LABEL && f->layer == label->layer &&
		    f->span.source == label->span.source && f->span.offset == label->span.offset)
			k8s_attribute(world->w, f, "met", met);
	}
}

/* Says on each level that the namespace asks for whether the pod meets it. */
static void mark_met(struct k8s_world *world, const struct k8s_pod *pod)
{
	const struct row *first = pod->rows.count ? pod->rows.items[0] : NULL;

	/* What a template or an operator adds may change the answer. */
	if (!first || pod->operated || !first->pod_security || first->pod_security->templated)
		return;
	for (size_t i = 0; i < first->facts.count; i++) {
		const struct fact *label = first->facts.items[i];
		const char *met;

		if (label->kind != FACT_POD_SECURITY_LABEL || label->layer != pod->layer ||
		    !k8s_word_in(label->value, "baseline restricted"))
			continue;
		met = pod_security_meets(world->w, pod, label->value,
					 fact_attribute(label, "version")) ? "true" : "false";
		for (size_t r = 0; r < pod->rows.count; r++)
			set_met(world, pod->rows.items[r], label, met);
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
		mark_met(world, pod);
		return;
	}
}

/* --- PodSecurityPolicy and SecurityContextConstraints: applied to whom RBAC lets use them --------- */

static bool list_names(const char *list, const char *name)
{
	const size_t length = strlen(name);

	for (; list && *list; list += strcspn(list, ",") + (list[strcspn(list, ",")] == ','))
		if (strcspn(list, ",") == length && memcmp(list, name, length) == 0)
			return true;
	return false;
}

static bool lets_use(const struct fact *f, const char *resource, const char *name)
{
	const char *names = fact_attribute(f, "names");

	return fact_attribute_is(f, "bound", "true") &&
	       (list_names(fact_attribute(f, "verbs"), "use") ||
		list_names(fact_attribute(f, "verbs"), "*")) &&
	       list_names(fact_attribute(f, "resources"), resource) &&
	       (!names || list_names(names, name));
}

static bool is_used(struct k8s_world *world, const struct k8s_object *policy, const char *resource)
{
	static const char *const kinds[] = { "ClusterRole", "Role" };

	for (size_t k = 0; k < 2; k++) {
		const struct id_list *list = k8s_of_kind(world, kinds[k]);
		size_t at = 0;

		for (const struct k8s_object *o; (o = k8s_next_with_row(world, list, &at));) {
			if (!k8s_may_compare(world, k8s_near_cost(o)))
				return true;
			for (const struct fact *f = row_first(o->row, FACT_RBAC_RULE, k8s_layer(o)); f;
			     f = row_next(o->row, f))
				if (lets_use(f, resource, policy->name) && k8s_near(o, policy))
					return true;
		}
	}
	return false;
}

static void join_old_policy(struct k8s_world *world, struct k8s_object *o)
{
	const bool psp = strcmp(o->kind, "PodSecurityPolicy") == 0;
	struct fact *f = row_first_mutable(o->row, FACT_POLICY, k8s_layer(o));

	if (!f || (!psp && (node_count(k8s_get(o->node, "users")) ||
			    node_count(k8s_get(o->node, "groups")))))
		return;
	if (is_used(world, o, psp ? "podsecuritypolicies" : "securitycontextconstraints"))
		return;
	k8s_attribute(world->w, f, "bound", "false");
	if (!f->note)
		f->note = "no supplied role that lets somebody use it is bound; an export of roles and "
			  "bindings tells to whom it applies";
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
		else if (k8s_word_in(o->kind, "PodSecurityPolicy SecurityContextConstraints"))
			join_old_policy(world, o);
	}
	join_defaults(world);
	k8s_give_policies(world, &bindings);
	for (size_t p = 0; p < world->pods.count; p++) {
		join_labels(world, world->pods.items[p]);
		join_runtime(world, world->pods.items[p]);
	}
}
