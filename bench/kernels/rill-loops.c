/* SPDX-License-Identifier: Apache-2.0
 *
 * What kernels cost next to the same loops in plain C: processor time on one worker, and how much
 * sooner two workers are done, next to how much sooner two threads of C are that share the loop and
 * are awake already.  Kernels and loops take turns, so that all of them meet the machine in the
 * same moods.  If POCL is there (peers/pocl_loops.c), its kernels take turns with them.
 *
 *     rill-loops [ROUNDS [KERNEL]]     medians of so many rounds, of all kernels or one
 */
#include <dlfcn.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include <rill/sim.h>

#include "../held.h"
#include "loops_peer.h"
#include "loops_plain.h"
#include "two_threads.h"

enum { ALL = 1 << 20, EDGE = 512, BODIES = 4096, WIDE = 1024, TEXT = 1 << 17, MOST_ROUNDS = 99 };

/* What runs on a platform with one worker, and with two. */
struct side {
    rill_platform *platform;
    rill_context *context;
    rill_stream *stream;
    rill_module *module;
    rill_devptr x, y, out, bytes; /* `y` is written by saxpy alone                           */
};

static char *text;
static float *x, *y, *other, *out;
static unsigned char *bytes;
static volatile float sums[2]; /* of the parts of the reduction */

/* ---- The kernels, and the loops ------------------------------------------------------------ */

static void run_saxpy(int first, int end) { plain_saxpy(first, end, 2, x, y); }
static void run_matmul(int first, int end) { plain_matmul(first, end, EDGE, x, other, out); }
static void run_tiled(int first, int end) { plain_matmul_tiled(first, end, EDGE, x, other, out); }
static void run_reduce(int first, int end) { sums[first > 0] = plain_reduce(first, end, x); }
static void run_nbody(int first, int end) { plain_nbody(first, end, BODIES, x, out); }
static void run_stencil(int first, int end) { plain_stencil(first, end, WIDE, WIDE, x, out); }
static void run_scan(int first, int end) { plain_scan(first, end, x, out); }
static void run_sort(int first, int end) { plain_sort(first, end, x, out); }
static void run_transpose(int first, int end) { plain_transpose(first, end, WIDE, x, out); }
static void run_softmax(int first, int end) { plain_softmax(first, end, WIDE, x, out); }

/* Each part counts apart. */
static void run_histogram(int first, int end)
{
    unsigned *counts = (unsigned *)(void *)out + (first > 0 ? 1024 : 0);
    memset(counts, 0, 256 * sizeof *counts);
    plain_histogram(first, end, bytes, counts);
}

#define LINE(blocks) { (blocks), 1, 1 }, { 256, 1, 1 }
#define TILES(edge) { (edge) / 32, (edge) / 32, 1 }
#define SQUARE(edge) { (edge) / 16, (edge) / 16, 1 }, { 16, 16, 1 }

/* Parameters, one letter for each: n (and w and h, the same number), a factor, x, y, out, bytes. */
static const struct loop {
    const char *name, *kernel, *params;
    void (*run)(int first, int end);
    int parts; /* that threads may share */
    int n;
    rill_dim3 grid, block;
} loops[] = {
    { "saxpy", "saxpy", "nfxy", run_saxpy, ALL, ALL, LINE(ALL / 256) },
    { "matmul", "matmul", "nxyo", run_matmul, EDGE, EDGE, SQUARE(EDGE) },
    { "matmul, tiled", "matmul_tiled", "nxyo", run_tiled, EDGE / 16, EDGE, SQUARE(EDGE) },
    { "reduction", "reduce", "nxo", run_reduce, ALL, ALL, LINE(256) },
    { "histogram", "histogram", "nbo", run_histogram, ALL, ALL, LINE(256) },
    { "n-body", "nbody", "nxo", run_nbody, BODIES, BODIES, LINE(BODIES / 256) },
    { "stencil", "stencil", "nnxo", run_stencil, WIDE, WIDE, SQUARE(WIDE) },
    { "scan", "scan", "nxo", run_scan, ALL / 256, ALL, LINE(ALL / 256) },
    { "sort", "sort", "nxo", run_sort, ALL / 512, ALL, LINE(ALL / 512) },
    { "transpose", "transpose", "nxo", run_transpose, WIDE, WIDE, TILES(WIDE), { 32, 8, 1 } },
    { "softmax", "softmax", "nxo", run_softmax, WIDE, WIDE, LINE(WIDE) },
    { "GEMM, mma", "gemm", "nxyo", run_matmul, EDGE, EDGE, TILES(EDGE), { 128, 1, 1 } },
};

#define LOOPS (sizeof loops / sizeof *loops)

static void run_kernel(struct side *side, const struct loop *loop)
{
    static const float factor = 2;
    const void *params[4];
    rill_kernel *kernel = NULL;
    for (unsigned i = 0; loop->params[i]; i++)
        switch (loop->params[i]) {
        case 'n': params[i] = &loop->n; break;
        case 'f': params[i] = &factor; break;
        case 'x': params[i] = &side->x; break;
        case 'y': params[i] = &side->y; break;
        case 'b': params[i] = &side->bytes; break;
        default: params[i] = &side->out; break;
        }
    TRY(rill_module_kernel(side->module, loop->kernel, &kernel));
    TRY(rill_launch_kernel(side->stream, kernel, loop->grid, loop->block, 0, params));
    TRY(rill_stream_synchronize(side->stream));
}

/* ---- Setting up ---------------------------------------------------------------------------- */

static void *must_alloc(size_t size)
{
    void *memory = calloc(1, size);
    if (!memory) exit(EXIT_FAILURE);
    return memory;
}

static void make_numbers(void)
{
    x = must_alloc(ALL * sizeof *x);
    y = must_alloc(ALL * sizeof *y);
    other = must_alloc(ALL * sizeof *other);
    out = must_alloc(ALL * sizeof *out);
    bytes = must_alloc(ALL);
    uint64_t state = 17;
    for (int i = 0; i < ALL; i++) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        x[i] = (float)(state >> 40) * 0x1p-24f;
        other[i] = (float)(state >> 16 & 0xffffff) * 0x1p-24f;
        bytes[i] = (unsigned char)(state >> 33);
    }
}

static void read_text(void)
{
    FILE *file = fopen(BENCH_LOOPS, "rb");
    text = must_alloc(TEXT);
    if (!file || fread(text, 1, TEXT - 1, file) == 0) {
        fprintf(stderr, "rill-loops: cannot read %s\n", BENCH_LOOPS);
        exit(EXIT_FAILURE);
    }
    fclose(file);
}

static void open_side(struct side *side, uint32_t workers)
{
    const rill_sim_options sim = { .size = sizeof sim, .workers = workers };
    const rill_open_options options = { .size = sizeof options, .backend = "sim", .sim = &sim };
    const rill_image image = { .size = sizeof image, .code = text };
    TRY(rill_open(&options, &side->platform));
    TRY(rill_context_create(side->platform, NULL, &side->context));
    TRY(rill_stream_create(side->context, NULL, &side->stream));
    TRY(rill_module_load(side->context, &image, &side->module));
    TRY(rill_mem_alloc(side->context, ALL * sizeof(float), &side->x));
    TRY(rill_mem_alloc(side->context, ALL * sizeof(float), &side->y));
    TRY(rill_mem_alloc(side->context, ALL * sizeof(float), &side->out));
    TRY(rill_mem_alloc(side->context, ALL, &side->bytes));
    TRY(rill_memcpy_htod(side->context, side->x, x, ALL * sizeof(float)));
    TRY(rill_memcpy_htod(side->context, side->bytes, bytes, ALL));
}

static void close_side(struct side *side)
{
    TRY(rill_mem_free(side->context, side->x));
    TRY(rill_mem_free(side->context, side->y));
    TRY(rill_mem_free(side->context, side->out));
    TRY(rill_mem_free(side->context, side->bytes));
    TRY(rill_module_unload(&side->module));
    TRY(rill_stream_destroy(&side->stream));
    TRY(rill_context_destroy(&side->context));
    TRY(rill_close(&side->platform));
}

/* ---- The peer ------------------------------------------------------------------------------ */

/* Returns the peer, or NULL if there is none. */
static const struct loops_peer *open_peer(void)
{
    const struct loops_data data = { x, other, bytes, ALL };
    void *module = dlopen(BENCH_PEER, RTLD_NOW | RTLD_LOCAL);
    const struct loops_peer *peer = module ? dlsym(module, "loops_peer") : NULL;
    return peer && peer->open(&data) ? peer : NULL;
}

/* Returns the peer if it has the kernel, or NULL. */
static const struct loops_peer *peer_for(const struct loops_peer *peer, const struct loop *loop)
{
    return peer && peer->has(loop->kernel) ? peer : NULL;
}

static void run_peer(const struct loops_peer *peer, const struct loop *loop)
{
    peer->run(loop->kernel, loop->params, loop->n, (size_t[]){ loop->grid.x, loop->grid.y },
              (size_t[]){ loop->block.x, loop->block.y });
}

/* ---- The same answers ---------------------------------------------------------------------- */

static void begin(struct side *side)
{
    memcpy(y, other, ALL * sizeof *y);
    memset(out, 0, ALL * sizeof *out);
    TRY(rill_memcpy_htod(side->context, side->y, other, ALL * sizeof(float)));
    TRY(rill_memset_d32(side->context, side->out, 0, ALL));
}

static double distance_to(const float *plain, const float *kernel)
{
    double most = 0;
    for (int i = 0; i < ALL; i++) {
        const double right = (double)plain[i];
        most = fmax(most, fabs((double)kernel[i] - right) / (fabs(right) + 1));
    }
    return most;
}

static void check_answer(struct side *side, const struct loop *loop)
{
    float *kernel = must_alloc(ALL * sizeof *kernel);
    const bool in_place = loop->run == run_saxpy;
    TRY(rill_memcpy_dtoh(side->context, kernel, in_place ? side->y : side->out,
                         ALL * sizeof(float)));
    double apart;
    if (loop->run == run_reduce) {
        double sum = 0;
        for (int i = 0; i < 256; i++) sum += (double)kernel[i];
        apart = fabs(sum - (double)sums[0]) / sum;
    } else if (loop->run == run_histogram) {
        apart = memcmp(kernel, out, 256 * sizeof(unsigned)) != 0;
    } else {
        apart = distance_to(in_place ? y : out, kernel);
    }
    free(kernel);
    if (apart <= 1e-3) return;
    fprintf(stderr, "rill-loops: %s: the kernel's answer is not the loop's\n", loop->name);
    exit(EXIT_FAILURE);
}

/* ---- Time ---------------------------------------------------------------------------------- */

static double read_clock(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static int compare_times(const void *a, const void *b)
{
    const double one = *(const double *)a, two = *(const double *)b;
    return one < two ? -1 : one > two;
}

static double median(double *times, int count)
{
    qsort(times, (size_t)count, sizeof *times, compare_times);
    return times[count / 2];
}

enum { C, C_WALL, C_TWO, ONE, ONE_WALL, TWO, PEER, TIMED };

/* Prints a row.  POCL's times are behind all others, and a dash without it. */
static void print_row(const char *name, const double took[TIMED])
{
    printf("%-16s %8.2f %10.2f %8.1f %14.2f %12.2f", name, took[C], took[ONE], took[ONE] / took[C],
           took[C_WALL] / took[C_TWO], took[ONE_WALL] / took[TWO]);
    if (took[PEER] > 0) printf(" %9.2f %11.1f\n", took[PEER], took[ONE] / took[PEER]);
    else printf(" %9s %11s\n", "-", "-");
    fflush(stdout);
}

/* What is run one after the other in a round. */
struct turn {
    struct side *one, *two;
    const struct loops_peer *peer; /* NULL unless it has the kernel */
    const struct loop *loop;
};

/* Takes turns: the loop, on one thread and on two; the kernel, on one worker and on two; the peer's
 * kernel. */
static void take_turns(const struct turn *turn, double took[TIMED])
{
    const struct loop *loop = turn->loop;
    double before = read_clock(CLOCK_PROCESS_CPUTIME_ID), wall = read_clock(CLOCK_MONOTONIC);
    loop->run(0, loop->parts);
    took[C_WALL] = read_clock(CLOCK_MONOTONIC) - wall;
    took[C] = read_clock(CLOCK_PROCESS_CPUTIME_ID) - before;
    took[C_TWO] = run_on_two_threads(loop->run, loop->parts);
    before = read_clock(CLOCK_PROCESS_CPUTIME_ID);
    wall = read_clock(CLOCK_MONOTONIC);
    run_kernel(turn->one, loop);
    took[ONE_WALL] = read_clock(CLOCK_MONOTONIC) - wall;
    took[ONE] = read_clock(CLOCK_PROCESS_CPUTIME_ID) - before;
    wall = read_clock(CLOCK_MONOTONIC);
    run_kernel(turn->two, loop);
    took[TWO] = read_clock(CLOCK_MONOTONIC) - wall;
    if (!turn->peer) return;
    before = read_clock(CLOCK_PROCESS_CPUTIME_ID);
    run_peer(turn->peer, loop);
    took[PEER] = read_clock(CLOCK_PROCESS_CPUTIME_ID) - before;
}

static void measure(const struct turn *turn, int rounds)
{
    static double times[TIMED][MOST_ROUNDS];
    double took[TIMED] = { 0 };
    begin(turn->one);
    run_kernel(turn->one, turn->loop);
    turn->loop->run(0, turn->loop->parts);
    check_answer(turn->one, turn->loop);
    begin(turn->two);
    run_kernel(turn->two, turn->loop);
    if (turn->peer) run_peer(turn->peer, turn->loop);
    for (int i = 0; i < rounds; i++) {
        take_turns(turn, took);
        for (int j = 0; j < TIMED; j++) times[j][i] = took[j];
    }
    for (int j = 0; j < TIMED; j++) took[j] = median(times[j], rounds);
    print_row(turn->loop->name, took);
}

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : 11;
    if (rounds < 1 || rounds > MOST_ROUNDS) rounds = MOST_ROUNDS;
    struct side one, two;
    make_numbers();
    read_text();
    open_side(&one, 1);
    open_side(&two, 2);
    const struct loops_peer *peer = open_peer();
    printf("%-16s %8s %10s %8s %14s %12s %9s %11s\n", "medians", "C, ms", "rill, ms", "times C",
           "C, two threads", "two workers", "POCL, ms", "times POCL");
    for (size_t i = 0; i < LOOPS; i++)
        if (argc < 3 || strcmp(argv[2], loops[i].name) == 0)
            measure(&(struct turn){ &one, &two, peer_for(peer, &loops[i]), &loops[i] }, rounds);
    if (peer) peer->close();
    close_side(&two);
    close_side(&one);
    free(text);
    free(x);
    free(y);
    free(other);
    free(out);
    free(bytes);
    return EXIT_SUCCESS;
}
