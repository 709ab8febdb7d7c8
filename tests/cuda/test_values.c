/* SPDX-License-Identifier: Apache-2.0
 *
 * What operations on values are to the driver: which call they take, with what, and what is said
 * when it refuses.
 */
#include "cuda/telling.h"
#include "support/cmocka_all.h"

static rill_op values(const rill_value *items, size_t count, uint32_t flags)
{
    return (rill_op){ .kind = RILL_OP_VALUES, .values = { items, count, flags } };
}

static void one_value_takes_a_call_of_its_own_and_more_a_batch(void **state)
{
    const rill_value items[] = {
        { RILL_VALUE_WRITE_32, 5, 0x10, UINT64_C(0x200000003) },
        { RILL_VALUE_WAIT_64, 6, 0x20, UINT64_C(0x200000003) },
        { RILL_VALUE_WRITE_32, 7, 0x30, UINT64_C(0x200000003) },
    };
    telling_submits(*state, values(items, 1, 0), "write 10 3 5");
    telling_submits(*state, values(items, 1, 8), "batch of 1, 8; last 2 10 3 5");
    telling_submits(*state, values(items, 2, 0), "batch of 2, 0; last 4 20 200000003 6");
    telling_submits(*state, values(items, 3, 0), "batch of 3, 0; last 2 30 3 7");
    telling_submits(*state, values(NULL, 0, 0), "batch of 0, 0; last -1 0 0 0");
}

static void a_batch_that_is_too_long_does_not_reach_the_driver(void **state)
{
    static rill_value items[256];
    for (int i = 0; i < 256; i++) items[i] = (rill_value){ RILL_VALUE_WRITE_32, 0, DEVICE, 1 };
    telling_submits(*state, values(items, 255, 0), "batch of 255, 0; last 2 1000000 1 0");
    telling_blames(*state, values(items, 256, 0), "count");
    assert_string_equal(telling_said, "");
    telling_blames(*state, values(items, SIZE_MAX, 0), "op->values.count");
}

static void a_refused_value_is_blamed_on_what_is_wrong(void **state)
{
    const struct {
        rill_value item;
        const char *argument;
    } all[] = {
        { { (rill_value_kind)7, 0, DEVICE, 0 }, "kind" },
        { { RILL_VALUE_WRITE_32, 1, DEVICE, 0 }, "flags" },
        { { RILL_VALUE_WAIT_32, 4, DEVICE, 0 }, "flags" },
        { { RILL_VALUE_BARRIER, 2, 0, 0 }, "flags" },
        { { RILL_VALUE_WRITE_32, 0, DEVICE + 2, 0 }, "address" },
        { { RILL_VALUE_WAIT_64, 0, DEVICE + 4, 0 }, "address" },
        { { RILL_VALUE_WAIT_64, 0, NOWHERE, 0 }, "address" },
        { { RILL_VALUE_WRITE_32, 0, FAR, 0 }, "address" },
        { { RILL_VALUE_WRITE_32, 0, PINNED, 0 }, NULL },
    };
    telling_answer = CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const rill_value both[] = { { RILL_VALUE_WRITE_32, 0, DEVICE, 0 }, all[i].item };
        telling_blames(*state, values(both, 2, 0), all[i].argument);
    }
    telling_blames(*state, values(&all[8].item, 1, 1), "flags");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TELLING_TEST(one_value_takes_a_call_of_its_own_and_more_a_batch),
        TELLING_TEST(a_batch_that_is_too_long_does_not_reach_the_driver),
        TELLING_TEST(a_refused_value_is_blamed_on_what_is_wrong),
    };
    return cmocka_run_group_tests_name("values", tests, NULL, NULL);
}
