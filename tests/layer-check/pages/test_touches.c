/* SPDX-License-Identifier: Apache-2.0
 *
 * What handlers of faults put in, and whoever enters the checker takes out.
 */
#include "layer-check/slots/touches.h"

#include <pthread.h>
#include <stdatomic.h>

#include "support/cmocka_all.h"

#define ROOM 64u

static bool put(struct ck_touches *touches, uint64_t address)
{
    return ck_touches_put(touches, &(struct ck_seen){ .touched = { .address = address } });
}

struct taken {
    uint64_t list[ROOM];
    size_t count;
};

static void take_one(void *data, const struct ck_seen *seen)
{
    struct taken *taken = data;
    taken->list[taken->count++] = seen->touched.address;
}

static void they_come_out_in_the_order_in_which_they_went_in(void **state)
{
    struct ck_touches *touches = ck_touches_create(ROOM);
    (void)state;
    assert_false(ck_touches_wait(touches));
    for (int round = 0; round < 3; round++) {
        struct taken taken = { .count = 0 };
        for (uint64_t i = 1; i <= 5; i++) assert_true(put(touches, i));
        assert_true(ck_touches_wait(touches));
        assert_int_equal(ck_touches_take(touches, take_one, &taken), 5);
        for (uint64_t i = 1; i <= 5; i++) assert_int_equal(taken.list[i - 1], i);
        assert_false(ck_touches_wait(touches));
    }
    ck_touches_destroy(touches);
}

static void one_that_finds_no_room_is_refused(void **state)
{
    struct ck_touches *touches = ck_touches_create(ROOM);
    (void)state;
    for (int round = 0; round < 3; round++) {
        struct taken taken = { .count = 0 };
        for (unsigned i = 0; i < ROOM; i++) assert_true(put(touches, i));
        assert_false(put(touches, ROOM));
        assert_int_equal(ck_touches_take(touches, take_one, &taken), ROOM);
        for (unsigned i = 0; i < ROOM; i++) assert_int_equal(taken.list[i], i);
    }
    ck_touches_destroy(touches);
}

/* ---- Several threads ------------------------------------------------------------------------ */

enum { THREADS = 4, EACH = 20000 };

struct crowd {
    struct ck_touches *touches;
    atomic_uint ready, over;
    uint64_t last[THREADS]; /* that was taken of each thread */
};

struct member {
    struct crowd *crowd;
    uint64_t number;
};

static void *put_many(void *data)
{
    const struct member *member = data;
    atomic_fetch_add(&member->crowd->ready, 1);
    for (uint64_t i = 1; i <= EACH;)
        if (put(member->crowd->touches, member->number << 32 | i)) i++;
        else sched_yield();
    atomic_fetch_add(&member->crowd->over, 1);
    return NULL;
}

static void expect_next(void *data, const struct ck_seen *seen)
{
    struct crowd *crowd = data;
    uint64_t thread = seen->touched.address >> 32;
    assert_int_equal(seen->touched.address & UINT32_MAX, ++crowd->last[thread]);
}

static void none_is_lost_among_threads(void **state)
{
    struct crowd crowd = { .touches = ck_touches_create(ROOM) };
    struct member members[THREADS];
    pthread_t threads[THREADS];
    bool over;
    (void)state;
    for (uint64_t i = 0; i < THREADS; i++) {
        members[i] = (struct member){ &crowd, i };
        assert_int_equal(pthread_create(&threads[i], NULL, put_many, &members[i]), 0);
    }
    do {
        over = atomic_load(&crowd.over) == THREADS;
        if (!ck_touches_take(crowd.touches, expect_next, &crowd)) sched_yield();
    } while (!over);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(crowd.last[i], EACH);
    }
    ck_touches_destroy(crowd.touches);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_come_out_in_the_order_in_which_they_went_in),
        cmocka_unit_test(one_that_finds_no_room_is_refused),
        cmocka_unit_test(none_is_lost_among_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
