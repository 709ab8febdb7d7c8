/* SPDX-License-Identifier: Apache-2.0
 *
 * Who can run graphs: rill, the plain loop, and peers that were there when this
 * was built, each a module beside the benchmark.
 */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"

const struct naming contender_names[CONTENDERS] = {
    [SERIAL] = { "serial", "loop" },
    [RILL] = { "rill", "rill" },
    [TBB] = { "tbb", "oneTBB" },
    [TBB_LIGHT] = { "tbb-light", "light TBB" },
    [GLIB] = { "glib", "GLib" },
    [LIBGOMP] = { "libgomp", "libgomp" },
    [LIBOMP] = { "libomp", "libomp" },
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
    snprintf(path, bytes, "%s/%s.so", BENCH_PEERS, contender_names[contender].key);
}

bool engine_there(int contender)
{
    char path[4096];
    path_of(contender, path, sizeof path);
    return contender == SERIAL || contender == RILL || access(path, R_OK) == 0;
}

const struct engine *load_engine(int contender)
{
    if (contender == SERIAL) return &serial_engine;
    if (contender == RILL) return &rill_engine;
    char path[4096];
    path_of(contender, path, sizeof path);
    void *module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    const struct engine *engine = module ? dlsym(module, "peer_engine") : NULL;
    if (!engine) give_up("%s", dlerror());
    return engine;
}
