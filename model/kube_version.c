/* Reading Kubernetes versions.
 * SPDX-License-Identifier: MIT */
#include "model/kube_version.h"

#include <stddef.h>
#include <string.h>

enum { MOST_DIGITS = 3 };

static size_t digits(const char *text)
{
	return strspn(text, "0123456789");
}

/* A patch level, a pre-release or a build: ".3", "-gke.1", "+k3s1". */
static bool is_rest(const char *text)
{
	if (*text == '.') {
		size_t n = digits(++text);

		if (!n)
			return false;
		text += n;
	}
	if (*text == '-' || *text == '+')
		return text[1] != '\0';
	return *text == '\0';
}

bool kube_version_minor(const char *text, unsigned *minor)
{
	size_t length;

	*minor = KUBE_LATEST;
	if (!text)
		return false;
	if (strcmp(text, "latest") == 0)
		return true;
	text += *text == 'v' || *text == 'V';
	if (strncmp(text, "1.", 2) != 0)
		return false;
	text += 2;
	length = digits(text);
	if (!length || length > MOST_DIGITS || (length > 1 && *text == '0') ||
	    !is_rest(text + length))
		return false;
	*minor = 0;
	for (size_t i = 0; i < length; i++)
		*minor = *minor * 10 + (unsigned)(text[i] - '0');
	return true;
}

bool kube_version_is_valid(const char *text)
{
	unsigned minor;

	return kube_version_minor(text, &minor);
}
