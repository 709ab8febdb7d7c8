/* SPDX-License-Identifier: Apache-2.0
 *
 * Which pinned memory says that it is portable, as on an H200 (driver 580.159.04): pieces are cut
 * from blocks, and say what the first piece of their block was asked to be.
 */
#include "standin/modules.h"

enum { PORTABLE = 1, MAPPED = 2, COMBINED = 4 };

#define MIB ((size_t)1 << 20)

static void *make(size_t bytes, unsigned flags)
{
    void *made = NULL;
    OK(CALL(cuMemHostAlloc, (void **, size_t, unsigned), (&made, bytes, flags)));
    return made;
}

static unsigned flags_of(void *memory)
{
    unsigned flags = 77;
    OK(CALL(cuMemHostGetFlags, (unsigned *, void *), (&flags, memory)));
    return flags;
}

static void end(void *memory)
{
    OK(CALL(cuMemFreeHost, (void *), (memory)));
}

static void a_piece_says_what_the_first_one_said(void **state)
{
    (void)state;
    void *first = make(64, 0), *second = make(65536, PORTABLE);
    assert_int_equal(flags_of(first), MAPPED);
    assert_int_equal(flags_of(second), MAPPED);
    end(first);
    end(second);
    first = make(4096, PORTABLE);
    second = make(64, 0);
    assert_int_equal(flags_of(first), MAPPED | PORTABLE);
    assert_int_equal(flags_of(second), MAPPED | PORTABLE);
    end(first); /* the block goes with its last piece */
    first = make(64, 0);
    assert_int_equal(flags_of(first), MAPPED | PORTABLE);
    end(first);
    end(second);
    first = make(64, 0);
    assert_int_equal(flags_of(first), MAPPED);
    end(first);
}

static void what_is_combined_has_blocks_of_its_own(void **state)
{
    (void)state;
    void *combined = make(64, COMBINED), *plain = make(64, PORTABLE),
         *other = make(64, COMBINED | PORTABLE);
    assert_int_equal(flags_of(combined), MAPPED | COMBINED);
    assert_int_equal(flags_of(plain), MAPPED | PORTABLE);
    assert_int_equal(flags_of(other), MAPPED | COMBINED);
    end(combined);
    end(plain);
    end(other);
}

static void what_is_large_is_a_block_alone(void **state)
{
    (void)state;
    void *piece = make(MIB, PORTABLE), *large = make(2 * MIB, 0);
    void *portable = make(4 * MIB, PORTABLE);
    assert_int_equal(flags_of(piece), MAPPED | PORTABLE);
    assert_int_equal(flags_of(large), MAPPED);
    assert_int_equal(flags_of(portable), MAPPED | PORTABLE);
    end(piece);
    end(large);
    end(portable);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_piece_says_what_the_first_one_said),
        TEST(what_is_combined_has_blocks_of_its_own),
        TEST(what_is_large_is_a_block_alone),
    };
    library_begin();
    return cmocka_run_group_tests_name("standin/host_blocks", tests, NULL, NULL);
}
