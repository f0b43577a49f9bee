/* Network policies of other engines and of administrators: listed, their rules not evaluated.
 *
 * Source: AdminNetworkPolicy of policy.networking.k8s.io, Calico and Antrea [known]. What none of the evaluated
 * policies says of a pod may be said by one of these, so that it is unknown.
 * SPDX-License-Identifier: MIT */
#include "src/formats/k8s/objects.h"

#include <string.h>

bool k8s_is_foreign_policy(const struct k8s_object *o)
{
	return o->row && strstr(o->kind, "NetworkPolicy") &&
	       k8s_word_in(o->group, "policy.networking.k8s.io projectcalico.org "
				     "crd.projectcalico.org crd.antrea.io");
}

void k8s_read_foreign_policy(struct workspace *w, struct k8s_object *o)
{
	struct fact *f = k8s_object_fact(w, o, FACT_NETWORK_POLICY, o->name, o->row->span);

	f->provenance = PROVENANCE_UNRESOLVED;
	f->note = arena_printf(&w->snapshot->arena,
			       "the rules of a %s (%s) are not evaluated; a dated test of connections "
			       "in the cluster shows what it does", o->kind, o->api_version);
	k8s_attribute(w, f, "engine", o->group);
}
