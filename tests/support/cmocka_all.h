/* SPDX-License-Identifier: Apache-2.0
 *
 * cmocka, after the headers that it needs and does not include.
 */
#ifndef CMOCKA_ALL_H
#define CMOCKA_ALL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Leaves the rest of a test out.  tools/check lists what was, with the reasons. */
#define skip_because(why) \
    do { \
        print_message("# skipped: %s\n", why); \
        skip(); \
    } while (0)

#endif
