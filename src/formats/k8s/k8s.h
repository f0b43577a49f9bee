/* What the files of the Kubernetes format share: objects, pods, and the context facts are added in.
 *
 * Reading has two steps: `read` splits a file into objects and finds the pod specs in them; rows and
 * facts of declared pods are added at once, those of exports in `join`, where a declared row can be
 * matched. `join` relates objects to pods. Nodes stay the owner of every value and span.
 * SPDX-License-Identifier: MIT */
#ifndef FORMATS_K8S_K8S_H
#define FORMATS_K8S_K8S_H

#include "src/formats/format.h"

struct kustomization;

struct kustomizations {
	struct kustomization **items;
	size_t count, capacity;
};

struct k8s_object {
	struct input *in;
	const struct node *node;
	const char *api_version, *group; /* "apps/v1", "apps"; group "" for core and for none */
	const char *kind;
	const char *name;      /* "" without one */
	const char *namespace; /* as written, or as kustomize sets it; "" without one */
	const struct node *metadata;
	struct row *row; /* of kind ROW_OBJECT, or NULL */
	bool exported;   /* came out of a cluster: uid and resource version are there */
	uint32_t ordinal; /* among all objects, in order of path and place */
	struct k8s_versions *versions; /* all with this kind, namespace and name; NULL before joins */
	const char *prefix, *suffix; /* of the name, as kustomize adds them; NULL without */
	struct kustomization *root; /* outermost one that it went through; NULL without */
	bool hashed;   /* a kustomization generates it and adds a hash to its name */
	bool gone;     /* a patch of an overlay takes it away */
	bool overlaid; /* one overlay's version of a shared object; its problems are told there */
	struct kustomizations variants; /* overlays that each make another variant of it */
	struct {
		struct k8s_pod **items;
		size_t count, capacity;
	} pods;
};

struct k8s_pod {
	struct k8s_object *object;
	const char *unit;             /* object name, with the template's name where there are several */
	const struct node *spec;      /* the pod spec */
	const struct node *metadata;  /* the pod's own metadata, or NULL */
	const struct node *security;  /* spec.securityContext when it is a map, or NULL */
	enum layer layer;
	bool windows;
	bool operated; /* an operator makes the pod: what is not said is not known */
	const struct k8s_pod *twin;   /* of an export: the declared pod that it shows running, or NULL */
	const char *twin_reason;      /* how that was found */
	struct hash_index volumes;    /* name → index of the first in spec.volumes; built when asked for */
	struct hash_index mounted;    /* names of volumes that containers mount */
	bool volumes_listed;
	const struct k8s_opaque **opaques; /* of a template's pod, by setting; NULL until asked for */
	bool *opaques_known;
	uint32_t joined;              /* facts of other objects given to it */
	struct {
		struct row **items; /* one a container, in order of the file */
		size_t count, capacity;
	} rows;
};

/* Objects of one kind, namespace and name, in the order of their ordinals. */
struct k8s_versions {
	const char *key; /* kind, namespace and name */
	struct k8s_object **items;
	size_t count, capacity;
	struct hash_index folders; /* folder → index of the first in it */
};

/* An expression of a template that puts in lines of its own. */
struct k8s_opaque {
	struct span span;
	uint32_t parent; /* offset of the line that it is put into */
	const char *key; /* that line's key; "" for a list item, "?" when it has none */
	const char *hint; /* the setting that the expression's own words name, or NULL */
};

/* A branch of a template's if that the chart's default values leave out. */
struct k8s_branch {
	uint32_t from, to; /* offsets, the expressions around it not included */
	uint32_t group;    /* number of its if */
	bool off, taken;   /* by the defaults; neither: not known */
	bool hidden;       /* not read: the branch that is taken sets its key */
	const char *note;
};

/* A block of a template in which the dot is something else. */
struct k8s_dot {
	uint32_t from, to;
	struct span with; /* the expression that names what it is; no length when that is not known */
};

#define CHARTS_ABOVE 3u

struct k8s_file {
	struct {
		struct k8s_object **items;
		size_t count, capacity;
	} objects;
	struct {
		struct k8s_opaque *items;
		size_t count, capacity;
	} opaques;
	const struct k8s_opaque **by_parent; /* the same in the order of `parent`; NULL until asked for */
	struct hash_index families; /* of its objects' kinds, once joins start */
	uint32_t first_ordinal, end_ordinal; /* of its objects */
	const char *folder;
	struct {
		struct k8s_branch *items; /* those that are off, in the order of the file */
		size_t count, capacity;
	} branches;
	struct input *values; /* the chart's default values, or NULL */
	struct {
		struct input *values;
		const char *prefix; /* under which they set values of this chart */
	} above[CHARTS_ABOVE]; /* charts that hold this one, the nearest first */
	unsigned above_count;
	struct {
		struct k8s_dot *items;
		size_t count, capacity;
	} dots; /* in order of their start */
	bool template;        /* read as a template with its expressions hidden */
	bool deferred;        /* below a kustomization: rows and facts come in `join` */
	bool patch;           /* a kustomization's patch: changes objects, is none */
	bool applied;         /* some object was changed by it */
};

/* All objects and pods of the load, for joins. */
struct k8s_index;
struct k8s_world {
	struct workspace *w;
	struct k8s_index *index;
	struct {
		struct k8s_object **items;
		size_t count, capacity;
	} objects;
	struct {
		struct k8s_pod **items;
		size_t count, capacity;
	} pods;
};

/* Where facts of one container go. */
struct k8s_target {
	struct workspace *w;
	struct k8s_pod *pod;
	struct row *row;
	const struct node *container;
	const struct node *security; /* container's securityContext when it is a map, or NULL */
	const char *name;
	struct span anchor; /* the container's name, else its place */
};

extern const struct format format_k8s, format_helm, format_kustomize;

/* Rows and facts of the objects collected in FILE. */
void k8s_add_objects(struct workspace *w, struct k8s_file *file);

/* --- nodes (node_text.c) -------------------------------------------------------------------- */

/* Value of KEY in MAP, NULL also for an explicit null. */
const struct node *k8s_get(const struct node *map, const char *key);
/* The same, but only a map or a sequence. */
const struct node *k8s_map(const struct node *map, const char *key);
const struct node *k8s_seq(const struct node *map, const char *key);
/* Text of a scalar under KEY, or NULL. */
const char *k8s_text(const struct node *map, const char *key);
/* True when KEY holds true (false: when it holds false), in the words that YAML 1.1 reads so. */
bool k8s_is_true(const struct node *map, const char *key);
bool k8s_is_false(const struct node *map, const char *key);
/* Span of the key itself; of MAP's own key or place when it has no such key. */
struct span k8s_key(const struct node *map, const char *key);
/* Span of a value, or of its key when the value is a collection. */
struct span k8s_place(const struct node *map, const char *key);
/* True for text whose value only a renderer knows ("{{ }}", "${X}", "$(X)"). */
bool k8s_templated(const struct workspace *w, const struct node *n);
/* True when TEXT is one of the blank-separated WORDS. */
bool k8s_word_in(const char *text, const char *words);
/* Scalars of a sequence (or one scalar) joined by SEPARATOR, in the arena; "" for none. */
const char *k8s_joined(struct workspace *w, const struct node *n, const char *separator);
/* True when sequence N holds TEXT. */
bool k8s_holds(const struct node *n, const char *text);
/* The minor version of scope->kubernetes ("1.34" → 34); KUBE_LATEST when not given. */
unsigned k8s_minor(const struct workspace *w);
/* True when the sysctl NAME is in the safe set of policy version 1.MINOR. */
bool k8s_sysctl_is_safe(const char *name, unsigned minor);

/* --- facts (node_text.c) -------------------------------------------------------------------- */

/* Adds a fact with the pod's layer; templated values get their provenance. VALUE NULL: the node's text. */
struct fact *k8s_fact(const struct k8s_target *t, enum fact_kind kind, const struct node *node,
		      const char *value);
/* Adds the values that a kustomization replaced by N as links. */
void k8s_add_former(const struct workspace *w, struct fact *f, const struct node *n);
/* A fact without a node of its own. */
struct fact *k8s_fact_at(const struct k8s_target *t, enum fact_kind kind, const char *value,
			 struct span span);
struct fact *k8s_absent(const struct k8s_target *t, enum fact_kind kind, const char *value,
			struct span ancestor, const char *note);
void k8s_set(const struct k8s_target *t, struct fact *f, const char *name, const char *value);
/* The layer of what O says. */
enum layer k8s_layer(const struct k8s_object *o);
/* A fact of an object's row, in the object's layer. */
struct fact *k8s_object_fact(struct workspace *w, const struct k8s_object *o, enum fact_kind kind,
			     const char *value, struct span span);
void k8s_attribute(struct workspace *w, struct fact *f, const char *name, const char *value);

/* --- parts of a container's facts ------------------------------------------------------------ */

void k8s_read_security(const struct k8s_target *t);
void k8s_read_profiles(const struct k8s_target *t); /* seccomp, AppArmor and SELinux */
/* Where an absent setting is missed: the container's securityContext, else the container. */
struct span k8s_missing_at(const struct k8s_target *t);
/* The default of a setting that is missed there; nothing for a pod without containers. */
void k8s_missing(const struct k8s_target *t, enum fact_kind kind, const char *value, const char *note);
/* The setting KEY at SPAN does nothing, for the reason WHY. */
void k8s_ignored(const struct k8s_target *t, const char *key, struct span span, const char *why);
void k8s_read_ignored(const struct k8s_target *t);
void k8s_read_unknown(const struct k8s_target *t); /* keys that are no field; behind k8s_read_ignored() */
void k8s_read_pod_level(const struct k8s_target *t);
void k8s_read_process(const struct k8s_target *t);
void k8s_read_network(const struct k8s_target *t);
void k8s_read_resources(const struct k8s_target *t);
void k8s_read_environment(const struct k8s_target *t);
void k8s_read_volumes(const struct k8s_target *t, bool first);
/* The first volume NAME (may be NULL) of a pod that has rows, or NULL. */
const struct node *k8s_volume(const struct k8s_pod *pod, const char *name);
/* The template from which the pod's controller makes a claim of that name for each pod, or NULL. */
const struct node *k8s_claim_template(const struct k8s_pod *pod, const char *name);

/* --- objects and pods ------------------------------------------------------------------------ */

/* True for a YAML file in a folder named templates. */
bool k8s_is_template_path(const char *path);
/* Objects, rows and facts of a parsed file. */
void k8s_read_objects(struct workspace *w, struct input *in, struct k8s_file *file);
/* Splits the documents of a file into objects; problems go to the input. */
void k8s_collect(struct workspace *w, struct input *in, struct k8s_file *file);
/* True for objects that quote pod specs and other objects instead of running them. */
bool k8s_only_quotes(const struct k8s_object *o);
/* True for kinds of groups that the API server does not serve itself. */
bool k8s_is_custom(const struct k8s_object *o);
/* True for a whole object inside a custom resource, which makes it. */
bool k8s_is_embedded(const struct k8s_object *o, const struct node *n);
/* A place of O in its own file: its kind; of an overlay's version the kustomization. */
struct span k8s_object_place(const struct k8s_object *o);
/* Finds the pod specs of an object. */
void k8s_find_pods(struct workspace *w, struct k8s_object *o);
/* The name of CONTAINER, or its place I in its list: "[2]". */
const char *k8s_container_name(struct workspace *w, const struct node *container, uint32_t i);
/* Adds the rows and facts of a pod. */
void k8s_add_pod(struct workspace *w, struct k8s_pod *pod);
/* True for an object of a group that the API server itself serves. */
bool k8s_is_served(const struct k8s_object *o);
/* Reports fields of a wrong type in a pod spec. */
void k8s_check_types(struct workspace *w, const struct k8s_pod *pod);
/* Reports a scalar under KEY whose type or range the API server refuses. */
void k8s_check_scalar(struct workspace *w, const struct k8s_object *o, const char *key,
		      const struct node *n);
/* The same for a map of texts: labels, annotations. */
void k8s_check_texts(struct workspace *w, const struct k8s_object *o, const struct node *map);
/* Reports fields of a wrong type in an object that the API server itself serves. */
void k8s_check_object(struct workspace *w, const struct k8s_object *o);
/* Adds the object's own row and facts when it is of a kind that is judged on its own. */
void k8s_add_object(struct workspace *w, struct k8s_object *o);

/* --- joins ------------------------------------------------------------------------------------ */

/* Matches exported pods with declared ones and adds their rows and facts. */
void k8s_join_exports(struct k8s_world *world);
void k8s_join_accounts(struct k8s_world *world);
void k8s_join_rbac(struct k8s_world *world);
void k8s_join_network(struct k8s_world *world);
void k8s_join_gateways(struct k8s_world *world);
void k8s_join_services(struct k8s_world *world);
void k8s_join_snippets(struct k8s_world *world);
void k8s_join_limits(struct k8s_world *world);
void k8s_join_volumes(struct k8s_world *world);
void k8s_join_mounted_texts(struct k8s_world *world); /* files that ConfigMaps show to containers */
void k8s_join_policies(struct k8s_world *world);
void k8s_join_evidence(struct k8s_world *world); /* profiles, kubelet defaults, missing bases */
void k8s_join_publishers(struct k8s_world *world);

/* A selector against labels. */
bool k8s_selects(const struct node *selector, const struct node *labels);

#endif
