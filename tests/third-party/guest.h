/* SPDX-License-Identifier: Apache-2.0
 *
 * What the guests share: each of their tests is a line, "pass name" or "fail name".
 */
#ifndef THIRD_PARTY_GUEST_H
#define THIRD_PARTY_GUEST_H

#include <stdbool.h>
#include <stdio.h>

struct guest_test {
    const char *name;
    bool (*passes)(void);
};

/* A line is out before the next test begins, which may end the program. */
static inline int guest_run(const struct guest_test *tests, size_t count)
{
    int failed = 0;
    for (size_t i = 0; i < count; i++) {
        bool passes = tests[i].passes();
        printf("%s %s\n", passes ? "pass" : "fail", tests[i].name);
        fflush(stdout);
        failed += !passes;
    }
    return failed != 0;
}

#define GUEST_RUN(tests) guest_run(tests, sizeof(tests) / sizeof *(tests))

#endif
