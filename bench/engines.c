/* SPDX-License-Identifier: Apache-2.0
 *
 * Who is measured: rill, plain loops, and peers that were there when this was
 * built, each a module beside the benchmark.
 */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"

/* OpenMP and StarPU keep no graph whose cost could be told from that of running it, and only the
 * thread that opened OpenMP's region makes tasks. */
const struct contender_info contenders[CONTENDERS] = {
    [SERIAL] = { "serial", "loop", .graphs = true, .costs = true },
    [SPLIT] = { "split", "split", .graphs = true },
    [RILL] = { "rill", "rill", .graphs = true, .costs = true, .queues = true, .threads = true },
    [TBB] = { "tbb", "oneTBB", .graphs = true, .costs = true, .queues = true, .threads = true },
    [TBB_LIGHT] = { "tbb-light", "light TBB", .graphs = true },
    [GLIB] = { "glib", "GLib", .graphs = true, .costs = true, .queues = true, .threads = true },
    [LIBGOMP] = { "libgomp", "libgomp", .graphs = true, .queues = true },
    [LIBOMP] = { "libomp", "libomp", .graphs = true, .queues = true },
    [STARPU] = { "starpu", "StarPU", .graphs = true },
    [POCL] = { "pocl", "POCL", .queues = true, .threads = true },
};

/* ---- The plain loop ------------------------------------------------------------ */

struct loop {
    uint32_t count;
    struct call {
        void (*fn)(void *data);
        void *data;
    } calls[];
};

static const char *open_loop(int threads)
{
    return threads == 1 ? "loop" : NULL;
}

static void close_loop(void)
{
}

static void *make_loop(const struct dag *dag, void (*fn)(void *data), void **data)
{
    struct loop *loop = malloc(sizeof *loop + dag->nodes * sizeof *loop->calls);
    if (!loop) give_up("no memory for a loop");
    loop->count = dag->nodes;
    for (uint32_t v = 0; v < dag->nodes; v++) loop->calls[v] = (struct call){ fn, data[v] };
    return loop;
}

static void run_loop(void *graph)
{
    const struct loop *loop = graph;
    const struct call *end = loop->calls + loop->count;
    for (const struct call *call = loop->calls; call < end; call++) call->fn(call->data);
}

const struct engine serial_engine = {
    .open = open_loop, .close = close_loop, .make = make_loop, .run = run_loop, .unmake = free,
};

/* ---- Modules --------------------------------------------------------------------- */

static void path_of(int contender, char *path, size_t bytes)
{
    snprintf(path, bytes, "%s/%s.so", BENCH_PEERS, contenders[contender].key);
}

bool contender_there(int contender)
{
    char path[4096];
    path_of(contender, path, sizeof path);
    return contender <= RILL || access(path, R_OK) == 0;
}

static const void *load(int contender, const char *name)
{
    char path[4096];
    path_of(contender, path, sizeof path);
    void *module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    const void *found = module ? dlsym(module, name) : NULL;
    if (!found) give_up("%s", dlerror());
    return found;
}

const struct engine *load_engine(int contender)
{
    if (contender == SERIAL) return &serial_engine;
    if (contender == SPLIT) return &split_engine;
    if (contender == RILL) return &rill_engine;
    return load(contender, "peer_engine");
}

const struct queues *load_queues(int contender)
{
    return load(contender, "peer_queues");
}
