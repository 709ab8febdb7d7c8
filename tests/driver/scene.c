/* SPDX-License-Identifier: Apache-2.0
 *
 * What the cases share: saying what they saw, kernels, gates, memory, threads.
 */
#include "oracle.h"
#include <stdarg.h>

/* ---- Saying what was seen ------------------------------------------------ */

void say(T *t, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(t->out + t->len, sizeof t->out - t->len, fmt, ap);
    va_end(ap);
    if (n > 0) t->len += (size_t)n;
    if (t->len >= sizeof t->out) t->len = sizeof t->out - 1;
}

const char *ename(CUresult r)
{
    static __thread char names[4][64];
    static __thread int turn;
    static const char prefix[] = "CUDA_ERROR_";
    const char *text = NULL;
    char *name = names[turn++ & 3];
    if (r == CUDA_SUCCESS) return "SUCCESS";
    if (cuGetErrorName(r, &text) == CUDA_SUCCESS && text) {
        if (!strncmp(text, prefix, sizeof prefix - 1)) text += sizeof prefix - 1;
        snprintf(name, sizeof names[0], "%s", text);
    } else {
        snprintf(name, sizeof names[0], "E%d", (int)r);
    }
    return name;
}

const char *ntype(CUgraphNodeType ty)
{
    static const char *const names[] = {
        "KERNEL", "MEMCPY",     "MEMSET",       "HOST",       "GRAPH",
        "EMPTY",  "WAIT_EVENT", "EVENT_RECORD", "EXT_SIGNAL", "EXT_WAIT",
        "MEM_ALLOC", "MEM_FREE", "BATCH_MEM_OP", "CONDITIONAL",
    };
    return (size_t)ty < sizeof names / sizeof *names ? names[ty] : "?";
}

_Noreturn void die(T *t, const char *what, CUresult r)
{
    say(t, " SETUP:%s=%s", what, ename(r));
    printf("%s", t->out);
    fflush(stdout);
    _exit(3);
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

void say_shape(T *t, CUgraph g)
{
    size_t n = 0, edges = 0, roots = 0;
    if (!g) {
        say(t, " shape=null");
        return;
    }
    CUresult r = cuGraphGetNodes(g, NULL, &n);
    if (r) {
        say(t, " nodes=%s", ename(r));
        return;
    }
    CUgraphNode *nodes = calloc(n + 1, sizeof *nodes);
    if (n) cuGraphGetNodes(g, nodes, &n);
    char **keys = calloc(n + 1, sizeof *keys);
    for (size_t i = 0; i < n; i++) {
        CUgraphNodeType type = 99;
        size_t in = 0, out = 0;
        cuGraphNodeGetType(nodes[i], &type);
        cuGraphNodeGetDependencies(nodes[i], NULL, NULL, &in);
        cuGraphNodeGetDependentNodes(nodes[i], NULL, NULL, &out);
        keys[i] = malloc(64);
        snprintf(keys[i], 64, "%s/%zu/%zu", ntype(type), in, out);
        edges += in;
    }
    qsort(keys, n, sizeof *keys, by_text);
    cuGraphGetRootNodes(g, NULL, &roots);
    say(t, " shape{n=%zu e=%zu roots=%zu", n, edges, roots);
    for (size_t i = 0; i < n && i < 24; i++) say(t, " %s", keys[i]);
    say(t, "}");
    for (size_t i = 0; i < n; i++) free(keys[i]);
    free(keys);
    free(nodes);
}

CUgraph capture_end(T *t, CUstream s)
{
    CUgraph untouched = (CUgraph)0x1, g = untouched;
    CUresult r = cuStreamEndCapture(s, &g);
    say(t, " end=%s", ename(r));
    if (!r) return g;
    say(t, " graph=%s", !g ? "null" : g == untouched ? "untouched" : "set");
    return NULL;
}

/* ---- Kernels ------------------------------------------------------------- */

/* The whole file with a NUL behind it, or NULL. */
static char *slurp(const char *path)
{
    FILE *f = fopen(path, "rb");
    if (!f) return NULL;
    fseek(f, 0, SEEK_END);
    size_t n = (size_t)ftell(f);
    rewind(f);
    char *text = calloc(1, n + 1);
    if (fread(text, 1, n, f) != n) {
        free(text);
        text = NULL;
    }
    fclose(f);
    return text;
}

static CUmodule load(T *t, const char *variable, const char *usual)
{
    const char *path = getenv(variable);
    CUmodule m = NULL;
    char *image = slurp(path ? path : usual);
    if (!image) die(t, variable, CUDA_ERROR_FILE_NOT_FOUND);
    CUresult r = cuModuleLoadData(&m, image);
    if (r) die(t, "cuModuleLoadData", r);
    free(image);
    return m;
}

static CUfunction find(T *t, CUmodule m, const char *name)
{
    CUfunction f = NULL;
    CUresult r = cuModuleGetFunction(&f, m, name);
    if (r) die(t, name, r);
    return f;
}

CUfunction kernel(T *t, const char *name)
{
    if (!t->mod) t->mod = load(t, "ORACLE_PTX", "kernels.ptx");
    return find(t, t->mod, name);
}

CUfunction cond_kernel(T *t, const char *name)
{
    if (!t->condmod) t->condmod = load(t, "ORACLE_COND_IMAGE", "cond.cubin");
    return find(t, t->condmod, name);
}

CUresult launch1(CUfunction f, CUstream s, void **args)
{
    return cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, s, args, NULL);
}

/* ---- Gates --------------------------------------------------------------- */

static void gate_init(T *t)
{
    if (t->gate_host) return;
    void *p = NULL;
    CUresult r = cuMemHostAlloc(&p, 4096, CU_MEMHOSTALLOC_DEVICEMAP | CU_MEMHOSTALLOC_PORTABLE);
    if (r) die(t, "gate alloc", r);
    memset(p, 0, 4096);
    r = cuMemHostGetDevicePointer(&t->gate_dev, p, 0);
    if (r) die(t, "gate ptr", r);
    t->gate_host = p;
}

CUresult gate(T *t, CUstream s)
{
    gate_init(t);
    return cuStreamWaitValue32(s, t->gate_dev, 1, CU_STREAM_WAIT_VALUE_GEQ);
}

void gate_open(T *t)
{
    gate_init(t);
    __atomic_store_n(t->gate_host, 1, __ATOMIC_SEQ_CST);
}

void gate_close(T *t)
{
    gate_init(t);
    __atomic_store_n(t->gate_host, 0, __ATOMIC_SEQ_CST);
}

/* ---- Memory, time and threads -------------------------------------------- */

CUdeviceptr dalloc(T *t, size_t n)
{
    CUdeviceptr p = 0;
    CUresult r = cuMemAlloc(&p, n);
    if (r) die(t, "cuMemAlloc", r);
    r = cuMemsetD8(p, 0, n);
    if (!r) r = cuCtxSynchronize();
    if (r) die(t, "cuMemsetD8", r);
    return p;
}

uint32_t dread(T *t, CUdeviceptr p)
{
    uint32_t v = 0xdeadbeef;
    CUresult r = cuMemcpyDtoH(&v, p, 4);
    if (r) say(t, " read=%s", ename(r));
    return v;
}

void msleep(int ms)
{
    struct timespec ts = { ms / 1000, (ms % 1000) * 1000000L };
    nanosleep(&ts, NULL);
}

struct errand {
    T *t;
    void (*fn)(void *);
    void *arg;
};

static void *run_errand(void *p)
{
    struct errand *errand = p;
    cuCtxSetCurrent(errand->t->ctx);
    errand->fn(errand->arg);
    return NULL;
}

void on_thread(T *t, void (*fn)(void *), void *arg)
{
    struct errand errand = { t, fn, arg };
    pthread_t thread;
    if (pthread_create(&thread, NULL, run_errand, &errand)) die(t, "thread", CUDA_ERROR_UNKNOWN);
    pthread_join(thread, NULL);
}
