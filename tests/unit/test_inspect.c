/* Exports of containers, images and engines.
 * SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/format_help.h"

#define ID "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define HEAD                                                                                       \
	"[{\"Id\":\"" ID "\",\"Created\":\"2026-01-02T03:04:05Z\",\"Name\":\"/web\","              \
	"\"State\":{\"StartedAt\":\"2026-02-03T04:05:06Z\",\"FinishedAt\":\"0001-01-01T00:00:"     \
	"00Z\"},\n"

static void read_container(struct reading *r, const char *text)
{
	assert_true(read_text(r, &format_inspect, "inspect.json", SYNTAX_JSON, text));
	format_inspect.join(&r->workspace);
}

static const struct fact *observed(const struct row *row, enum fact_kind kind)
{
	return row_first(row, kind, LAYER_OBSERVED);
}

static void fields_are_observed_where_they_stand(void **state)
{
	struct reading r = { 0 };
	const struct row *row;

	(void)state;
	read_container(&r, HEAD
	               "\"AppArmorProfile\":\"unconfined\",\"HostConfig\":{\n"
	               "\"Privileged\":true,\n"
	               "\"CapAdd\":[\"CAP_SYS_ADMIN\"],\"MaskedPaths\":null,\n"
	               "\"PortBindings\":{\"80/tcp\":[{\"HostIp\":\"\",\"HostPort\":\"8080\"}]},\n"
	               "\"Memory\":0},\"Config\":{\"User\":\"\",\"Image\":\"nginx:1\",\n"
	               "\"Env\":[\"PASSWORD=hunter2hunter2\"]},\n"
	               "\"Mounts\":[{\"Type\":\"bind\",\"Source\":\"/etc\",\"Destination\":\"/x\","
	               "\"RW\":false}]}]");
	row = row_of(&r, "inspect.json#container//web");
	assert_false(row_has_layer(row, LAYER_DECLARED));
	assert_value(row, FACT_PRIVILEGED, "true", &r, 3);
	assert_value(row, FACT_CAP_ADD, "SYS_ADMIN", &r, 4);
	assert_attribute(row, FACT_PORT, "host_ip", "");
	assert_attribute(row, FACT_USER, "uid", "0");
	assert_value(row, FACT_ENV, "PASSWORD", &r, 7);
	assert_value(row, FACT_MOUNT, "/etc:/x:ro", &r, 8);
	assert_null(observed(row, FACT_PROC_MASK));
	assert_int_equal(observed(row, FACT_MEMORY_LIMIT)->provenance, PROVENANCE_ABSENT);
	assert_no_text(&r, "hunter2");
	assert_int_equal(r.snapshot.artifacts.items[0]->class, CLASS_EXPORT);
	assert_string_equal(r.snapshot.artifacts.items[0]->captured_at, "2026-02-03T04:05:06Z");
	reading_free(&r);
}

static void absent_masks_are_unknown_and_empty_ones_are_off(void **state)
{
	static const struct {
		const char *masks, *value;
	} cases[] = { { "\"x\":1", NULL },
		      { "\"MaskedPaths\":null", NULL },
		      { "\"MaskedPaths\":[]", "unconfined" },
		      { "\"MaskedPaths\":[\"/proc/kcore\"]", "default" } };

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct reading r = { 0 };
		char text[512];
		const struct fact *f;

		snprintf(text, sizeof text, HEAD "\"HostConfig\":{%s}}]", cases[i].masks);
		read_container(&r, text);
		f = observed(row_of(&r, "inspect.json#container//web"), FACT_PROC_MASK);
		if (cases[i].value)
			assert_string_equal(f->value, cases[i].value);
		else
			assert_null(f);
		reading_free(&r);
	}
}

static struct row *declared(struct reading *r, const char *path, const char *service)
{
	struct input *in = add_text(r, path, "services:\n");
	const struct row_spec spec = { .path = path,
		                       .object_kind = "service",
		                       .unit = service,
		                       .format = FORMAT_COMPOSE,
		                       .artifact = in->artifact->index };

	return snapshot_add_row(&r->snapshot, &spec);
}

static void a_service_is_found_by_its_labels(void **state)
{
	struct reading r = { 0 };
	struct row *right, *wrong;

	(void)state;
	wrong = declared(&r, "b/compose.yml", "app");
	right = declared(&r, "a/compose.yml", "app");
	read_container(&r, HEAD
	               "\"HostConfig\":{\"Privileged\":true},\"Config\":{\"Labels\":{"
	               "\"com.docker.compose.service\":\"app\","
	               "\"com.docker.compose.project.config_files\":\"/srv/a/compose.yml\"}}}]");
	assert_int_equal(r.snapshot.rows.count, 2);
	assert_non_null(observed(right, FACT_PRIVILEGED));
	assert_null(observed(wrong, FACT_PRIVILEGED));
	assert_non_null(strstr(right->export_note, "matched by its Compose labels"));
	reading_free(&r);
}

static void two_possible_services_stay_unmatched(void **state)
{
	struct reading r = { 0 };

	(void)state;
	declared(&r, "b/compose.yml", "app");
	declared(&r, "a/compose.yml", "app");
	read_container(&r, HEAD "\"HostConfig\":{},\"Config\":{\"Labels\":{"
	                        "\"com.docker.compose.service\":\"app\"}}}]");
	assert_int_equal(r.snapshot.rows.count, 3);
	reading_free(&r);
}

static void an_edited_export_is_said_so(void **state)
{
	struct reading r = { 0 };

	(void)state;
	read_container(&r, "{\"Id\":\"abc\",\"Name\":\"/w\",\"State\":{},\"HostConfig\":{}}");
	assert_non_null(strstr(row_of(&r, "inspect.json#container//w")->export_note, "edited"));
	reading_free(&r);
}

static void an_image_tells_its_user(void **state)
{
	struct reading r = { 0 };
	const struct row *row;

	(void)state;
	assert_true(read_text(
	    &r, &format_image_inspect, "docker-inspect.json", SYNTAX_JSON,
	    "[{\"RepoTags\":[\"a/b:1\"],\"RootFS\":{},\"Config\":{\"User\":\"65532\"}}]"));
	row = row_of(&r, "docker-inspect.json#image//a/b:1");
	assert_int_equal(row->kind, ROW_OBJECT);
	assert_attribute(row, FACT_USER, "uid", "65532");
	reading_free(&r);
}

static void the_engine_s_default_profile_has_its_line(void **state)
{
	struct reading r = { 0 };
	const struct row *row;

	(void)state;
	assert_true(read_text(&r, &format_engine_info, "info.txt", SYNTAX_TEXT,
	                      "Server:\n Server Version: 27.5.1\n Security Options:\n  seccomp\n"
	                      "   Profile: unconfined\n  rootless\n Kernel Version: 6\n"
	                      " Insecure Registries:\n  reg.example:5000\n  127.0.0.0/8\n"));
	row = row_of(&r, "info.txt#engine//docker");
	assert_value(row, FACT_SECCOMP, "unconfined", &r, 5);
	assert_value(row, FACT_USERNS, "rootless", &r, 6);
	assert_value(row, FACT_REGISTRY, "reg.example:5000", &r, 9);
	assert_int_equal(r.snapshot.artifacts.items[0]->class, CLASS_EXPORT);
	reading_free(&r);
}

static void the_engine_s_json_says_the_same(void **state)
{
	struct reading r = { 0 };

	(void)state;
	assert_true(read_text(&r, &format_engine_info_json, "info.json", SYNTAX_JSON,
	                      "{\"ServerVersion\":\"29\",\"SecurityOptions\":[\n"
	                      "\"name=seccomp,profile=unconfined\",\"name=cgroupns\"]}"));
	assert_value(row_of(&r, "info.json#engine//docker"), FACT_SECCOMP, "unconfined", &r, 2);
	reading_free(&r);
}

static void wrong_types_do_not_crash(void **state)
{
	static const char *const keys[] = {
		"AppArmorProfile",
		"Config",
		"Mounts",
		"NetworkSettings",
		"Path",
		"Args",
		"Name",
		"Image",
		"EffectiveCaps",
		"Created",
	};
	static const char *const host[] = {
		"Privileged",     "CapAdd",   "CapDrop",      "SecurityOpt",   "MaskedPaths",
		"Memory",         "NanoCpus", "PidsLimit",    "RestartPolicy", "Devices",
		"Ulimits",        "Sysctls",  "PortBindings", "Binds",         "NetworkMode",
		"GroupAdd",       "Tmpfs",    "ExtraHosts",   "UsernsMode",    "Annotations",
		"DeviceRequests",
	};
	static const char *const values[] = {
		"null",   "1",    "true",  "\"\"",       "\":\"",        "[]",     "{}",
		"[null]", "[{}]", "[[1]]", "{\"a\":{}}", "{\"a\":[{}]}", "[\"\"]", "{\"\":[null]}"
	};

	(void)state;
	for (size_t v = 0; v < sizeof values / sizeof *values; v++) {
		char text[512];

		for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
			struct reading r = { 0 };

			snprintf(text, sizeof text,
			         "[{\"Id\":\"a\",\"State\":{},\"HostConfig\":{},\"%s\":%s}, 5]",
			         keys[k], values[v]);
			read_container(&r, text);
			reading_free(&r);
		}
		for (size_t k = 0; k < sizeof host / sizeof *host; k++) {
			struct reading r = { 0 };

			snprintf(text, sizeof text,
			         "[{\"Id\":\"a\",\"State\":{},\"HostConfig\":{\"%s\":%s}}]",
			         host[k], values[v]);
			read_container(&r, text);
			reading_free(&r);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fields_are_observed_where_they_stand),
		cmocka_unit_test(absent_masks_are_unknown_and_empty_ones_are_off),
		cmocka_unit_test(a_service_is_found_by_its_labels),
		cmocka_unit_test(two_possible_services_stay_unmatched),
		cmocka_unit_test(an_edited_export_is_said_so),
		cmocka_unit_test(an_image_tells_its_user),
		cmocka_unit_test(the_engine_s_default_profile_has_its_line),
		cmocka_unit_test(the_engine_s_json_says_the_same),
		cmocka_unit_test(wrong_types_do_not_crash),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
