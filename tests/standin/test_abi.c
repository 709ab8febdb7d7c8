/* SPDX-License-Identifier: Apache-2.0
 *
 * abi.h speaks the driver's language, as cuda.h has it.
 */
#include "standin/layout.h"
#include "support/cmocka_all.h"

static void sizes_fields_and_numbers_are_the_drivers(void **state)
{
    (void)state;
    assert_true(layout_count > 200);
    for (size_t i = 0; i < layout_count; i++) {
        const struct layout *ours = &layout_ours[i], *theirs = &layout_theirs[i];
        if (ours->value != theirs->value)
            fail_msg("%s is %lld, but %s is %lld", ours->what, ours->value, theirs->what,
                     theirs->value);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_fields_and_numbers_are_the_drivers),
    };
    return cmocka_run_group_tests_name("standin/abi", tests, NULL, NULL);
}
