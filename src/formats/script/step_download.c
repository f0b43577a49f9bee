/* What is fetched, whether it is run at once, and whether anything checks it.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "model/limits.h"
#include "src/formats/script/steps.h"

static struct arena *arena_of(const struct steps *s)
{
	return &s->w->snapshot->arena;
}

/* --- addresses -------------------------------------------------------------------------------- */

/* An address without user, password and query. */
static const char *shown_address(struct arena *a, const char *url)
{
	const char *scheme = strstr(url, "://");
	const char *host = scheme ? scheme + 3 : url;
	const char *at = memchr(host, '@', strcspn(host, "/?#"));
	size_t before = (size_t)(host - url);

	if (scheme && at)
		return arena_printf(a, "%.*s%.*s", (int)before, url, (int)strcspn(at + 1, "?#"),
				    at + 1);
	return arena_copy(a, url, scheme ? before + strcspn(host, "?#") : strlen(url));
}

static bool is_local(const char *url)
{
	static const char *const hosts[] = { "localhost", "127.0.0.1", "0.0.0.0", "[::1]", "file:" };
	const char *scheme = strstr(url, "://");
	const char *host = scheme ? scheme + 3 : url;

	for (size_t i = 0; i < sizeof hosts / sizeof *hosts; i++)
		if (strncmp(host, hosts[i], strlen(hosts[i])) == 0)
			return true;
	return strncmp(url, "file:", 5) == 0;
}

/* Options whose value is no address to fetch. */
static const char value_options[] =
	"-o --output -O --output-document -H --header -A --user-agent -e --referer -x --proxy -u --user "
	"--retry --retry-delay --retry-max-time --connect-timeout -m --max-time -T --timeout -t "
	"--tries -P --directory-prefix -d --data --data-raw --data-binary -X --request -F --form -b "
	"-c --cookie --cacert --cert --key --create-dirs-mode -w --write-out --output-dir --dir -U "
	"--waitretry --noproxy --ciphers --tls-max --resolve -Uri-";

static const struct shell_word *find_address(const struct call *c)
{
	const struct shell_word *operand = NULL;

	for (size_t i = 1; i <= call_count(c); i++) {
		const char *word = call_word(c, i);

		if (word[0] == '-' && word[1]) {
			bool takes = word_in(value_options, word) &&
				     !(call_is(c, "curl") && strcmp(word, "-O") == 0);

			/* "-fsSLo FILE": the last letter of a bundle takes the value. */
			if (!takes && word[1] != '-' && strlen(word) > 2 && call_is(c, "curl"))
				takes = strchr("oHAexumXdFbcTw", word[strlen(word) - 1]) != NULL;
			if (!takes && word[1] != '-' && strlen(word) > 2 &&
			    call_is_any(c, "wget wget2"))
				takes = strchr("OPTtU", word[strlen(word) - 1]) != NULL;
			i += takes;
			continue;
		}
		if (strstr(word, "://"))
			return &c->command->words.items[c->at + i];
		if (!operand)
			operand = &c->command->words.items[c->at + i];
	}
	return operand;
}

/* Requests that give or ask something rather than fetch a file. */
static bool is_request(const struct call *c)
{
	return call_option(c, "-X") || call_option(c, "--request") || call_option(c, "--data") ||
	       call_option(c, "-d") || call_option(c, "--data-raw") || call_option(c, "--head") ||
	       call_option(c, "-I") || call_option(c, "--spider") || call_option(c, "-F");
}

/* --- where it goes ---------------------------------------------------------------------------- */

static const char *bundled_value(const struct call *c, char letter)
{
	for (size_t i = 1; i < call_count(c); i++) {
		const char *word = call_word(c, i);

		if (word[0] == '-' && word[1] && word[1] != '-' && word[strlen(word) - 1] == letter)
			return call_word(c, i + 1);
	}
	return NULL;
}

static const char *last_part(const char *url)
{
	const char *slash = strrchr(url, '/');

	return slash && slash[1] ? slash + 1 : url;
}

/* The file that a fetch writes, NULL when it goes to the next command. */
static const char *target_of(const struct call *c, const char *url)
{
	bool curl = call_is(c, "curl");
	const char *path = call_redirected(c);

	if (!path)
		path = call_option_value(c, curl ? "--output" : "--output-document");
	if (!path)
		path = bundled_value(c, curl ? 'o' : 'O');
	if (path)
		return strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0 ? NULL : path;
	if (curl)
		return call_option(c, "-O") || call_option(c, "--remote-name") ? last_part(url) : NULL;
	if (call_option(c, "-qO-") || call_option(c, "-O-"))
		return NULL;
	return last_part(url);
}

/* --- run at once ------------------------------------------------------------------------------ */

static bool runs_text(const struct call *c)
{
	if (steps_is_interpreter(c->program)) {
		size_t i = call_operand(c, 1, "-o -O");
		const char *word = call_word(c, i);

		return !i || strcmp(word, "-") == 0 || strcmp(word, "/dev/stdin") == 0 ||
		       call_option(c, "-s") || call_option(c, "-");
	}
	return call_is_any(c, "source .");
}

/* Follows the pipe behind command INDEX; TEE is set to a file that the text also goes to. */
static bool pipe_runs(const struct shell *sh, size_t index, const char **tee)
{
	struct call c;

	for (size_t i = index + 1; i < sh->count && sh->items[i].before == SHELL_PIPE; i++) {
		call_init(&c, sh, i);
		if (runs_text(&c))
			return true;
		if (call_is(&c, "tee") && call_operand(&c, 1, ""))
			*tee = call_word(&c, call_operand(&c, 1, ""));
		else if (call_redirected(&c))
			*tee = call_redirected(&c);
	}
	return false;
}

/* sh -c "$(fetch)", eval "$(fetch)", . <(fetch), bash <(fetch). */
static bool substitution_runs(const struct call *c)
{
	struct call parent;

	if (c->command->parent < 0 || (size_t)c->command->parent >= c->shell->count)
		return false;
	call_init(&parent, c->shell, (size_t)c->command->parent);
	if (call_is_any(&parent, "eval source ."))
		return true;
	if (!steps_is_interpreter(parent.program))
		return false;
	return call_option(&parent, "-c") || call_option(&parent, "-e") ||
	       strncmp(call_word(&parent, call_operand(&parent, 1, "")), "<(", 2) == 0;
}

static struct fact *add_download(struct steps *s, const char *url, const char *path,
				 const char *tool, struct span span)
{
	struct fact *f = steps_fact_at(s, FACT_DOWNLOAD, shown_address(arena_of(s), url), span);
	struct steps_download *d = ARENA_PUSH(arena_of(s), &s->downloads);

	*d = (struct steps_download){ .fact = f, .path = path, .text = s->texts };
	steps_set(s, f, "tool", tool);
	if (*url == '$')
		f->note = "the address is a variable";
	return f;
}

static void clone(struct steps *s, const struct call *c)
{
	size_t verb = call_operand(c, 1, "-C -c --git-dir --work-tree");
	size_t i = call_operand(c, verb + 1, "-b --branch --depth -j --jobs -o --origin -c --config "
					     "--reference --filter --shallow-since --separate-git-dir "
					     "--revision --template");
	const char *revision = call_option_value(c, "--revision");
	struct fact *f;

	if (!verb || !i || !word_in("clone checkout co", call_word(c, verb)) ||
	    (strcmp(call_word(c, verb), "clone") != 0 && !call_is(c, "svn")))
		return;
	if (is_local(call_word(c, i)) || call_word(c, i)[0] == '.' || call_word(c, i)[0] == '/')
		return;
	f = add_download(s, call_word(c, i), NULL, c->program, c->command->span);
	s->downloads.items[s->downloads.count - 1].git = true;
	steps_set(s, f, "verified", revision && steps_is_commit(revision) ? "true" : "false");
	steps_entry(s, c, "download");
}

void steps_fetched(struct steps *s, const char *url, const char *path, const char *tool, bool runs,
		   struct span span)
{
	struct fact *f;

	if (is_local(url))
		return;
	f = add_download(s, url, path, tool, span);
	if (runs)
		steps_set(s, f, "piped", "true");
	steps_set(s, f, "verified", "false");
}

void step_fetch(struct steps *s, const struct call *c)
{
	const struct shell_word *address;
	const char *path, *tee = NULL;
	struct fact *f;
	bool runs;

	if (s->powershell)
		return;
	if (call_is_any(c, "git hg svn")) {
		clone(s, c);
		return;
	}
	address = find_address(c);
	if (!address || is_request(c) || is_local(address->text))
		return;
	path = target_of(c, address->text);
	runs = !path && (pipe_runs(c->shell, c->index, &tee) || substitution_runs(c));
	/* What a variable takes or the next program reads is data of that program. */
	if (!path && !tee && !runs && c->command->parent >= 0)
		return;
	f = add_download(s, address->text, path ? path : tee, c->program, c->command->span);
	if (runs)
		steps_set(s, f, "piped", "true");
	steps_set(s, f, "verified", "false");
	steps_entry(s, c, "download");
}

void step_add(struct steps *s, const char *url, const char *target, bool verified,
	      struct span span)
{
	const char *name = last_part(url);
	bool folder = target && *target && target[strlen(target) - 1] == '/';
	const char *path = !target ? name
			   : folder ? arena_printf(arena_of(s), "%s%s", target, name)
				    : target;
	struct fact *f = add_download(s, url, path, "ADD", span);

	steps_set(s, f, "verified", verified ? "true" : "false");
	s->downloads.items[s->downloads.count - 1].git = strstr(url, ".git") != NULL;
}

/* --- checked, or run later -------------------------------------------------------------------- */

static bool is_check(const struct call *c)
{
	if (call_is_any(c, "sha256sum sha512sum sha1sum sha384sum sha224sum shasum md5sum b2sum b3sum"))
		return call_option(c, "-c") || call_option(c, "--check");
	if (call_is_any(c, "gpg gpg2"))
		return call_option(c, "--verify") || call_option(c, "--decrypt");
	if (call_is_any(c, "gpgv gpgv2 minisign signify slsa-verifier"))
		return true;
	if (call_is(c, "cosign"))
		return strncmp(call_word(c, 1), "verify", 6) == 0;
	if (call_is(c, "gh"))
		return strcmp(call_word(c, 1), "attestation") == 0;
	return call_is(c, "openssl") &&
	       (call_option(c, "-verify") || strcmp(call_word(c, 1), "cms") == 0);
}

/* "[ "$(sha256sum f)" = … ]" and "test": a comparison made by hand. */
static bool compares_digest(const struct call *c)
{
	struct call parent;

	if (!call_is_any(c, "sha256sum sha512sum shasum sha384sum b2sum") ||
	    c->command->parent < 0 || (size_t)c->command->parent >= c->shell->count)
		return false;
	call_init(&parent, c->shell, (size_t)c->command->parent);
	return parent.command->kind == SHELL_TEST || call_is_any(&parent, "[ test [[");
}

static void replace(struct steps *s, struct fact *f, const char *name, const char *value)
{
	if (!fact_attribute_is(f, name, value))
		steps_set(s, f, name, value);
}

/* The first of the downloads that are looked back at. */
static size_t recent(const struct steps *s)
{
	return s->downloads.count > LIMIT_DOWNLOADS ? s->downloads.count - LIMIT_DOWNLOADS : 0;
}

void steps_checked(struct steps *s)
{
	for (size_t i = recent(s); i < s->downloads.count; i++) {
		struct steps_download *d = &s->downloads.items[i];

		if (d->path && !d->git && (d->text == s->texts || d->text + 1 == s->texts))
			replace(s, d->fact, "verified", "true");
	}
}

static bool same_file(const char *a, const char *b)
{
	while (a[0] == '.' && a[1] == '/')
		a += 2;
	while (b[0] == '.' && b[1] == '/')
		b += 2;
	if (a[0] == '/' && b[0] == '/')
		return strcmp(a, b) == 0;
	return strcmp(path_base(a), path_base(b)) == 0 && *path_base(a);
}

void steps_ran(struct steps *s, const char *path)
{
	for (size_t i = recent(s); i < s->downloads.count; i++) {
		struct steps_download *d = &s->downloads.items[i];

		if (d->path && same_file(d->path, path) && path_ends(path, ".deb .rpm .apk") == false &&
		    !fact_attribute_is(d->fact, "verified", "true"))
			replace(s, d->fact, "piped", "true");
	}
}

static void mark_commit(struct steps *s, const struct call *c)
{
	if (!call_is(c, "git"))
		return;
	for (size_t i = 1; i <= call_count(c); i++)
		if (steps_is_commit(call_word(c, i)))
			for (size_t k = recent(s); k < s->downloads.count; k++)
				if (s->downloads.items[k].git &&
				    s->downloads.items[k].text == s->texts)
					replace(s, s->downloads.items[k].fact, "verified", "true");
}

void step_check(struct steps *s, const struct call *c)
{
	size_t i;

	if (!s->downloads.count)
		return;
	mark_commit(s, c);
	if (is_check(c) || compares_digest(c)) {
		steps_checked(s);
		return;
	}
	if (steps_is_interpreter(c->program) || call_is_any(c, "source .")) {
		i = call_operand(c, 1, "-o -O");
		if (i)
			steps_ran(s, call_word(c, i));
		for (size_t k = 0; k < c->command->redirect_count; k++)
			if (strcmp(c->command->redirects[k].op, "<") == 0)
				steps_ran(s, c->command->redirects[k].target.text);
	} else if (strchr(call_word(c, 0), '/') || path_ends(call_word(c, 0), ".sh .run .bin")) {
		steps_ran(s, call_word(c, 0));
	}
}
