/* SPDX-License-Identifier: Apache-2.0
 *
 * What other calls do while a stream captures, by the mode of the capture, the
 * thread that calls, and that thread's own mode: one table, with the answers of
 * hardware (oracle group capmode, driver 580 on an H200).
 */
#include "conformance/capturing.h"

#include <string.h>

/* ---- What may be called ---------------------------------------------------------------- */

struct scene {
    struct fixture *f;
    rill_stream *captures, *other;    /* non-blocking */
    rill_event *captured, *complete, *unrecorded;
    rill_devptr allocated;
    void *pinned;
    rill_graph *graph;
};

typedef rill_status act(struct scene *scene);

static rill_status mem_alloc(struct scene *scene)
{
    rill_devptr address;
    rill_status status = rill_mem_alloc(scene->f->context, 4096, &address);
    if (!status) rill_mem_free(scene->f->context, address);
    return status;
}

static rill_status mem_alloc_pitch(struct scene *scene)
{
    rill_devptr address;
    size_t pitch;
    return rill_mem_alloc_pitch(scene->f->context, 64, 4, 4, &address, &pitch);
}

static rill_status host_alloc(struct scene *scene)
{
    void *pointer;
    return rill_host_alloc(scene->f->context, 4096, 0, &pointer);
}

static rill_status host_free(struct scene *scene)
{
    return rill_host_free(scene->f->context, scene->pinned);
}

static rill_status mem_info(struct scene *scene)
{
    size_t some, all;
    return rill_mem_info(scene->f->context, &some, &all);
}

static rill_status copy_back(struct scene *scene)
{
    char bytes[64];
    return rill_memcpy_dtoh(scene->f->context, bytes, scene->allocated, sizeof bytes);
}

static rill_status alloc_async_other(struct scene *scene)
{
    rill_devptr address;
    return rill_mem_alloc_async(scene->other, 4096, &address);
}

static rill_status query_captured(struct scene *scene)
{
    return rill_stream_query(scene->captures);
}

static rill_status callback_captured(struct scene *scene);

static rill_status synchronize_other(struct scene *scene)
{
    return rill_stream_synchronize(scene->other);
}

static rill_status query_other(struct scene *scene)
{
    return rill_stream_query(scene->other);
}

static rill_status query_legacy(struct scene *scene)
{
    return rill_stream_query(scene->f->legacy);
}

static rill_status query_complete(struct scene *scene)
{
    return rill_event_query(scene->complete);
}

static rill_status query_unrecorded(struct scene *scene)
{
    return rill_event_query(scene->unrecorded);
}

static rill_status await_complete(struct scene *scene)
{
    return rill_event_synchronize(scene->complete);
}

static rill_status await_captured(struct scene *scene)
{
    return rill_event_synchronize(scene->captured);
}

static rill_status await_context(struct scene *scene)
{
    return rill_context_synchronize(scene->f->context);
}

static rill_status elapsed(struct scene *scene)
{
    float milliseconds;
    return rill_event_elapsed(scene->complete, scene->complete, &milliseconds);
}

static rill_status destroy_event(struct scene *scene)
{
    forget(scene->f, scene->complete);
    return rill_event_destroy(&scene->complete);
}

static rill_status destroy_stream(struct scene *scene)
{
    forget(scene->f, scene->other);
    return rill_stream_destroy(&scene->other);
}

static rill_status create_stream(struct scene *scene)
{
    rill_stream *stream = NULL;
    rill_status status = rill_stream_create(scene->f->context, NULL, &stream);
    rill_stream_destroy(&stream);
    return status;
}

static rill_status record_other(struct scene *scene)
{
    return rill_event_record(scene->complete, scene->other, 0);
}

static rill_status work_other(struct scene *scene)
{
    return letter(scene->f, scene->other, 'X');
}

static rill_status work_legacy(struct scene *scene)
{
    return letter(scene->f, scene->f->legacy, 'X');
}

static rill_status begin_captured(struct scene *scene)
{
    return begin(scene->captures, RILL_CAPTURE_RELAXED);
}

static rill_status add_node(struct scene *scene)
{
    rill_op op = { .kind = RILL_OP_EMPTY };
    rill_node node;
    return rill_graph_add_node(scene->graph, NULL, 0, &op, &node);
}

static rill_status ask_range(struct scene *scene)
{
    rill_devptr base;
    size_t bytes;
    return rill_mem_range(scene->f->context, scene->allocated, &base, &bytes);
}

static void never(rill_stream *stream, rill_status status, void *data)
{
    (void)stream, (void)status, (void)data;
}

static rill_status callback_captured(struct scene *scene)
{
    return rill_stream_add_callback(scene->captures, never, NULL, 0);
}

/* ---- The columns ------------------------------------------------------------------------ */

enum { OWN_GLOBAL = RILL_CAPTURE_GLOBAL, OWN_LOCAL = RILL_CAPTURE_THREAD_LOCAL,
       OWN_RELAXED = RILL_CAPTURE_RELAXED };

static const struct column {
    const char *name;
    rill_capture_mode mode; /* of the capture    */
    bool far;               /* another thread    */
    int own;                /* the thread's mode */
} columns[] = {
    { "global, same thread", RILL_CAPTURE_GLOBAL, false, OWN_GLOBAL },
    { "thread-local, same thread", RILL_CAPTURE_THREAD_LOCAL, false, OWN_GLOBAL },
    { "relaxed, same thread", RILL_CAPTURE_RELAXED, false, OWN_GLOBAL },
    { "global, other thread", RILL_CAPTURE_GLOBAL, true, OWN_GLOBAL },
    { "thread-local, other thread", RILL_CAPTURE_THREAD_LOCAL, true, OWN_GLOBAL },
    { "relaxed, other thread", RILL_CAPTURE_RELAXED, true, OWN_GLOBAL },
    { "global, same thread, itself relaxed", RILL_CAPTURE_GLOBAL, false, OWN_RELAXED },
    { "thread-local, same thread, itself local", RILL_CAPTURE_THREAD_LOCAL, false, OWN_LOCAL },
    { "global, other thread, itself local", RILL_CAPTURE_GLOBAL, true, OWN_LOCAL },
    { "global, other thread, itself relaxed", RILL_CAPTURE_GLOBAL, true, OWN_RELAXED },
};

#define COLUMNS (sizeof columns / sizeof *columns)

/* What is refused, column by column: x is, . is not. */
static const char unsafe[] = "xx.x...x..", always[] = "xxxxxxxxxx", harmless[] = "..........";

static const struct row {
    const char *name;
    act *act;
    const char *refused;
    rill_status status;  /* where it is refused                       */
    bool kept;           /* a refusal leaves the capture whole        */
} rows[] = {
#define UNSUPPORTED RILL_ERROR_STREAM_CAPTURE_UNSUPPORTED
    { "mem_alloc", mem_alloc, unsafe, UNSUPPORTED, false },
    { "mem_alloc_pitch", mem_alloc_pitch, unsafe, UNSUPPORTED, false },
    { "host_alloc", host_alloc, unsafe, UNSUPPORTED, false },
    { "host_free", host_free, unsafe, UNSUPPORTED, false },
    { "alloc_async in another stream", alloc_async_other, unsafe, UNSUPPORTED, false },
    { "query of another stream", query_other, unsafe, UNSUPPORTED, false },
    { "query of the legacy stream", query_legacy, unsafe, UNSUPPORTED, false },
    { "synchronize of another stream", synchronize_other, unsafe, UNSUPPORTED, false },
    { "query of an event", query_complete, unsafe, UNSUPPORTED, false },
    { "query of an unrecorded event", query_unrecorded, unsafe, UNSUPPORTED, false },
    { "synchronize of an event", await_complete, unsafe, UNSUPPORTED, false },
    { "query of the capturing stream", query_captured, always, UNSUPPORTED, false },
    { "callback in the capturing stream", callback_captured, always, UNSUPPORTED, false },
    { "synchronize of a captured event", await_captured, always, RILL_ERROR_CAPTURED_EVENT, false },
    { "synchronize of the context", await_context, always, UNSUPPORTED, false },
    { "begin in the capturing stream", begin_captured, always, RILL_ERROR_ILLEGAL_STATE, true },
    { "mem_info", mem_info, harmless, RILL_SUCCESS, true },
    { "mem_range", ask_range, harmless, RILL_SUCCESS, true },
    { "synchronous copy", copy_back, harmless, RILL_SUCCESS, true },
    { "elapsed time", elapsed, harmless, RILL_SUCCESS, true },
    { "destroy of an event", destroy_event, harmless, RILL_SUCCESS, true },
    { "destroy of another stream", destroy_stream, harmless, RILL_SUCCESS, true },
    { "create of a stream", create_stream, harmless, RILL_SUCCESS, true },
    { "record in another stream", record_other, harmless, RILL_SUCCESS, true },
    { "work in another stream", work_other, harmless, RILL_SUCCESS, true },
    { "work in the legacy stream", work_legacy, harmless, RILL_SUCCESS, true },
    { "add of a node elsewhere", add_node, harmless, RILL_SUCCESS, true },
};

/* ---- One cell of the table ----------------------------------------------------------------- */

struct cell {
    const struct row *row;
    const struct column *column;
    struct scene scene;
    rill_status got;
};

static struct scene make_scene(struct fixture *f)
{
    struct scene scene = {
        .f = f, .captures = new_non_blocking(f), .other = new_non_blocking(f),
        .captured = new_event(f), .unrecorded = new_event(f), .graph = new_graph(f),
        .complete = new_event_in(f, f->context, RILL_EVENT_TIMING),
        .allocated = device_words(f, 64),
    };
    ok(rill_host_alloc(f->context, 64, 0, &scene.pinned));
    ok(rill_event_record(scene.complete, scene.other, 0));
    ok(rill_context_synchronize(f->context));
    return scene;
}

static void act_now(void *data, int index)
{
    struct cell *cell = data;
    rill_capture_mode mode = (rill_capture_mode)cell->column->own;
    (void)index;
    works(cell->scene.f, rill_thread_exchange_capture_mode(cell->scene.f->platform, &mode));
    cell->got = cell->row->act(&cell->scene);
    works(cell->scene.f, rill_thread_exchange_capture_mode(cell->scene.f->platform, &mode));
}

static void check(const struct cell *cell, bool refused)
{
    const struct row *row = cell->row;
    rill_status wanted = refused ? row->status : RILL_SUCCESS;
    rill_capture_info info = { .size = sizeof info };
    ok(rill_stream_capture_info(cell->scene.captures, &info));
    rill_capture_state left = refused && !row->kept ? RILL_CAPTURE_INVALIDATED
                                                    : RILL_CAPTURE_ACTIVE;
    if (cell->got == wanted && info.state == left) return;
    print_error("%s (%s) answers %d and leaves state %d, not %d and %d\n", row->name,
                cell->column->name, (int)cell->got, (int)info.state, (int)wanted, (int)left);
    fail();
}

static void try_cell(struct fixture *f, const struct row *row, size_t column)
{
    struct cell cell = { .row = row, .column = &columns[column], .scene = make_scene(f) };
    bool refused = row->refused[column] == 'x';
    rill_graph *graph = NULL;
    ok(begin(cell.scene.captures, cell.column->mode));
    ok(letter(f, cell.scene.captures, 'A'));
    ok(rill_event_record(cell.scene.captured, cell.scene.captures, 0));
    if (cell.column->far) crew(1, act_now, &cell);
    else act_now(&cell, 0);
    all_worked(f);
    check(&cell, refused);
    is(refused && !row->kept ? RILL_ERROR_STREAM_CAPTURE_INVALIDATED : RILL_SUCCESS,
       rill_stream_end_capture(cell.scene.captures, &graph));
    if (graph) holds(graph, "A");
    ok(rill_graph_destroy(&graph));
}

static void try_rows(struct fixture *f, size_t first, size_t count)
{
    for (size_t i = first; i < first + count && i < sizeof rows / sizeof *rows; i++)
        for (size_t column = 0; column < COLUMNS; column++) try_cell(f, &rows[i], column);
}

/* A fixture keeps only so many streams. */
static void unsafe_memory_calls(void **state)
{
    try_rows(*state, 0, 6);
}

static void unsafe_queries_and_waits(void **state)
{
    try_rows(*state, 6, 6);
}

static void calls_that_no_capture_can_stand(void **state)
{
    try_rows(*state, 12, 6);
}

static void harmless_calls(void **state)
{
    try_rows(*state, 18, 6);
}

static void more_harmless_calls(void **state)
{
    try_rows(*state, 24, 100);
}

/* ---- Which captures a call breaks ------------------------------------------------------------ */

struct six {
    struct fixture *f;
    rill_stream *near[3], *far[3];
    atomic_int turn;
};

static const rill_capture_mode modes[3] = { RILL_CAPTURE_GLOBAL, RILL_CAPTURE_THREAD_LOCAL,
                                            RILL_CAPTURE_RELAXED };

static void begin_far(void *data, int index)
{
    struct six *six = data;
    (void)index;
    for (int i = 0; i < 3; i++) works(six->f, begin(six->far[i], modes[i]));
}

/* Three captures here, three of a thread that is gone; then a call. */
static void six_captures(struct fixture *f, struct six *six)
{
    *six = (struct six){ .f = f };
    for (int i = 0; i < 3; i++) {
        six->near[i] = new_non_blocking(f);
        six->far[i] = new_non_blocking(f);
    }
    crew(1, begin_far, six);
    all_worked(f);
    for (int i = 0; i < 3; i++) ok(begin(six->near[i], modes[i]));
}

/* oracle capmode.which_broken_alloc */
static void an_unsafe_call_breaks_the_captures_that_forbid_it(void **state)
{
    struct six six;
    rill_devptr address;
    six_captures(*state, &six);
    is(RILL_ERROR_STREAM_CAPTURE_UNSUPPORTED, rill_mem_alloc(six.f->context, 64, &address));
    broken(six.near[0]);
    broken(six.near[1]);
    active(six.near[2]);
    broken(six.far[0]);
    active(six.far[1]);
    active(six.far[2]);
}

static void a_local_thread_breaks_its_own_alone(void **state)
{
    struct six six;
    rill_devptr address;
    rill_capture_mode mode = RILL_CAPTURE_THREAD_LOCAL;
    six_captures(*state, &six);
    ok(rill_thread_exchange_capture_mode(six.f->platform, &mode));
    is(RILL_ERROR_STREAM_CAPTURE_UNSUPPORTED, rill_mem_alloc(six.f->context, 64, &address));
    ok(rill_thread_exchange_capture_mode(six.f->platform, &mode));
    broken(six.near[0]);
    broken(six.near[1]);
    active(six.near[2]);
    active(six.far[0]);
    active(six.far[1]);
}

/* oracle capmode.which_broken_ctx_sync */
static void waiting_for_the_context_breaks_all_of_them(void **state)
{
    struct six six;
    six_captures(*state, &six);
    is(RILL_ERROR_STREAM_CAPTURE_UNSUPPORTED, rill_context_synchronize(six.f->context));
    for (int i = 0; i < 3; i++) {
        broken(six.near[i]);
        broken(six.far[i]);
    }
}

/* ---- The thread's own mode ------------------------------------------------------------------- */

static void a_new_thread_is_global(void *data, int index)
{
    struct fixture *f = data;
    rill_capture_mode mode = RILL_CAPTURE_RELAXED;
    (void)index;
    works(f, rill_thread_exchange_capture_mode(f->platform, &mode));
    if (mode != RILL_CAPTURE_GLOBAL) works(f, RILL_ERROR_UNKNOWN);
}

/* CP-37; oracle capmode.exchange */
static void the_thread_s_own_mode_is_swapped(void **state)
{
    struct fixture *f = *state;
    rill_capture_mode mode = RILL_CAPTURE_RELAXED;
    ok(rill_thread_exchange_capture_mode(f->platform, &mode));
    assert_int_equal(mode, RILL_CAPTURE_GLOBAL);
    mode = (rill_capture_mode)7;
    is(RILL_ERROR_INVALID_VALUE, rill_thread_exchange_capture_mode(f->platform, &mode));
    crew(1, a_new_thread_is_global, f);
    all_worked(f);
    mode = RILL_CAPTURE_GLOBAL;
    ok(rill_thread_exchange_capture_mode(f->platform, &mode));
    assert_int_equal(mode, RILL_CAPTURE_RELAXED);
}

/* oracle capmode.end_frees_thread */
static void the_end_frees_the_thread(void **state)
{
    struct fixture *f = *state;
    rill_stream *local = new_non_blocking(f), *relaxed = new_non_blocking(f);
    rill_devptr address;
    ok(begin(local, RILL_CAPTURE_THREAD_LOCAL));
    ok(begin(relaxed, RILL_CAPTURE_RELAXED));
    gives(local, "");
    ok(rill_mem_alloc(f->context, 64, &address));
    ok(rill_mem_free(f->context, address));
    active(relaxed);
    gives(relaxed, "");
}

static void the_sentence_says_whose_capture_is_in_the_way(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f);
    rill_devptr address;
    ok(rill_stream_set_label(s, "prefill"));
    ok(begin(s, RILL_CAPTURE_GLOBAL));
    is(RILL_ERROR_STREAM_CAPTURE_UNSUPPORTED, rill_mem_alloc(f->context, 64, &address));
    assert_non_null(strstr(rill_last_error()->message, "'prefill'"));
    fails(RILL_ERROR_STREAM_CAPTURE_INVALIDATED, s);
    assert_string_equal(rill_last_error()->cause.operation, "rill_mem_alloc");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(unsafe_memory_calls),
    cmocka_unit_test(unsafe_queries_and_waits),
    cmocka_unit_test(calls_that_no_capture_can_stand),
    cmocka_unit_test(harmless_calls),
    cmocka_unit_test(more_harmless_calls),
    cmocka_unit_test(an_unsafe_call_breaks_the_captures_that_forbid_it),
    cmocka_unit_test(a_local_thread_breaks_its_own_alone),
    cmocka_unit_test(waiting_for_the_context_breaks_all_of_them),
    cmocka_unit_test(the_thread_s_own_mode_is_swapped),
    cmocka_unit_test(the_end_frees_the_thread),
    cmocka_unit_test(the_sentence_says_whose_capture_is_in_the_way),
};

SUITE_GROUP(capture_modes, 1);
