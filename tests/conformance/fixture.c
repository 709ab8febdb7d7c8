/* SPDX-License-Identifier: Apache-2.0 */
#include "conformance/fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct suite_backend *suite;

#define WORD_BYTES 4096

/* ---- Answers ------------------------------------------------------------------ */

static const char *name_of(rill_status status)
{
    const char *name = rill_error_name(status);
    return name ? name : "no status";
}

void fixture_check(rill_status got, rill_status wanted, const char *call, const char *file,
                   int line)
{
    if (got == wanted) return;
    print_error("%s\n    answers %s (%d), not %s\n", call, name_of(got), (int)got, name_of(wanted));
    if (rill_last_error()->status == got) print_error("    %s\n", rill_last_error()->message);
    _fail(file, line);
}

void fixture_blames(const char *operation, const char *argument, const char *file, int line)
{
    const rill_error *last = rill_last_error();
    const char *said = last->operation ? last->operation : "nobody";
    bool same = last->argument && argument ? !strcmp(last->argument, argument)
                                           : last->argument == argument;
    if (!strcmp(said, operation) && same && last->message[0]) return;
    print_error("the record blames %s, argument %s: \"%s\"\n    not %s, argument %s\n", said,
                last->argument ? last->argument : "none", last->message, operation,
                argument ? argument : "none");
    _fail(file, line);
}

void fixture_refuses(rill_status got, rill_status wanted, const char *argument, const char *call,
                     const char *file, int line)
{
    char operation[64];
    snprintf(operation, sizeof operation, "%.*s", (int)strcspn(call, "("), call);
    fixture_check(got, wanted, call, file, line);
    fixture_blames(operation, argument, file, line);
}

/* ---- Setup and teardown --------------------------------------------------------- */

static rill_status set_up(struct fixture *f, int devices)
{
    rill_status status = suite->open(devices, &f->platform);
    if (!status) status = rill_context_create(f->platform, NULL, &f->context);
    /* Registered, not allocated: a test may end the context with a gate closed. */
    if (!status) status = rill_host_register(f->context, f->words, WORD_BYTES, 0);
    if (status) return status;
    f->legacy = rill_stream_legacy(f->context);
    f->per_thread = rill_stream_per_thread(f->context);
    for (int i = 0; i < 128; i++) f->letters[i] = (struct mark){ f, (char)i };
    return f->legacy && f->per_thread ? RILL_SUCCESS : RILL_ERROR_UNKNOWN;
}

int fixture_setup(void **state, int devices)
{
    struct fixture *f = calloc(1, sizeof *f);
    void *page = aligned_alloc(4096, WORD_BYTES);
    if (!f || !page) abort();
    *state = f;
    f->words = memset(page, 0, WORD_BYTES);
    rill_clear_error();
    rill_status status = set_up(f, devices);
    if (!status) return 0;
    print_error("no platform to test on: %s\n", rill_last_error()->message);
    fixture_teardown(state);
    return -1;
}

/* What a wait for a word to be at least that, or one with the lowest bit, does not wait for. */
#define WORD_LET_GO 0x7fffffffu

/* Lets go of everything that a test which failed may have left held. */
static void let_go(struct fixture *f)
{
    for (int i = 0; f->words && i < f->word_count; i++) atomic_store(&f->words[i], WORD_LET_GO);
    for (int i = 0; i < f->gate_count; i++) open_gate(&f->gates[i]);
    for (int i = 0; i < f->latch_count; i++) open_latch(&f->latches[i]);
    for (int i = 0; i < f->call_count; i++) fixture_join_call(&f->calls[i]);
}

int fixture_teardown(void **state)
{
    struct fixture *f = *state;
    let_go(f);
    for (int i = 0; i < FIXTURE_THINGS; i++) {
        rill_stream *stream = f->streams[i];
        rill_stream_destroy(&stream);
        rill_event *event = f->events[i];
        rill_event_destroy(&event);
        rill_exec *exec = f->execs[i];
        rill_exec_destroy(&exec);
        rill_graph *graph = f->graphs[i];
        rill_graph_destroy(&graph);
        rill_module *module = f->modules[i];
        rill_module_unload(&module);
    }
    for (int i = 0; i < FIXTURE_THINGS; i++) {
        rill_context *context = f->contexts[i];
        rill_context_destroy(&context);
    }
    if (f->context) rill_context_synchronize(f->context);
    if (f->context) rill_host_unregister(f->context, f->words);
    rill_context_destroy(&f->context);
    rill_close(&f->another);
    rill_status status = rill_close(&f->platform);
    free(f->words);
    free(f);
    return status ? -1 : 0;
}

/* ---- Things that go away by themselves -------------------------------------------- */

static void keep(void **things, void *thing)
{
    int i = 0;
    while (i < FIXTURE_THINGS && things[i]) i++;
    if (i == FIXTURE_THINGS) fail_msg("the fixture keeps at most %d of a kind", FIXTURE_THINGS);
    things[i] = thing;
}

static bool let_slip(void **things, const void *thing)
{
    for (int i = 0; i < FIXTURE_THINGS; i++) {
        if (things[i] != thing) continue;
        things[i] = NULL;
        return true;
    }
    return false;
}

void forget(struct fixture *f, const void *thing)
{
    if (!let_slip(f->streams, thing) && !let_slip(f->events, thing) &&
        !let_slip(f->modules, thing) && !let_slip(f->contexts, thing) &&
        !let_slip(f->graphs, thing) && !let_slip(f->execs, thing))
        fail_msg("the fixture did not make this");
}

rill_stream *new_stream_in(struct fixture *f, rill_context *context, uint32_t flags)
{
    const rill_stream_options options = { .size = sizeof options, .flags = flags };
    rill_stream *stream = NULL;
    ok(rill_stream_create(context, &options, &stream));
    keep(f->streams, stream);
    return stream;
}

rill_stream *new_stream_with(struct fixture *f, int priority)
{
    const rill_stream_options options = { .size = sizeof options, .priority = priority };
    rill_stream *stream = NULL;
    ok(rill_stream_create(f->context, &options, &stream));
    keep(f->streams, stream);
    return stream;
}

rill_stream *new_stream(struct fixture *f)
{
    return new_stream_in(f, f->context, 0);
}

rill_stream *new_non_blocking(struct fixture *f)
{
    return new_stream_in(f, f->context, RILL_STREAM_NON_BLOCKING);
}

rill_event *new_event_in(struct fixture *f, rill_context *context, uint32_t flags)
{
    const rill_event_options options = { .size = sizeof options, .flags = flags };
    rill_event *event = NULL;
    ok(rill_event_create(context, &options, &event));
    keep(f->events, event);
    return event;
}

rill_event *new_event(struct fixture *f)
{
    return new_event_in(f, f->context, 0);
}

rill_context *new_context(struct fixture *f, int device, uint32_t flags)
{
    const rill_context_options options = {
        .size = sizeof options, .device = device, .flags = flags,
    };
    rill_context *context = NULL;
    ok(rill_context_create(f->platform, &options, &context));
    keep(f->contexts, context);
    return context;
}

rill_graph *keep_graph(struct fixture *f, rill_graph *graph)
{
    keep(f->graphs, graph);
    return graph;
}

rill_graph *new_graph(struct fixture *f)
{
    rill_graph *graph = NULL;
    ok(rill_graph_create(f->context, NULL, &graph));
    return keep_graph(f, graph);
}

rill_exec *new_exec(struct fixture *f, rill_graph *graph)
{
    rill_exec *exec = NULL;
    ok(rill_exec_create(graph, NULL, &exec));
    keep(f->execs, exec);
    return exec;
}

rill_image image_of(const rill_function *functions, size_t count)
{
    return (rill_image){
        .size = sizeof(rill_image),
        .code = suite->code_of ? suite->code_of(functions->name) : NULL,
        .functions = functions,
        .function_count = count,
    };
}

void needs_functions(void)
{
    if (!suite->expects.runs_functions)
        skip_since("this kernel looks at what only a C function sees");
}

rill_kernel *new_kernel(struct fixture *f, rill_context *context, const rill_function *function)
{
    const rill_image image = image_of(function, 1);
    rill_module *module = NULL;
    rill_kernel *kernel = NULL;
    ok(rill_module_load(context, &image, &module));
    keep(f->modules, module);
    ok(rill_module_kernel(module, function->name, &kernel));
    return kernel;
}

rill_kernel *fault_kernel(struct fixture *f, rill_context *context)
{
    if (context != f->context) return new_kernel(f, context, suite->fault);
    if (!f->fault) f->fault = new_kernel(f, context, suite->fault);
    return f->fault;
}

atomic_uint *new_word(struct fixture *f)
{
    if (f->word_count == FIXTURE_THINGS) fail_msg("the fixture has no more words");
    return &f->words[f->word_count++];
}

rill_devptr address_of(struct fixture *f, atomic_uint *word)
{
    rill_devptr address = 0;
    ok(rill_host_device_pointer(f->context, word, &address));
    return address;
}
