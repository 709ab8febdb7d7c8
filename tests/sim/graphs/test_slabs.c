/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory that goes all at once: pieces lie apart and where they were asked for, blocks are
 * used again, and nothing stays.
 */
#include "sim/machine.h"

#include "backend-sim/graph/slabs.h"

enum { MANY = 3000, LINE = 64 };

static size_t bytes_of(int i)
{
    return BLOCK_UNIT * (1 + (size_t)(i * 7) % 40); /* some are too large for slabs */
}

static void blocks_do_not_overlap_and_all_go(void **state)
{
    struct slabs slabs = { 0 };
    static unsigned char *blocks[MANY];
    long live = rl_alloc_live();
    (void)state;
    for (int i = 0; i < MANY; i++) {
        blocks[i] = sim_slabs_alloc(&slabs, bytes_of(i));
        assert_non_null(blocks[i]);
        assert_int_equal((uintptr_t)blocks[i] % BLOCK_UNIT, 0);
        memset(blocks[i], i % 251, bytes_of(i));
    }
    for (int i = 0; i < MANY; i++)
        for (size_t at = 0; at < bytes_of(i); at++) assert_int_equal(blocks[i][at], i % 251);
    for (int i = 0; i < MANY; i += 3) sim_slabs_free(&slabs, blocks[i], bytes_of(i));
    sim_slabs_end(&slabs);
    assert_int_equal(rl_alloc_live(), live);
}

static void pieces_begin_on_the_boundary_that_was_asked_for(void **state)
{
    struct slabs slabs = { 0 };
    (void)state;
    for (int i = 0; i < 200; i++) {
        assert_non_null(sim_slabs_alloc(&slabs, BLOCK_UNIT));
        unsigned char *piece = sim_slabs_cut(&slabs, 2 * LINE, LINE);
        assert_non_null(piece);
        assert_int_equal((uintptr_t)piece % LINE, 0);
        memset(piece, 1, 2 * LINE);
    }
    sim_slabs_end(&slabs);
}

static void what_was_given_back_is_used_again(void **state)
{
    struct slabs slabs = { 0 };
    (void)state;
    void *small = sim_slabs_alloc(&slabs, 48), *large = sim_slabs_alloc(&slabs, 4096);
    const size_t bytes = slabs.bytes;
    long live = rl_alloc_live();
    sim_slabs_free(&slabs, large, 4096);
    assert_int_equal(rl_alloc_live(), live - 1);
    for (int i = 0; i < MANY; i++) {
        sim_slabs_free(&slabs, small, 48);
        assert_ptr_equal(sim_slabs_alloc(&slabs, 48), small);
    }
    assert_int_equal(slabs.bytes, bytes);
    sim_slabs_end(&slabs);
}

static void memory_that_is_short_leaves_all_as_it_was(void **state)
{
    struct slabs slabs = { 0 };
    (void)state;
    rl_alloc_fail_after(0);
    assert_null(sim_slabs_alloc(&slabs, 32));
    rl_alloc_fail_after(0);
    assert_null(sim_slabs_alloc(&slabs, 4096));
    rl_alloc_fail_after(-1);
    assert_int_equal(slabs.bytes, 0);
    assert_non_null(sim_slabs_alloc(&slabs, 32));
    sim_slabs_end(&slabs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_do_not_overlap_and_all_go),
        cmocka_unit_test(pieces_begin_on_the_boundary_that_was_asked_for),
        cmocka_unit_test(what_was_given_back_is_used_again),
        cmocka_unit_test(memory_that_is_short_leaves_all_as_it_was),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
