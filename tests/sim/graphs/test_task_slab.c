/* SPDX-License-Identifier: Apache-2.0
 *
 * Where tasks lie: side by side, for as long as any of them is there, whatever became of
 * their context.
 */
#include "backend-sim/graph/task_slab.h"
#include "sim/machine.h"

#include "backend-sim/graph/task.h"
#include "backend-sim/graph/task_slab.h"

static void free_task(struct task *task)
{
    sim_task_free(task);
}

static const struct node_kind kind = { .op = RILL_OP_EMPTY, .free = free_task };

/* So that two that overlap would tell. */
static struct task *fill(struct task *task, size_t bytes)
{
    if (!task) return NULL;
    sim_task_init(task, &kind, 0);
    memset(task + 1, 0x5a, bytes - sizeof *task);
    return task;
}

static struct task *make(struct task_room *room, size_t bytes)
{
    struct task *task = fill(sim_task_alloc(room, bytes), bytes);
    assert_non_null(task);
    return task;
}

enum { MANY = 1000, EACH = 40 };

static void tasks_do_not_overlap_and_all_go(void **state)
{
    struct task_room room = { .open = NULL };
    struct task *tasks[MANY];
    long live = rl_alloc_live();
    (void)state;
    for (int i = 0; i < MANY; i++) {
        tasks[i] = make(&room, EACH);
        assert_int_equal((uintptr_t)tasks[i] % 8, 0);
        if (i && tasks[i]->slab > tasks[i - 1]->slab)
            assert_true((unsigned char *)tasks[i] - (unsigned char *)tasks[i - 1] >= EACH);
    }
    for (int i = 0; i < MANY; i++) {
        assert_ptr_equal(tasks[i]->kind, &kind);
        sim_task_release(tasks[i]);
    }
    assert_true(rl_alloc_live() <= live + 1); /* the one that is open */
    sim_task_room_end(&room);
    assert_int_equal(rl_alloc_live(), live);
}

static void a_task_stays_when_its_context_goes(void **state)
{
    struct task_room room = { .open = NULL };
    long live = rl_alloc_live();
    (void)state;
    struct task *first = make(&room, EACH), *last = make(&room, EACH);
    sim_task_release(first);
    sim_task_room_end(&room);
    assert_int_equal(((unsigned char *)(last + 1))[0], 0x5a);
    struct task *late = make(&room, EACH);
    assert_int_equal(late->slab, 0);
    sim_task_release(late);
    sim_task_release(last);
    assert_int_equal(rl_alloc_live(), live);
}

static void a_large_task_has_memory_of_its_own(void **state)
{
    struct task_room room = { .open = NULL };
    long live = rl_alloc_live();
    (void)state;
    struct task *large = make(&room, 100000), *small = make(&room, EACH);
    assert_int_equal(large->slab, 0);
    sim_task_release(small);
    sim_task_release(large);
    sim_task_room_end(&room);
    assert_int_equal(rl_alloc_live(), live);
}

static void a_slab_that_memory_is_short_for_is_tried_again(void **state)
{
    struct task_room room = { .open = NULL };
    long live = rl_alloc_live();
    int failed = 0;
    (void)state;
    for (int i = 0; i < MANY; i++) {
        rl_alloc_fail_after(0);
        struct task *task = sim_task_alloc(&room, EACH);
        rl_alloc_fail_after(-1);
        failed += !task;
        if (!task) task = sim_task_alloc(&room, EACH);
        assert_non_null(task);
        sim_task_free(task);
    }
    assert_true(failed > 1);
    sim_task_room_end(&room);
    assert_int_equal(rl_alloc_live(), live);
}

/* ---- Several threads --------------------------------------------------------------------- */

struct shared {
    struct task_room room;
    struct task *_Atomic passed[64];
    atomic_bool overwritten;
};

/* What one makes another frees. */
static void *churn(void *data)
{
    struct shared *shared = data;
    for (int i = 0, count = scaled(20000); i < count; i++) {
        struct task *task = fill(sim_task_alloc(&shared->room, EACH), EACH);
        task = atomic_exchange(&shared->passed[i % 64], task);
        if (!task) continue;
        if (((unsigned char *)(task + 1))[0] != 0x5a) atomic_store(&shared->overwritten, true);
        sim_task_release(task);
    }
    return NULL;
}

static void threads_make_and_free_side_by_side(void **state)
{
    struct shared *shared = calloc(1, sizeof *shared);
    pthread_t threads[3];
    long live = rl_alloc_live();
    (void)state;
    assert_non_null(shared);
    for (int i = 0; i < 3; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, churn, shared), 0);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    assert_false(atomic_load(&shared->overwritten));
    sim_task_room_end(&shared->room);
    for (int i = 0; i < 64; i++)
        if (shared->passed[i]) sim_task_release(shared->passed[i]);
    assert_int_equal(rl_alloc_live(), live);
    free(shared);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tasks_do_not_overlap_and_all_go),
        cmocka_unit_test(a_task_stays_when_its_context_goes),
        cmocka_unit_test(a_large_task_has_memory_of_its_own),
        cmocka_unit_test(a_slab_that_memory_is_short_for_is_tried_again),
        cmocka_unit_test(threads_make_and_free_side_by_side),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
