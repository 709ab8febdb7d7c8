/* SPDX-License-Identifier: Apache-2.0
 *
 * A folder of their own for peers that put files into the user's home.
 */
#ifndef SCRATCH_H
#define SCRATCH_H

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>

static char scratch[4096];

/* Makes it, and tells the peer by the variable that it looks at. */
static void enter_scratch(const char *variable)
{
    const char *above = getenv("TMPDIR");
    snprintf(scratch, sizeof scratch, "%s/rill-bench-XXXXXX", above && *above ? above : "/tmp");
    if (!mkdtemp(scratch) || setenv(variable, scratch, 1)) {
        perror(scratch);
        exit(EXIT_FAILURE);
    }
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *where)
{
    (void)status;
    (void)kind;
    (void)where;
    return remove(path);
}

static void leave_scratch(void)
{
    nftw(scratch, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

#endif
