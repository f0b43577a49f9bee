/* What a kustomization asks for that is not applied, and its values of a wrong type.
 * SPDX-License-Identifier: MIT */
#include "src/formats/k8s/kustomize.h"

/* Why the value of a key is not applied. */
static const struct {
	const char *key, *why;
} unapplied[] = {
	{ "generators", "needs a program to run and is not assessed" },
	{ "transformers", "needs a program to run and is not assessed" },
	{ "validators", "needs a program to run and is not assessed" },
	{ "helmCharts", "needs a program to run and is not assessed" },
	{ "helmChartInflationGenerator", "needs a program to run and is not assessed" },
	{ "replacements", "are not applied" },
	{ "vars", "are not applied" },
	{ "configurations", "are not read: they may change more references, labels and images" },
	{ "openapi", "is not read: it may change how lists are merged" },
	{ "crds", "are not read: they may change more references and how lists are merged" },
};

static const struct {
	enum node_kind kind;
	const char *word, *keys[19];
} shapes[] = {
	{ NODE_SEQ, "list",
	  { "resources", "bases", "components", "patches", "patchesStrategicMerge",
	    "patchesJson6902", "images", "labels", "replicas", "configMapGenerator",
	    "secretGenerator", "replacements", "vars", "generators", "transformers", "validators",
	    "crds", "configurations" } },
	{ NODE_MAP, "map", { "commonLabels", "commonAnnotations", "generatorOptions", "openapi" } },
	{ NODE_SCALAR, "single value", { "namespace", "namePrefix", "nameSuffix" } },
};

void kustomize_check(struct workspace *w, struct input *in, const struct node *n)
{
	for (size_t i = 0; i < sizeof unapplied / sizeof *unapplied; i++)
		if (k8s_get(n, unapplied[i].key))
			input_problem(w, in, k8s_key(n, unapplied[i].key),
				      "kustomization: %s %s; supply the output of kustomize build",
				      unapplied[i].key, unapplied[i].why);
	for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
		for (size_t i = 0; shapes[s].keys[i]; i++) {
			const struct node *value = k8s_get(n, shapes[s].keys[i]);

			if (value && value->kind != shapes[s].kind)
				input_problem(w, in, k8s_key(n, shapes[s].keys[i]),
					      "kustomization: %s must be a %s; the value is not applied",
					      shapes[s].keys[i], shapes[s].word);
		}
}
