/* SPDX-License-Identifier: Apache-2.0
 *
 * Mistakes of order, a function for each, and what the layer `check` says of them.  With
 * a name the program makes that mistake alone, and the report is the usual one; with
 * "mended" as well it does not make it:
 *
 *     RILL_LAYERS=check ./checked wait
 *     RILL_LAYERS=check ./checked wait mended
 *
 * Without a name it makes all of them, then none, and takes the findings itself.  On a GPU
 * nobody sees what the host touches, so `host` is not found there; on the simulator it prints:
 *
 *     wait: kernel 'twice' writes what memset writes, and nothing orders them
 *     never: a stream waits for an event that was never recorded, which orders nothing: …
 *     edge: memcpy reads what memset writes, and nothing orders them
 *     replay: memset was made for memory that was freed before this launch
 *     join: the capture ends while work of another stream is not joined to it
 *     host: the host reads what memcpy writes, and nothing orders them
 *     pool: free takes away memory that memcpy may still use
 *     init: memory is read that nothing has written
 *     8 mistakes: 7 findings, and hints
 *     8 mended: 0 findings
 */
#include <rill/check.h>
#include <stdbool.h>
#include <string.h>

#include "must.h"

enum { COUNT = 1 << 14, BYTES = COUNT * sizeof(float), BLOCK = 256 };

struct desk {
    rill_context *context;
    rill_stream *compute, *copy;
    rill_event *event;
    rill_kernel *twice;
    rill_devptr x, y;
    float *pinned;
    bool mended;
};

/* ---- Streams -------------------------------------------------------------------- */

/* Has a stream wait for what is in another one. */
static void order(struct desk *desk, rill_stream *first, rill_stream *then)
{
    MUST(rill_event_record(desk->event, first, 0));
    MUST(rill_stream_wait_event(then, desk->event, 0));
}

/* The kernel works on what another stream fills. */
static void forget_wait(struct desk *desk)
{
    const rill_dim3 blocks = { COUNT / BLOCK, 1, 1 }, threads = { BLOCK, 1, 1 };
    unsigned count = COUNT;
    const void *arguments[] = { &desk->x, &count };
    MUST(rill_memset_d32_async(desk->copy, desk->x, 0, COUNT));
    if (desk->mended) order(desk, desk->copy, desk->compute);
    MUST(rill_launch_kernel(desk->compute, desk->twice, blocks, threads, 0, arguments));
}

/* The event is waited for, but nobody has recorded it. */
static void wait_for_never(struct desk *desk)
{
    rill_event *never;
    MUST(rill_event_create(desk->context, NULL, &never));
    if (desk->mended) MUST(rill_event_record(never, desk->compute, 0));
    MUST(rill_stream_wait_event(desk->copy, never, 0));
    MUST(rill_event_destroy(&never));
}

/* ---- Graphs --------------------------------------------------------------------- */

static void forget_edge(struct desk *desk)
{
    const rill_fill fill = { .dst = desk->x, .element_bytes = 4, .width = COUNT, .height = 1 };
    const rill_copy copy = { .dst = rill_device_place(desk->y), .src = rill_device_place(desk->x),
                             .width = BYTES, .height = 1, .depth = 1 };
    rill_graph *graph;
    rill_exec *exec;
    rill_node filled, copied;
    MUST(rill_graph_create(desk->context, NULL, &graph));
    MUST(rill_graph_add_memset(graph, NULL, 0, &fill, &filled));
    MUST(rill_graph_add_memcpy(graph, &filled, desk->mended ? 1 : 0, &copy, &copied));
    MUST(rill_exec_create(graph, NULL, &exec));
    MUST(rill_exec_launch(exec, desk->compute));
    MUST(rill_stream_synchronize(desk->compute));
    MUST(rill_exec_destroy(&exec));
    MUST(rill_graph_destroy(&graph));
}

static rill_status fill(rill_stream *stream, void *address)
{
    return rill_memset_d32_async(stream, *(rill_devptr *)address, 1, COUNT);
}

/* A graph remembers an address, and launches do not ask whose it is by then. */
static void free_before_replay(struct desk *desk)
{
    rill_devptr memory;
    rill_graph *graph;
    rill_exec *exec;
    MUST(rill_mem_alloc(desk->context, BYTES, &memory));
    MUST(rill_capture(desk->compute, NULL, fill, &memory, &graph));
    MUST(rill_exec_create(graph, NULL, &exec));
    if (!desk->mended) {
        MUST(rill_mem_free(desk->context, memory));
        MUST(rill_mem_alloc(desk->context, BYTES, &memory));
    }
    MUST(rill_exec_launch(exec, desk->compute));
    MUST(rill_stream_synchronize(desk->compute));
    MUST(rill_mem_free(desk->context, memory));
    MUST(rill_exec_destroy(&exec));
    MUST(rill_graph_destroy(&graph));
}

/* What the other stream captured is not joined. */
static void forget_join(struct desk *desk)
{
    rill_graph *graph = NULL;
    MUST(rill_stream_begin_capture(desk->compute, NULL));
    order(desk, desk->compute, desk->copy);
    MUST(rill_memset_d32_async(desk->copy, desk->x, 0, COUNT));
    if (desk->mended) order(desk, desk->copy, desk->compute);
    rill_stream_end_capture(desk->compute, &graph);
    rill_graph_destroy(&graph);
}

/* ---- Memory --------------------------------------------------------------------- */

/* The host reads what is still being copied. */
static void read_early(struct desk *desk)
{
    MUST(rill_memcpy_dtoh_async(desk->copy, desk->pinned, desk->x, BYTES));
    if (desk->mended) MUST(rill_stream_synchronize(desk->copy));
    volatile float first = desk->pinned[0];
    (void)first;
}

/* Memory of a pool goes back to it while another stream still reads it. */
static void free_early(struct desk *desk)
{
    rill_devptr memory;
    MUST(rill_mem_alloc_async(desk->compute, BYTES, &memory));
    MUST(rill_memset_d32_async(desk->compute, memory, 0, COUNT));
    order(desk, desk->compute, desk->copy);
    MUST(rill_memcpy_dtod_async(desk->copy, desk->y, memory, BYTES));
    if (desk->mended) order(desk, desk->copy, desk->compute);
    MUST(rill_mem_free_async(desk->compute, memory));
}

static void read_unwritten(struct desk *desk)
{
    rill_devptr memory;
    MUST(rill_mem_alloc(desk->context, BYTES, &memory));
    if (desk->mended) MUST(rill_memset_d32_async(desk->compute, memory, 0, COUNT));
    MUST(rill_memcpy_dtod_async(desk->compute, desk->y, memory, BYTES));
    MUST(rill_mem_free(desk->context, memory));
}

/* ---- The kernel ----------------------------------------------------------------- */

/* For a GPU, where nobody sees what it touches: the layer assumes that from its arguments. */
static const char twice_ptx[] =
    ".version 6.4\n"
    ".target sm_75\n"
    ".address_size 64\n"
    ".visible .entry twice(.param .u64 x, .param .u32 count)\n"
    "{\n"
    "  .reg .pred %done;\n"
    "  .reg .f32 %value;\n"
    "  .reg .b32 %i, %block, %size, %thread, %count;\n"
    "  .reg .b64 %offset, %x;\n"
    "  ld.param.u32 %count, [count];\n"
    "  mov.u32 %block, %ctaid.x;\n"
    "  mov.u32 %size, %ntid.x;\n"
    "  mov.u32 %thread, %tid.x;\n"
    "  mad.lo.u32 %i, %block, %size, %thread;\n"
    "  setp.ge.u32 %done, %i, %count;\n"
    "  @%done bra end;\n"
    "  ld.param.u64 %x, [x];\n"
    "  mul.wide.u32 %offset, %i, 4;\n"
    "  add.u64 %x, %x, %offset;\n"
    "  ld.global.f32 %value, [%x];\n"
    "  add.f32 %value, %value, %value;\n"
    "  st.global.f32 [%x], %value;\n"
    "end:\n"
    "  ret;\n"
    "}\n";

/* For the simulator: it says itself what it touches. */
static void twice(const rill_launch *launch)
{
    rill_devptr address = RILL_ARGUMENT(launch, 0, rill_devptr);
    unsigned count = RILL_ARGUMENT(launch, 1, unsigned);
    float *x = RILL_DEVICE_MEMORY(address, float);
    rill_touch(address, count * sizeof *x, RILL_TOUCH_READ | RILL_TOUCH_WRITE);
    for (unsigned i = 0; i < count; i++) x[i] *= 2;
}

static void load_kernel(struct desk *desk, rill_module **module)
{
    static const rill_param params[] = { RILL_PARAM(rill_devptr), RILL_PARAM(unsigned) };
    static const rill_function function = {
        .name = "twice", .over_grid = twice, .params = params, .param_count = 2,
    };
    const rill_image image = {
        .size = sizeof image, .code = twice_ptx, .functions = &function, .function_count = 1,
    };
    MUST(rill_module_load(desk->context, &image, module));
    MUST(rill_module_kernel(*module, "twice", &desk->twice));
}

/* ---- All of them ---------------------------------------------------------------- */

static const struct mistake {
    const char *name;
    void (*make)(struct desk *desk);
} mistakes[] = {
    { "wait", forget_wait }, { "never", wait_for_never },
    { "edge", forget_edge }, { "replay", free_before_replay }, { "join", forget_join },
    { "host", read_early },  { "pool", free_early },           { "init", read_unwritten },
};
enum { MISTAKES = sizeof mistakes / sizeof *mistakes };

static void print_finding(void *data, const rill_finding *finding)
{
    const char **name = data;
    if (*name) printf("%s: %s\n", *name, finding->sentence);
}

static void make_mistake(const struct mistake *mistake, rill_platform *platform, bool mended)
{
    static const rill_stream_options compute = {
        .size = sizeof compute, .flags = RILL_STREAM_NON_BLOCKING, .label = "compute",
    };
    static const rill_stream_options copy = {
        .size = sizeof copy, .flags = RILL_STREAM_NON_BLOCKING, .label = "copy",
    };
    struct desk desk = { .mended = mended };
    rill_module *module;
    MUST(rill_context_create(platform, NULL, &desk.context));
    MUST(rill_stream_create(desk.context, &compute, &desk.compute));
    MUST(rill_stream_create(desk.context, &copy, &desk.copy));
    MUST(rill_event_create(desk.context, NULL, &desk.event));
    MUST(rill_mem_alloc(desk.context, BYTES, &desk.x));
    MUST(rill_mem_alloc(desk.context, BYTES, &desk.y));
    MUST(rill_memset_d32(desk.context, desk.x, 0, COUNT));
    MUST(rill_host_alloc(desk.context, BYTES, 0, (void **)&desk.pinned));
    MUST(rill_context_synchronize(desk.context));
    load_kernel(&desk, &module);

    mistake->make(&desk);

    MUST(rill_context_synchronize(desk.context));
    MUST(rill_host_free(desk.context, desk.pinned));
    MUST(rill_mem_free(desk.context, desk.y));
    MUST(rill_mem_free(desk.context, desk.x));
    MUST(rill_module_unload(&module));
    MUST(rill_event_destroy(&desk.event));
    MUST(rill_stream_destroy(&desk.copy));
    MUST(rill_stream_destroy(&desk.compute));
    MUST(rill_context_destroy(&desk.context));
}

static int make_one(rill_platform *platform, const char *name, bool mended)
{
    for (int i = 0; i < MISTAKES; i++) {
        if (strcmp(name, mistakes[i].name) != 0) continue;
        make_mistake(&mistakes[i], platform, mended);
        return EXIT_SUCCESS;
    }
    fprintf(stderr, "there is no mistake '%s'\n", name);
    return EXIT_FAILURE;
}

/* Returns how many findings there were, hints aside. */
static uint64_t make_all(rill_platform *platform, bool mended)
{
    static const char *name; /* NULL: what is told at the end is of nobody's */
    uint64_t before, after;
    MUST(rill_check_count(platform, &before));
    MUST(rill_check_report(platform, print_finding, &name));
    for (int i = 0; i < MISTAKES; i++) {
        name = mistakes[i].name;
        make_mistake(&mistakes[i], platform, mended);
    }
    name = NULL;
    MUST(rill_check_count(platform, &after));
    return after - before;
}

int main(int argc, char **argv)
{
    rill_platform *platform;
    rill_open_options options = { .size = sizeof options };
    int status = EXIT_SUCCESS;
    if (argc < 2) {
        setenv("RILL_CHECK", "race life capture init hints", 1);
        options.layers = "check";
    }
    MUST(rill_open(&options, &platform));
    if (argc < 2) {
        int bugs = (int)make_all(platform, false);
        printf("%d mistakes: %d findings, and hints\n", MISTAKES, bugs);
        bugs = (int)make_all(platform, true);
        printf("%d mended: %d findings\n", MISTAKES, bugs);
        if (bugs) status = EXIT_FAILURE;
    } else {
        status = make_one(platform, argv[1], argc > 2 && !strcmp(argv[2], "mended"));
    }
    MUST(rill_close(&platform));
    return status;
}
