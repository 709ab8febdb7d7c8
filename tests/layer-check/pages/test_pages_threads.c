/* SPDX-License-Identifier: Apache-2.0
 *
 * Threads that touch, guard and release at once.
 */
#include "layer-check/pages/twice_mapped.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/unseen.h"

#define THREADS 4
#define ROUNDS 300

struct crowd {
    struct scene *scene;
    pthread_barrier_t barrier;
    atomic_bool stop;
};

/* The program's races are its own. */
RL_UNSEEN static void touch_racily(unsigned char *address)
{
    *(volatile unsigned char *)address = 1;
}

static void *touch_the_same_page(void *data)
{
    struct crowd *crowd = data;
    for (int i = 0; i < ROUNDS; i++) {
        pthread_barrier_wait(&crowd->barrier); /* it is guarded  */
        touch_racily(crowd->scene->memory.program);
        pthread_barrier_wait(&crowd->barrier); /* it was touched */
    }
    return NULL;
}

static void start_threads(pthread_t *threads, void *(*main)(void *), void *data)
{
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, main, data), 0);
}

static void join_threads(pthread_t *threads)
{
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
}

static void threads_may_fault_on_one_page_at_once(void **state)
{
    struct crowd crowd = { .scene = *state };
    pthread_t threads[THREADS];
    pthread_barrier_init(&crowd.barrier, NULL, THREADS + 1);
    start_threads(threads, touch_the_same_page, &crowd);
    for (uint64_t i = 1; i <= ROUNDS; i++) {
        guard_pages(crowd.scene, 0, 1, RILL_TOUCH_WRITE, until(1, i));
        pthread_barrier_wait(&crowd.barrier);
        pthread_barrier_wait(&crowd.barrier);
        unsigned told = atomic_exchange(&crowd.scene->touches.count, 0);
        assert_in_range(told, 1, 2 * THREADS); /* a few more if they came in each other's way */
        touch_racily(crowd.scene->memory.program);
        assert_untouched(&crowd.scene->touches);
    }
    join_threads(threads);
    pthread_barrier_destroy(&crowd.barrier);
}

static void *touch_until_the_end(void *data)
{
    struct crowd *crowd = data;
    for (size_t i = 0; !atomic_load(&crowd->stop); i++)
        touch_racily(crowd->scene->memory.program + i % PAGES * PAGE);
    return NULL;
}

/* What happens between the fault of a thread and its handler must not end the process. */
static void pages_may_change_between_a_fault_and_its_handler(void **state)
{
    struct crowd crowd = { .scene = *state };
    struct scene *scene = crowd.scene;
    pthread_t threads[THREADS];
    start_threads(threads, touch_until_the_end, &crowd);
    for (uint64_t i = 1; i <= 10 * ROUNDS; i++) {
        guard_pages(scene, i % 4, 4, i % 3 ? RILL_TOUCH_WRITE : RILL_TOUCH_READ, until(i % 2, i));
        if (i % 5 == 0) assert_true(ck_pages_watch_all(scene->pages, true));
        release_until(scene, i % 2, i);
        if (i % 5 == 0) assert_true(ck_pages_watch_all(scene->pages, false));
        release_until(scene, (i + 1) % 2, i);
    }
    atomic_store(&crowd.stop, true);
    join_threads(threads);
    atomic_store(&scene->touches.count, 0);
    for (size_t page = 0; page < PAGES; page++) touch_racily(scene->memory.program + page * PAGE);
    assert_untouched(&scene->touches);
}

static void allocations_may_come_and_go_while_others_are_touched(void **state)
{
    struct crowd crowd = { .scene = *state };
    struct scene *scene = crowd.scene;
    struct memory more = map_twice();
    pthread_t threads[THREADS];
    start_threads(threads, touch_until_the_end, &crowd);
    for (uint64_t i = 1; i <= ROUNDS; i++) {
        for (size_t page = 0; page < PAGES; page += 2)
            assert_true(ck_pages_add(scene->pages, more.program + page * PAGE, PAGE));
        guard_pages(scene, 0, PAGES, RILL_TOUCH_WRITE, until(1, i));
        for (size_t page = 0; page < PAGES; page += 2)
            ck_pages_remove(scene->pages, more.program + page * PAGE);
        /* The one that is touched, too. */
        ck_pages_remove(scene->pages, scene->memory.program);
        assert_true(ck_pages_add(scene->pages, scene->memory.program, PAGES * PAGE));
    }
    atomic_store(&crowd.stop, true);
    join_threads(threads);
    unmap_twice(&more);
}

static atomic_bool is_told, may_go_on, is_destroyed;

static void wait_to_go_on(void *data, const struct ck_touch *touch)
{
    (void)data, (void)touch;
    atomic_store(&is_told, true);
    while (!atomic_load(&may_go_on)) sched_yield();
    assert_false(atomic_load(&is_destroyed));
}

static void *touch_once(void *data)
{
    touch_racily(data);
    return NULL;
}

static void *let_go_on(void *data)
{
    struct ck_pages *pages = data;
    /* The lock is free while somebody is told. */
    assert_true(ck_pages_guard(pages, "", 1, RILL_TOUCH_READ, until(1, 2)));
    atomic_store(&may_go_on, true);
    return NULL;
}

static void destroying_waits_for_those_who_are_told(void **state)
{
    struct memory memory = map_twice();
    struct ck_pages *pages = ck_pages_create(wait_to_go_on, NULL);
    pthread_t toucher, other;
    (void)state;
    assert_true(ck_pages_add(pages, memory.program, PAGE));
    assert_true(ck_pages_guard(pages, memory.program, 1, RILL_TOUCH_WRITE, until(1, 1)));
    pthread_create(&toucher, NULL, touch_once, memory.program);
    while (!atomic_load(&is_told)) sched_yield();
    pthread_create(&other, NULL, let_go_on, pages);
    while (!atomic_load(&may_go_on)) sched_yield();
    ck_pages_destroy(pages);
    atomic_store(&is_destroyed, true);
    pthread_join(toucher, NULL);
    pthread_join(other, NULL);
    unmap_twice(&memory);
}

int main(void)
{
#define SCENE_TEST(test) cmocka_unit_test_setup_teardown(test, scene_open, scene_close)
    static const struct CMUnitTest tests[] = {
        SCENE_TEST(threads_may_fault_on_one_page_at_once),
        SCENE_TEST(pages_may_change_between_a_fault_and_its_handler),
        SCENE_TEST(allocations_may_come_and_go_while_others_are_touched),
        cmocka_unit_test(destroying_waits_for_those_who_are_told),
    };
    if (skips_all()) return 0;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
