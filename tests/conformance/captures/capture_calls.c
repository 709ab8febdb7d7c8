/* SPDX-License-Identifier: Apache-2.0
 *
 * What other calls do while a stream captures, by the mode of the capture, the
 * thread that calls, and that thread's own mode: one table, with the answers of
 * hardware (oracle group capmode, driver 580 on an H200).
 */
#include "conformance/captures/capturing.h"

/* ---- What may be called ---------------------------------------------------------------- */

struct scene {
    struct fixture *f;
    rill_stream *captures, *other;    /* non-blocking */
    rill_event *captured, *complete, *unrecorded;
    rill_devptr allocated;
    void *pinned;
    rill_graph *graph;
    rill_exec *exec;     /* of the graph */
    rill_module *module; /* of a call    */
};

typedef rill_status act(struct scene *scene);

#define ACT(name, call)                      \
    static rill_status name(struct scene *s) \
    {                                        \
        return call;                         \
    }

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

ACT(host_free, rill_host_free(s->f->context, s->pinned))

static rill_status host_register(struct scene *scene)
{
    static _Alignas(4096) char page[4096];
    rill_status status = rill_host_register(scene->f->context, page, sizeof page, 0);
    if (!status) rill_host_unregister(scene->f->context, page);
    return status;
}

static rill_status create_exec(struct scene *scene)
{
    rill_exec *exec = NULL;
    rill_status status = rill_exec_create(scene->graph, NULL, &exec);
    rill_exec_destroy(&exec);
    return status;
}

ACT(destroy_exec, rill_exec_destroy(&s->exec))
ACT(update_exec, rill_exec_update(s->exec, s->graph, NULL))
ACT(launch_other, rill_exec_launch(s->exec, s->other))
ACT(upload_other, rill_exec_upload(s->exec, s->other))

static rill_status load_module(struct scene *scene)
{
    const rill_image image = image_of(&nop_function, 1);
    return rill_module_load(scene->f->context, &image, &scene->module);
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

ACT(query_captured, rill_stream_query(s->captures))

static rill_status captured_flags(struct scene *scene)
{
    uint32_t flags;
    return rill_stream_flags(scene->captures, &flags);
}

static rill_status captured_number(struct scene *scene)
{
    uint64_t number;
    return rill_stream_id(scene->captures, &number);
}

static rill_status captured_priority(struct scene *scene)
{
    int priority;
    return rill_stream_priority(scene->captures, &priority);
}

static void never(rill_stream *stream, rill_status status, void *data)
{
    (void)stream, (void)status, (void)data;
}

ACT(callback_captured, rill_stream_add_callback(s->captures, never, NULL, 0))
ACT(synchronize_other, rill_stream_synchronize(s->other))
ACT(query_other, rill_stream_query(s->other))
ACT(query_legacy, rill_stream_query(s->f->legacy))
ACT(query_complete, rill_event_query(s->complete))
ACT(query_unrecorded, rill_event_query(s->unrecorded))
ACT(await_complete, rill_event_synchronize(s->complete))
ACT(await_captured, rill_event_synchronize(s->captured))
ACT(await_context, rill_context_synchronize(s->f->context))

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

ACT(record_other, rill_event_record(s->complete, s->other, 0))
ACT(work_other, letter(s->f, s->other, 'X'))
ACT(work_legacy, letter(s->f, s->f->legacy, 'X'))
ACT(begin_captured, begin(s->captures, RILL_CAPTURE_RELAXED))

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

/* Where a call is refused, column by column: x is, . is not. */
static const char unsafe[] = "xx.x...x..", always[] = "xxxxxxxxxx", harmless[] = "..........";

struct row {
    const char *name;
    act *act;
    rill_status status; /* where it is refused                */
    bool kept;          /* a refusal leaves the capture whole */
};

#define UNSUPPORTED RILL_ERROR_STREAM_CAPTURE_UNSUPPORTED

static const struct row unsafe_rows[] = {
    { "mem_alloc", mem_alloc, UNSUPPORTED, false },
    { "mem_alloc_pitch", mem_alloc_pitch, UNSUPPORTED, false },
    { "host_alloc", host_alloc, UNSUPPORTED, false },
    { "host_free", host_free, UNSUPPORTED, false },
    { "host_register", host_register, UNSUPPORTED, false },
    { "alloc_async in another stream", alloc_async_other, UNSUPPORTED, false },
    { "create of an exec", create_exec, UNSUPPORTED, false },
    { "destroy of an exec", destroy_exec, UNSUPPORTED, false },
    { "query of another stream", query_other, UNSUPPORTED, false },
    { "query of the legacy stream", query_legacy, UNSUPPORTED, false },
    { "synchronize of another stream", synchronize_other, UNSUPPORTED, false },
    { "query of an event", query_complete, UNSUPPORTED, false },
    { "query of an unrecorded event", query_unrecorded, UNSUPPORTED, false },
    { "synchronize of an event", await_complete, UNSUPPORTED, false },
};

static const struct row impossible_rows[] = {
    { "query of the capturing stream", query_captured, UNSUPPORTED, false },
    { "flags of the capturing stream", captured_flags, UNSUPPORTED, false },
    { "callback in the capturing stream", callback_captured, UNSUPPORTED, false },
    { "synchronize of a captured event", await_captured, RILL_ERROR_CAPTURED_EVENT, false },
    { "synchronize of the context", await_context, UNSUPPORTED, false },
    { "begin in the capturing stream", begin_captured, RILL_ERROR_ILLEGAL_STATE, true },
};

static const struct row harmless_rows[] = {
    { .name = "number of the capturing stream", .act = captured_number },
    { .name = "priority of the capturing stream", .act = captured_priority },
    { .name = "mem_info", .act = mem_info },
    { .name = "mem_range", .act = ask_range },
    { .name = "synchronous copy", .act = copy_back },
    { .name = "elapsed time", .act = elapsed },
    { .name = "destroy of an event", .act = destroy_event },
    { .name = "destroy of another stream", .act = destroy_stream },
    { .name = "create of a stream", .act = create_stream },
    { .name = "record in another stream", .act = record_other },
    { .name = "work in another stream", .act = work_other },
    { .name = "work in the legacy stream", .act = work_legacy },
    { .name = "add of a node elsewhere", .act = add_node },
    { .name = "update of an exec", .act = update_exec },
    { .name = "launch in another stream", .act = launch_other },
    { .name = "upload in another stream", .act = upload_other },
    { .name = "load of a module", .act = load_module },
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
    ok(rill_exec_create(scene.graph, NULL, &scene.exec));
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

static void end_scene(struct scene *scene)
{
    rill_exec_destroy(&scene->exec);
    rill_module_unload(&scene->module);
}

static void try_cell(struct fixture *f, const struct row *row, size_t column, bool refused)
{
    struct cell cell = { .row = row, .column = &columns[column], .scene = make_scene(f) };
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
    end_scene(&cell.scene);
}

/* Of a kind each makes three for a cell; a fixture keeps FIXTURE_THINGS. */
static void try_rows(struct fixture *f, const struct row *rows, size_t count, const char *refused)
{
    assert_true(3 * count * COLUMNS <= FIXTURE_THINGS);
    for (size_t i = 0; i < count; i++)
        for (size_t column = 0; column < COLUMNS; column++)
            try_cell(f, &rows[i], column, refused[column] == 'x');
}

#define TRY(rows, refused) try_rows(*state, rows, sizeof rows / sizeof *rows, refused)

/* CP-20, CP-21, CP-22, CP-23 */
static void unsafe_calls_are_refused_to_the_threads_that_a_capture_forbids_them(void **state)
{
    TRY(unsafe_rows, unsafe);
}

/* CP-14, CP-15, CP-16, CP-48 */
static void calls_that_no_capture_can_stand_are_refused_to_all(void **state)
{
    TRY(impossible_rows, always);
}

/* CP-23, CP-49 */
static void other_calls_are_nobody_s_business(void **state)
{
    TRY(harmless_rows, harmless);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(unsafe_calls_are_refused_to_the_threads_that_a_capture_forbids_them),
    cmocka_unit_test(calls_that_no_capture_can_stand_are_refused_to_all),
    cmocka_unit_test(other_calls_are_nobody_s_business),
};

SUITE_GROUP(capture_calls, 1);
