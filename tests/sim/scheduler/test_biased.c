/* SPDX-License-Identifier: Apache-2.0
 *
 * A lock that mostly one thread takes: whose it becomes, that it can be taken away, and
 * that it always keeps all others out.
 */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>

#include "base/biased.h"
#include "support/cmocka_all.h"
#include "support/random.h"

/* What the lock is for; no atomic, so that what checks threads sees two inside. */
struct shared {
    struct rl_biased lock;
    uint64_t count;
    atomic_bool inside; /* the thread of a test that waits for one inside */
};

static bool add(struct shared *shared)
{
    atomic_uchar *held = rl_biased_lock(&shared->lock);
    shared->count++;
    rl_biased_unlock(&shared->lock, held);
    return held;
}

/* Takes it until it is the calling thread's; how often, or 0 for never. */
static int make_own(struct shared *shared)
{
    for (int i = 1; i < 5000000; i++)
        if (add(shared)) return i;
    return 0;
}

static void in_another_thread(void *(*run)(void *), void *data)
{
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, run, data), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
}

static void *add_once(void *data)
{
    add(data);
    return NULL;
}

static void *add_until_own(void *data)
{
    make_own(data);
    return NULL;
}

static bool can_be_own(void)
{
    rl_fence_init();
    return !rl_fence_is_dear;
}

static void it_belongs_to_who_takes_it_again_and_again(void **state)
{
    struct shared shared = { .count = 0 };
    (void)state;
    if (!can_be_own()) skip();
    assert_int_not_equal(make_own(&shared), 0);
    for (int i = 0; i < 100; i++) assert_true(add(&shared));
}

static void where_the_system_cannot_help_it_belongs_to_nobody(void **state)
{
    struct shared shared = { .count = 0 };
    (void)state;
    bool dear = can_be_own() ? false : true;
    rl_fence_is_dear = true;
    for (int i = 0; i < 1000; i++) assert_false(add(&shared));
    rl_fence_is_dear = dear;
}

static void each_loss_makes_it_harder_to_get(void **state)
{
    struct shared shared = { .count = 0 };
    int before = 0;
    (void)state;
    if (!can_be_own()) skip();
    for (int i = 0; i < 4; i++) {
        int times = make_own(&shared);
        assert_true(times > before);
        before = times;
        in_another_thread(add_once, &shared);
        assert_false(add(&shared));
    }
}

static void *wait_to_get_in(void *data)
{
    struct shared *shared = data;
    atomic_uchar *held = rl_biased_lock(&shared->lock);
    atomic_store(&shared->inside, true);
    shared->count++;
    rl_biased_unlock(&shared->lock, held);
    return NULL;
}

static void who_takes_it_away_waits_for_the_owner_inside(void **state)
{
    struct shared shared = { .count = 0 };
    pthread_t thread;
    (void)state;
    if (!can_be_own()) skip();
    uint64_t count = (uint64_t)make_own(&shared);
    atomic_uchar *held = rl_biased_lock(&shared.lock);
    assert_non_null(held);
    assert_int_equal(pthread_create(&thread, NULL, wait_to_get_in, &shared), 0);
    while (atomic_load(&shared.lock.owner)) sched_yield();
    for (int i = 0; i < 1000; i++) {
        assert_false(atomic_load(&shared.inside));
        sched_yield();
    }
    shared.count++;
    rl_biased_unlock(&shared.lock, held);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_true(atomic_load(&shared.inside));
    assert_int_equal(shared.count, count + 2);
}

/* A thread may come where one was that ended, and is the owner then. */
static void it_outlives_its_owner(void **state)
{
    struct shared shared = { .count = 0 };
    (void)state;
    can_be_own();
    for (int i = 0; i < 6; i++) {
        uint64_t before = shared.count;
        in_another_thread(add_until_own, &shared);
        assert_true(shared.count > before);
    }
    add(&shared);
}

/* Its only turn as the owner was the one that made it the owner. */
struct heir {
    struct shared shared;
    _Atomic(const char *) first, second; /* the threads, once they have been inside */
};

static void *take_until_owned(void *data)
{
    struct heir *heir = data;
    while (!atomic_load_explicit(&heir->shared.lock.owner, memory_order_relaxed))
        add(&heir->shared);
    atomic_store_explicit(&heir->first, rl_biased_here, memory_order_relaxed);
    return NULL;
}

static void *take_as_heir(void *data)
{
    struct heir *heir = data;
    add(&heir->shared);
    atomic_store_explicit(&heir->second, rl_biased_here, memory_order_relaxed);
    return NULL;
}

/* Nothing but the lock orders what the thread does behind what others did. */
static const char *run_detached(void *(*run)(void *), struct heir *heir,
                                _Atomic(const char *) *who)
{
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, run, heir), 0);
    assert_int_equal(pthread_detach(thread), 0);
    while (!atomic_load_explicit(who, memory_order_relaxed)) sched_yield();
    return atomic_load_explicit(who, memory_order_relaxed);
}

/* What checks threads is the judge of it. */
static void who_inherits_it_is_behind_the_owner_that_ended(void **state)
{
    static struct heir heirs[200]; /* a detached thread may outlast its test */
    bool inherited = false;
    (void)state;
    if (!can_be_own()) skip();
    for (size_t i = 0; i < sizeof heirs / sizeof *heirs && !inherited; i++) {
        struct heir *heir = &heirs[i];
        const char *first = run_detached(take_until_owned, heir, &heir->first);
        for (int k = 0; k < 100; k++) sched_yield(); /* so that it has ended, mostly */
        inherited = run_detached(take_as_heir, heir, &heir->second) == first;
    }
    if (!inherited) skip(); /* the system puts threads elsewhere each time */
}

static void an_owner_is_made_a_few_times_only(void **state)
{
    struct shared shared = { .count = 0 };
    (void)state;
    if (!can_be_own()) skip();
    for (int i = 0; i < RL_OWNERSHIPS; i++) {
        shared.lock.wanted = 1;
        assert_int_not_equal(make_own(&shared), 0);
        in_another_thread(add_once, &shared);
    }
    shared.lock.wanted = 1;
    for (int i = 0; i < 1000; i++) assert_false(add(&shared));
}

/* ---- A late owner -----------------------------------------------------------------------
 *
 * A thread that owns the lock is stopped somewhere, by a signal; meanwhile another thread becomes
 * the owner and goes inside.  If the first was about to say that it is inside, it must not undo
 * what the second said.
 */

static struct {
    struct shared shared;
    atomic_bool stopped, go_on, ends;
    atomic_bool inside, both; /* the second owner is inside; and somebody else was as well */
} late;

static void stop_here(int signal)
{
    (void)signal;
    atomic_store(&late.stopped, true);
    while (!atomic_load(&late.go_on)) sched_yield();
}

static void *own_and_be_stopped(void *data)
{
    (void)data;
    make_own(&late.shared);
    while (!atomic_load(&late.ends)) {
        atomic_uchar *held = rl_biased_lock(&late.shared.lock);
        if (atomic_load(&late.inside)) atomic_store(&late.both, true);
        rl_biased_unlock(&late.shared.lock, held);
    }
    return NULL;
}

/* Tells whether the stopped thread is neither inside nor says so: who took the lock would wait. */
static bool may_be_taken(struct rl_biased *lock)
{
    bool is_free = !atomic_load(&lock->spin.held);
    for (int i = 0; i < RL_OWNERSHIPS; i++) is_free = is_free && !atomic_load(&lock->busy[i]);
    return is_free;
}

static void take_while_stopped(void)
{
    late.shared.lock.wanted = 1;
    make_own(&late.shared);
    atomic_uchar *held = rl_biased_lock(&late.shared.lock);
    atomic_store(&late.inside, true);
    atomic_store(&late.go_on, true);
    for (int i = 0; i < 200; i++) sched_yield();
    atomic_store(&late.inside, false);
    rl_biased_unlock(&late.shared.lock, held);
}

static void an_owner_that_comes_late_undoes_nothing(void **state)
{
    struct sigaction action = { .sa_handler = stop_here }, before;
    (void)state;
    if (!can_be_own()) skip();
    sigaction(SIGUSR1, &action, &before);
    for (int i = 0; i < 500; i++) {
        pthread_t thread;
        memset(&late, 0, sizeof late);
        assert_int_equal(pthread_create(&thread, NULL, own_and_be_stopped, NULL), 0);
        while (!atomic_load(&late.shared.lock.owner)) sched_yield();
        pthread_kill(thread, SIGUSR1);
        while (!atomic_load(&late.stopped)) sched_yield();
        if (may_be_taken(&late.shared.lock)) take_while_stopped();
        atomic_store(&late.ends, true);
        atomic_store(&late.go_on, true);
        assert_int_equal(pthread_join(thread, NULL), 0);
        assert_false(late.both);
    }
    sigaction(SIGUSR1, &before, NULL);
}

/* ---- Many ------------------------------------------------------------------------------- */

enum { THREADS = 4, ROUNDS = 300, LONGEST = 600 };

struct adder {
    struct shared *shared;
    uint64_t seed, added, owned;
    pthread_t thread;
};

static void *add_in_bursts(void *data)
{
    struct adder *adder = data;
    struct dice dice = { adder->seed };
    for (int i = 0; i < ROUNDS; i++) {
        uint32_t burst = (uint32_t)dice_below(&dice, dice_chance(&dice, 75) ? 8 : LONGEST);
        for (uint32_t k = 0; k < burst; k++) adder->owned += add(adder->shared);
        adder->added += burst;
        if (dice_chance(&dice, 50)) sched_yield();
    }
    return NULL;
}

static void nothing_is_lost_among_many(void **state)
{
    struct shared shared = { .count = 0 };
    struct adder adders[THREADS];
    uint64_t added = 0;
    (void)state;
    can_be_own();
    for (int i = 0; i < THREADS; i++) {
        adders[i] = (struct adder){ .shared = &shared, .seed = (uint64_t)i + 1 };
        assert_int_equal(pthread_create(&adders[i].thread, NULL, add_in_bursts, &adders[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(adders[i].thread, NULL), 0);
        added += adders[i].added;
    }
    assert_int_equal(shared.count, added);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_belongs_to_who_takes_it_again_and_again),
        cmocka_unit_test(where_the_system_cannot_help_it_belongs_to_nobody),
        cmocka_unit_test(each_loss_makes_it_harder_to_get),
        cmocka_unit_test(who_takes_it_away_waits_for_the_owner_inside),
        cmocka_unit_test(it_outlives_its_owner),
        cmocka_unit_test(who_inherits_it_is_behind_the_owner_that_ended),
        cmocka_unit_test(an_owner_is_made_a_few_times_only),
        cmocka_unit_test(an_owner_that_comes_late_undoes_nothing),
        cmocka_unit_test(nothing_is_lost_among_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
