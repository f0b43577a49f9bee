/* One start of libgit2 for a whole test program: each start reads the machine's certificates.
 * SPDX-License-Identifier: MIT */
#ifndef TESTS_UNIT_GIT_HELP_H
#define TESTS_UNIT_GIT_HELP_H

#include <git2.h>

/* Group set-up and tear-down of cmocka_run_group_tests(). */
static inline int hold_git(void **state)
{
	(void)state;
	return git_libgit2_init() < 0;
}

static inline int release_git(void **state)
{
	(void)state;
	return git_libgit2_shutdown() < 0;
}

#endif
