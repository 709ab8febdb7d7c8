/* SPDX-License-Identifier: Apache-2.0
 *
 * The layouts that libdw.h declares are those of libdw's own headers, where they are installed.
 */
#include "support/cmocka_all.h"

#include <stdio.h>

#include "site/libdw.h"

#if defined(__has_include)
#if __has_include(<elfutils/libdwfl.h>)
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#define HAVE_HEADERS 1
#endif
#endif

#ifdef HAVE_HEADERS
static void layouts_fit(void **state)
{
    (void)state;
    assert_int_equal(sizeof(struct cs_die), sizeof(Dwarf_Die));
    assert_int_equal(sizeof(struct cs_die_attribute), sizeof(Dwarf_Attribute));
    assert_int_equal(sizeof(struct cs_dwfl_callbacks), sizeof(Dwfl_Callbacks));
    assert_int_equal(offsetof(struct cs_dwfl_callbacks, find_debuginfo),
                     offsetof(Dwfl_Callbacks, find_debuginfo));
    assert_int_equal(sizeof(Dwarf_Addr), sizeof(uint64_t));
    assert_int_equal(sizeof(Dwarf_Word), sizeof(uint64_t));
    assert_int_equal(sizeof(Dwarf_Off), sizeof(uint64_t));
    assert_int_equal(sizeof(GElf_Word), sizeof(uint32_t));
}

#endif

int main(void)
{
#ifdef HAVE_HEADERS
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layouts_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
#else
    puts("1..0 # SKIP the headers of libdw are not installed");
    return 0;
#endif
}
