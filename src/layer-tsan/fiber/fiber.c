/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-tsan/fiber/fiber.h"

#include <stdatomic.h>
#include <stddef.h>

#include "base/alloc.h"
#include "base/stack.h"
#include "base/tsan.h"
#include "layer-tsan/fiber/stack.h"

/* Of the calling thread, or of the fiber that it is in. */
static _Thread_local uint64_t line_here; /* 0 if the thread has none yet */
static _Thread_local unsigned hidden;    /* how often          */

/* ---- Lines -------------------------------------------------------------------------------- */

static atomic_uint_least64_t lines;

uint64_t ts_line_new(void)
{
    return atomic_fetch_add_explicit(&lines, 1, memory_order_relaxed) + 1;
}

uint64_t ts_line_here(void)
{
    if (!line_here) line_here = ts_line_new();
    return line_here;
}

/* ---- What is hidden ----------------------------------------------------------------------- */

void ts_hide(void)
{
    if (!hidden++) __tsan_ignore_thread_begin();
}

void ts_show(void)
{
    if (!--hidden) __tsan_ignore_thread_end();
}

void ts_run_shown(void (*function)(void *data), void *data)
{
    unsigned before = hidden;
    if (before) __tsan_ignore_thread_end();
    hidden = 0;
    function(data);
    hidden = before;
    if (before) __tsan_ignore_thread_begin();
}

/* ---- Fibers ------------------------------------------------------------------------------- */

void ts_root_init(struct ts_root *root)
{
    *root = (struct ts_root){ .fiber = __tsan_create_fiber(0) };
}

void ts_root_fini(struct ts_root *root)
{
    while (root->stacks) {
        void *stack = root->stacks;
        root->stacks = *(void **)stack;
        ts_stack_close(stack);
    }
    if (root->fiber) __tsan_destroy_fiber(root->fiber);
    root->fiber = NULL;
}

static void *create_fiber(struct ts_root *root, const char *name)
{
    void *home = __tsan_get_current_fiber();
    rl_lock(&root->lock);
    __tsan_switch_to_fiber(root->fiber, RL_TSAN_NO_ORDER);
    void *fiber = __tsan_create_fiber(0);
    __tsan_switch_to_fiber(home, RL_TSAN_NO_ORDER);
    rl_unlock(&root->lock);
    __tsan_set_fiber_name(fiber, name);
    return fiber;
}

/* The head of a stack that nobody uses has the next one. */
static void *take_stack(struct ts_root *root)
{
    rl_lock(&root->lock);
    void *stack = root->stacks;
    if (stack) root->stacks = *(void **)stack;
    rl_unlock(&root->lock);
    return stack ? stack : ts_stack_open();
}

static void give_stack(struct ts_root *root, void *stack)
{
    if (!stack) return;
    ts_stack_forget(stack);
    rl_lock(&root->lock);
    *(void **)stack = root->stacks;
    root->stacks = stack;
    rl_unlock(&root->lock);
}

/* ---- Homes ---------------------------------------------------------------------------------- */

struct ts_home {
    atomic_bool busy;
    void *fiber, *stack; /* NULL until they are needed; who is there */
};

/* TSan has room for some thousand fibers, and takes up to a megabyte for one. */
#define HOMES_MAX 256u

static atomic_uint home_count;

struct ts_home *ts_home_create(void)
{
    struct ts_home *home = NULL;
    if (atomic_fetch_add_explicit(&home_count, 1, memory_order_relaxed) < HOMES_MAX)
        home = rl_zalloc(sizeof *home);
    if (!home) atomic_fetch_sub_explicit(&home_count, 1, memory_order_relaxed);
    return home;
}

void ts_home_destroy(struct ts_home *home)
{
    if (!home) return;
    if (home->fiber) __tsan_destroy_fiber(home->fiber);
    ts_stack_close(home->stack);
    rl_free(home);
    atomic_fetch_sub_explicit(&home_count, 1, memory_order_relaxed);
}

/* ---- Staying -------------------------------------------------------------------------------- */

struct stay {
    const struct ts_fiber *fiber;
    void *in; /* TSan's fiber */
    void (*function)(void *data);
    void *data;
};

static void stay_in_fiber(void *data)
{
    const struct stay *stay = data;
    const uint64_t line_before = line_here;
    const unsigned hidden_before = hidden;
    void *home = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(stay->in, RL_TSAN_NO_ORDER);
    line_here = 0;
    hidden = 0;
    if (stay->fiber->site) __tsan_func_entry((void *)(uintptr_t)stay->fiber->site);
    stay->function(stay->data);
    if (stay->fiber->site) __tsan_func_exit(NULL);
    line_here = line_before;
    hidden = hidden_before;
    __tsan_switch_to_fiber(home, RL_TSAN_NO_ORDER);
}

static void stay_on_stack(struct stay *stay, void *stack)
{
    if (stack) rl_on_memory(stack, TS_STACK_BYTES, stay_in_fiber, stay);
    else stay_in_fiber(stay);
}

/* Goes home, unless somebody is there.  Returns false, and does nothing, in that case. */
static bool stay_at_home(struct stay *stay)
{
    const struct ts_fiber *fiber = stay->fiber;
    struct ts_home *home = fiber->home;
    if (!home || atomic_exchange_explicit(&home->busy, true, memory_order_acquire)) return false;
    if (!home->fiber) home->fiber = create_fiber(fiber->root, fiber->name);
    if (fiber->own_stack && !home->stack) home->stack = ts_stack_open();
    stay->in = home->fiber;
    stay_on_stack(stay, fiber->own_stack ? home->stack : NULL);
    atomic_store_explicit(&home->busy, false, memory_order_release);
    return true;
}

void ts_fiber_run(const struct ts_fiber *fiber, void (*function)(void *data), void *data)
{
    struct stay stay = { fiber, NULL, function, data };
    ts_hide(); /* what is mapped and allocated */
    if (!stay_at_home(&stay)) {
        void *stack = fiber->own_stack ? take_stack(fiber->root) : NULL;
        stay.in = create_fiber(fiber->root, fiber->name);
        stay_on_stack(&stay, stack);
        __tsan_destroy_fiber(stay.in);
        give_stack(fiber->root, stack);
    }
    ts_show();
}
