/* SPDX-License-Identifier: Apache-2.0
 *
 * abi.h speaks the runtime's language, as cuda_runtime_api.h has it.
 */
#include "standin/layout.h"
#include "support/cmocka_all.h"

static void sizes_fields_and_numbers_are_the_runtimes(void **state)
{
    (void)state;
    if (!layout_theirs[0].what) skip();
    assert_true(layout_count > 50);
    for (size_t i = 0; i < layout_count; i++) {
        const struct layout *ours = &layout_ours[i], *theirs = &layout_theirs[i];
        if (ours->value != theirs->value)
            fail_msg("%s is %lld, but it is to be %lld", ours->what, ours->value, theirs->value);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_fields_and_numbers_are_the_runtimes),
    };
    return cmocka_run_group_tests_name("runtime/abi", tests, NULL, NULL);
}
