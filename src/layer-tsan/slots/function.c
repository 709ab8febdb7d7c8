/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-tsan/slots/function.h"

#include "base/alloc.h"
#include "base/tsan.h"
#include "layer-tsan/fiber/thread_locals.h"

struct ts_function {
    struct ts_teller *teller;
    rill_host_fn fn;
    rill_stream_callback callback; /* NULL for a host function                        */
    void *data;
    rill_destroy_fn destroy;
    struct ts_point *point;        /* of an operation of a stream, or NULL: of a node */
    struct ts_shared_home *home;   /* the point's, or NULL                            */
    bool ran;                      /* of an operation                                 */
    char given, done;              /* tokens: after the call that gave it; after runs */
};

static struct ts_home *home_of(const struct ts_function *function)
{
    return function->home ? function->home->home : NULL;
}

/* One call of it. */
struct run {
    struct ts_function *function;
    struct ts_launch *launch; /* of a node, retained; NULL if it is not known */
    uint32_t place;
    rill_stream *stream;      /* of a callback */
    rill_status status;
};

/* ---- Calling ------------------------------------------------------------------------------ */

static void acquire_before(const struct run *run)
{
    struct ts_function *function = run->function;
    struct ts_order *order = &function->teller->order;
    __tsan_acquire(&function->given);
    ts_hide();
    rl_lock(&order->lock);
    if (function->point) ts_front_acquire(order, &function->point->before);
    else if (run->launch) ts_launch_acquire(run->launch, run->place);
    rl_unlock(&order->lock);
    ts_show();
}

static void release_after(const struct run *run)
{
    struct ts_function *function = run->function;
    struct ts_order *order = &function->teller->order;
    __tsan_release(&function->done);
    __tsan_release(&order->all);
    if (function->point) __tsan_release(&function->point->token);
    ts_hide();
    rl_lock(&order->lock);
    if (function->point) ts_point_finish(function->point);
    else if (run->launch) ts_launch_ran(run->launch, run->place);
    rl_unlock(&order->lock);
    ts_show();
}

static void run_in_fiber(void *data)
{
    const struct run *run = data;
    struct ts_function *function = run->function;
    const enum ts_calls before = ts_call_set(TS_CALLS_NONE);
    acquire_before(run);
    if (function->teller->order.failed) ts_hide();
    ts_excuse_thread_locals();
    if (function->callback) function->callback(run->stream, run->status, function->data);
    else function->fn(function->data);
    ts_excuse_thread_locals();
    if (function->teller->order.failed) ts_show();
    release_after(run);
    ts_call_set(before);
}

static void call_function(struct run *run)
{
    struct ts_function *function = run->function;
    struct ts_order *order = &function->teller->order;
    const char *name = "function in a graph";
    const void *site = NULL;
    ts_hide();
    rl_lock(&order->lock);
    if (function->point) {
        name = function->point->name;
        ts_front_settle(order, &function->point->before); /* in that home, before this is there */
        site = function->point->site;
    } else {
        run->launch = ts_running_launch(function->teller, &run->place);
        if (run->launch) ts_launch_retain(run->launch);
        if (run->launch && run->launch->point) site = run->launch->point->site;
    }
    rl_unlock(&order->lock);
    function->ran = true;
    const struct ts_fiber fiber = { &order->root, name, site, true, home_of(function) };
    ts_fiber_run(&fiber, run_in_fiber, run);
    rl_lock(&order->lock);
    if (run->launch) ts_launch_release(run->launch);
    rl_unlock(&order->lock);
    ts_show();
}

static void call_host_function(void *data)
{
    struct run run = { .function = data };
    call_function(&run);
}

/* ---- Destroying --------------------------------------------------------------------------- */

/* The end of something of the program's. */
struct end {
    rill_destroy_fn destroy;
    void *data;
    char *tokens[3]; /* to be acquired before, and released after */
    bool ran;        /* as an operation, whose end it is          */
    struct ts_home *home; /* of that, or NULL                     */
};

static void run_end(void *data)
{
    const struct end *end = data;
    const enum ts_calls before = ts_call_set(TS_CALLS_NONE);
    for (int i = 0; i < 3; i++)
        if (end->tokens[i]) __tsan_acquire(end->tokens[i]);
    ts_excuse_thread_locals();
    end->destroy(end->data);
    ts_excuse_thread_locals();
    for (int i = 0; i < 3; i++)
        if (end->tokens[i]) __tsan_release(end->tokens[i]);
    ts_call_set(before);
}

/* Calls it in the name of the call whose doing that is, or in a fiber. */
static void call_destroy(struct ts_order *order, const char *name, struct end *end)
{
    if (!end->destroy) return;
    if (!end->ran && ts_call_here() == TS_CALLS_DIRECT) {
        ts_run_shown(run_end, end);
        return;
    }
    ts_fiber_run(&(struct ts_fiber){ &order->root, name, NULL, true, end->home }, run_end, end);
}

/* Has what comes after an operation that did not run come after what was before it. */
static void pass_point(struct ts_function *function)
{
    if (function->point && !function->ran) function->point->state = TS_PENDING;
}

static void free_function(struct ts_function *function)
{
    struct ts_order *order = &function->teller->order;
    ts_hide();
    rl_lock(&order->lock);
    ts_point_release(function->point);
    ts_shared_home_release(function->home);
    rl_unlock(&order->lock);
    rl_free(function);
    ts_show();
}

static void destroy_function(void *data)
{
    struct ts_function *function = data;
    struct ts_order *order = &function->teller->order;
    const bool ran = function->ran && function->point;
    struct end end = { function->destroy, function->data,
                       { &function->given, &function->done,
                         function->point ? &function->point->token : NULL },
                       ran, ran ? home_of(function) : NULL };
    rl_lock(&order->lock);
    pass_point(function);
    rl_unlock(&order->lock);
    call_destroy(order, "end of a function", &end);
    free_function(function);
}

/* ---- Wrapping ----------------------------------------------------------------------------- */

static struct ts_function *make_function(struct ts_teller *teller, void *data,
                                         struct ts_point *point)
{
    struct ts_function *function = rl_zalloc(sizeof *function);
    if (!function) return NULL;
    function->teller = teller;
    function->data = data;
    function->point = point;
    if (point) {
        rl_lock(&teller->order.lock);
        function->home = ts_shared_home_retain(point->home);
        rl_unlock(&teller->order.lock);
    }
    __tsan_release(&function->given);
    return function;
}

struct ts_function *ts_function_wrap(struct ts_teller *teller, rill_op *op, struct ts_point *point)
{
    struct ts_function *function = make_function(teller, op->host.data, point);
    if (!function) return NULL;
    function->fn = op->host.fn;
    function->destroy = op->host.destroy;
    op->host = (rill_host_op){ call_host_function, function, destroy_function };
    return function;
}

void ts_function_unwrap(rill_op *op)
{
    if (op->kind != RILL_OP_HOST || op->host.fn != call_host_function) return;
    const struct ts_function *function = op->host.data;
    op->host = (rill_host_op){ function->fn, function->data, NULL };
}

struct ts_function *ts_callback_wrap(struct ts_teller *teller, rill_stream_callback callback,
                                     void *data, struct ts_point *point)
{
    struct ts_function *function = make_function(teller, data, point);
    if (function) function->callback = callback;
    return function;
}

void ts_callback_run(rill_stream *stream, rill_status status, void *data)
{
    struct run run = { .function = data, .stream = stream, .status = status };
    call_function(&run);
    free_function(data);
}

void ts_callback_refused(struct ts_function *function)
{
    rl_lock(&function->teller->order.lock);
    pass_point(function);
    rl_unlock(&function->teller->order.lock);
    free_function(function);
}

/* ---- User objects ------------------------------------------------------------------------- */

struct owned {
    struct ts_teller *teller;
    rill_destroy_fn destroy;
    void *data;
};

void *ts_owned_wrap(struct ts_teller *teller, void *data, rill_destroy_fn destroy)
{
    struct owned *owned = rl_alloc(sizeof *owned);
    if (owned) *owned = (struct owned){ teller, destroy, data };
    return owned;
}

void ts_owned_free(void *owned)
{
    rl_free(owned);
}

/* Comes after all functions that have run so far: which launches kept the object is not known. */
void ts_owned_destroy(void *data)
{
    struct owned *owned = data;
    struct ts_order *order = &owned->teller->order;
    struct end end = { owned->destroy, owned->data, { &order->all }, false, NULL };
    call_destroy(order, "end of a user object", &end);
    rl_free(owned);
}
