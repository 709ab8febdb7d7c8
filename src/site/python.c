/* SPDX-License-Identifier: Apache-2.0
 *
 * Asks the interpreter that is in this process, if one is, with functions that it keeps from
 * version to version.  They are looked up: nothing of Python's is needed to build this.
 */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "site/python.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/lock.h"
#include "site/path.h"

bool cs_is_python_module(const char *module)
{
    static const char *const parts[] = {
        "libpython", "libffi.", "_ctypes.", "_cffi_backend.", ".cpython-", ".abi3.so",
    };
    if (!strncmp(module, "python", 6)) return true;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strstr(module, parts[i])) return true;
    return false;
}

/* ---- The interpreter ----------------------------------------------------------------------- */

struct interpreter {
    void *(*PyGILState_GetThisThreadState)(void);
    void *(*PyThreadState_GetUnchecked)(void);
    void *(*PyInterpreterState_Main)(void);
    void *(*PyInterpreterState_ThreadHead)(void *interpreter);
    void *(*PyThreadState_Next)(void *thread);
    int (*PyGILState_Ensure)(void);
    void (*PyGILState_Release)(int before);
    int (*PyGC_Disable)(void);
    int (*PyGC_Enable)(void);
    void *(*PyEval_GetFrame)(void);
    void *(*PyFrame_GetBack)(void *frame);
    void *(*PyFrame_GetCode)(void *frame);
    int (*PyFrame_GetLineNumber)(void *frame);
    void *(*PyObject_GetAttrString)(void *object, const char *name);
    const char *(*PyUnicode_AsUTF8AndSize)(void *text, ptrdiff_t *bytes);
    void (*PyErr_Clear)(void);
    void (*Py_DecRef)(void *object);
};

#define ENTRY(name) RENAMED(name, NULL)
#define RENAMED(name, before) { #name, before, offsetof(struct interpreter, name) }

static const struct {
    const char *name;
    const char *before; /* what it was called in older versions, or NULL */
    size_t offset;
} entries[] = {
    ENTRY(PyGILState_GetThisThreadState),
    RENAMED(PyThreadState_GetUnchecked, "_PyThreadState_UncheckedGet"), /* Python 3.13 */
    ENTRY(PyInterpreterState_Main), ENTRY(PyInterpreterState_ThreadHead),
    ENTRY(PyThreadState_Next), ENTRY(PyGILState_Ensure), ENTRY(PyGILState_Release),
    ENTRY(PyGC_Disable), ENTRY(PyGC_Enable), ENTRY(PyEval_GetFrame), ENTRY(PyFrame_GetBack),
    ENTRY(PyFrame_GetCode), ENTRY(PyFrame_GetLineNumber), ENTRY(PyObject_GetAttrString),
    ENTRY(PyUnicode_AsUTF8AndSize), ENTRY(PyErr_Clear), ENTRY(Py_DecRef),
};

static struct interpreter python;
static bool has_python;

static void find_interpreter(void)
{
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        void *function = dlsym(RTLD_DEFAULT, entries[i].name);
        if (!function && entries[i].before) function = dlsym(RTLD_DEFAULT, entries[i].before);
        if (!function) return;
        memcpy((char *)&python + entries[i].offset, &function, sizeof function);
    }
    has_python = true;
}

/* Returns whether no other thread knows Python.  Reads nothing of other threads but where the
 * first one is: the newest comes first, and may end meanwhile. */
static bool is_alone(void *thread)
{
    void *interpreter = python.PyInterpreterState_Main();
    return interpreter && python.PyInterpreterState_ThreadHead(interpreter) == thread &&
           !python.PyThreadState_Next(thread);
}

/* Whether some thread has called the library and kept the interpreter's lock meanwhile, as
 * ctypes.PyDLL and extensions do; only ever set. */
static atomic_bool calls_keep_lock;

/* What a thread may do that Python has called. */
enum python_hold {
    HOLDS_NOTHING, /* ask nothing                                             */
    HOLDS_LOCK,    /* ask, since it holds the interpreter's lock              */
    GAVE_LOCK,     /* take the lock, as ctypes does after the call, then ask  */
};

/* A thread that keeps the lock in a call of the library may wait there for something that this
 * call is to do: where there are such calls and other threads, the lock is not waited for.  Else
 * the thread that has it gives it away before long, as all threads of Python do. */
static enum python_hold find_hold(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, find_interpreter);
    void *own = has_python ? python.PyGILState_GetThisThreadState() : NULL;
    if (!own) return HOLDS_NOTHING;
    if (python.PyThreadState_GetUnchecked() == own) {
        atomic_store(&calls_keep_lock, true);
        return HOLDS_LOCK;
    }
    return !atomic_load(&calls_keep_lock) || is_alone(own) ? GAVE_LOCK : HOLDS_NOTHING;
}

/* ---- Lines seen ---------------------------------------------------------------------------- */

/* A line's address is its site. */
struct line {
    struct line *next;
    int number;
    char *file;      /* as it is told */
    char *full_file; /* as Python has it */
    char *function;
};

#define BUCKETS 1024

/* Lists that only grow, at their heads and under the lock; read without it. */
static _Atomic(struct line *) lines[BUCKETS];
static struct rl_lock lines_lock;

static size_t bucket_of(const char *file, int number)
{
    size_t hash = (size_t)number;
    while (*file) hash = hash * 31 + (unsigned char)*file++;
    return hash % BUCKETS;
}

static const struct line *find_line(size_t bucket, const char *file, int number)
{
    const struct line *line = atomic_load_explicit(&lines[bucket], memory_order_acquire);
    while (line && (line->number != number || strcmp(line->full_file, file))) line = line->next;
    return line;
}

static struct line *create_line(const char *file, int number, const char *function)
{
    char folder[4096];
    struct line *line = rl_zalloc(sizeof *line);
    if (!line) return NULL;
    line->number = number;
    line->file = cs_short_path(file, getcwd(folder, sizeof folder));
    line->full_file = rl_strdup(file);
    line->function = rl_strdup(function);
    if (line->file && line->full_file && line->function) return line;
    rl_free(line->file);
    rl_free(line->full_file);
    rl_free(line->function);
    rl_free(line);
    return NULL;
}

/* Returns the one line of that place, or NULL if memory is short. */
static const struct line *intern_line(const char *file, int number, const char *function)
{
    size_t bucket = bucket_of(file, number);
    const struct line *known = find_line(bucket, file, number);
    if (known) return known;
    rl_lock(&lines_lock);
    known = find_line(bucket, file, number);
    if (!known) {
        struct line *line = create_line(file, number, function);
        known = line;
        if (line) {
            line->next = atomic_load_explicit(&lines[bucket], memory_order_relaxed);
            atomic_store_explicit(&lines[bucket], line, memory_order_release);
        }
    }
    rl_unlock(&lines_lock);
    return known;
}

/* ---- The line that runs -------------------------------------------------------------------- */

static const struct line *line_of(void *code, int number)
{
    const struct line *line = NULL;
    void *file = python.PyObject_GetAttrString(code, "co_filename");
    void *function = python.PyObject_GetAttrString(code, "co_name");
    const char *file_text = file ? python.PyUnicode_AsUTF8AndSize(file, NULL) : NULL;
    const char *function_text = function ? python.PyUnicode_AsUTF8AndSize(function, NULL) : NULL;
    if (file_text && function_text) line = intern_line(file_text, number, function_text);
    else python.PyErr_Clear();
    python.Py_DecRef(file);
    python.Py_DecRef(function);
    return line;
}

/* Lists the lines that call each other, from the inside out, and returns how many.  Asking makes
 * objects, at which some versions collect garbage, which would run finalizers of the program in the
 * midst of its call: so there is no collection here.  Requires the interpreter's lock. */
static size_t list_running_lines(const void **sites, size_t room)
{
    size_t count = 0;
    int collected = python.PyGC_Disable();
    void *frame = python.PyEval_GetFrame(), *held = NULL;
    while (frame && count < room) {
        void *code = python.PyFrame_GetCode(frame);
        const struct line *line = line_of(code, python.PyFrame_GetLineNumber(frame));
        python.Py_DecRef(code);
        if (!line) break;
        sites[count++] = line;
        void *outer = count < room ? python.PyFrame_GetBack(frame) : NULL;
        python.Py_DecRef(held);
        frame = held = outer;
    }
    python.Py_DecRef(held);
    if (collected) python.PyGC_Enable();
    return count;
}

size_t cs_python_sites(const void **sites, size_t room)
{
    enum python_hold hold = find_hold();
    if (hold == HOLDS_NOTHING) return 0;
    if (hold == HOLDS_LOCK) return list_running_lines(sites, room);
    int before = python.PyGILState_Ensure();
    size_t count = list_running_lines(sites, room);
    python.PyGILState_Release(before);
    return count;
}

bool cs_is_python_site(const void *site, struct cs_source *source)
{
    for (size_t i = 0; i < BUCKETS; i++) {
        const struct line *line = atomic_load_explicit(&lines[i], memory_order_acquire);
        while (line && line != site) line = line->next;
        if (!line) continue;
        *source = (struct cs_source){ .file = line->file, .line = line->number,
                                      .function = line->function };
        return true;
    }
    return false;
}
