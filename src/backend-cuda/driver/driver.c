/* SPDX-License-Identifier: Apache-2.0
 *
 * Loads libcuda and finds its entry points.
 */
#include "backend-cuda/driver/driver.h"

#include <dlfcn.h>
#include <string.h>

#include "base/lock.h"
#include "base/thread.h"

struct cuda_api cuda_api;

/* Protects `loaded`, and cuda_api until it is complete. */
static struct rl_lock loading;
static char loaded[1024]; /* path of the library in use, or ""; loading */

/* ---- Finding entries ------------------------------------------------------------- */

/* The driver's call that finds one signature of a name: 0 if the driver has it. */
struct finder {
    CUresult (*find)(const char *, void **, int, uint64_t);                   /* 11.3 */
    CUresult (*find_and_say)(const char *, void **, int, uint64_t, int *);    /* 12.0 */
};

static void *find_entry(const struct finder *finder, const char *name, int version)
{
    void *entry = NULL;
    int said = 0;
    CUresult result = finder->find_and_say
                          ? finder->find_and_say(name, &entry, version, 0, &said)
                          : finder->find(name, &entry, version, 0);
    return result ? NULL : entry;
}

/* Writes a symbol, which is a function, to *function.  Returns whether it was found. */
static int find_symbol(void *from, const char *name, void *function)
{
    void *symbol = dlsym(from, name);
    memcpy(function, &symbol, sizeof symbol);
    return symbol != NULL;
}

static int find_finder(void *from, struct finder *finder)
{
    *finder = (struct finder){ NULL, NULL };
    return find_symbol(from, "cuGetProcAddress_v2", &finder->find_and_say) ||
           find_symbol(from, "cuGetProcAddress", &finder->find);
}

struct entry {
    const char *name;
    int version;
    size_t offset; /* in struct cuda_api */
};

static const struct entry entries[] = {
#define CUDA_ROW(name, version, ...) { "cu" #name, version, offsetof(struct cuda_api, name) },
#define CUDA_EARLIER_ROW(name, version, ...) \
    { "cu" #name, version, offsetof(struct cuda_api, name##_##version) },
    CUDA_ENTRIES(CUDA_ROW, CUDA_EARLIER_ROW)
#undef CUDA_ROW
#undef CUDA_EARLIER_ROW
};

/* Fills the table.  Returns the name of the first entry that must be there and is not, or
 * NULL.  A driver that is asked for a version it does not know may answer with an earlier
 * signature, so it is not asked. */
static const char *fill_api(const struct finder *finder, struct cuda_api *api)
{
    const char *lost = NULL;
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        void *entry = entries[i].version <= api->version
                          ? find_entry(finder, entries[i].name, entries[i].version)
                          : NULL;
        memcpy((char *)api + entries[i].offset, &entry, sizeof entry);
        if (!entry && !lost && entries[i].version <= CUDA_OLDEST) lost = entries[i].name;
    }
    return lost;
}

/* Returns 0 if the driver does not say its version. */
static int ask_version(const struct finder *finder)
{
    CUresult(CUDAAPI *ask)(int *);
    int version = 0;
    void *entry = find_entry(finder, "cuDriverGetVersion", 2020);
    memcpy(&ask, &entry, sizeof ask);
    return entry && !ask(&version) ? version : 0;
}

/* ---- Loading ------------------------------------------------------------------------ */

static rill_status refuse_old_driver(int version)
{
    return rill_backend_fail(RILL_ERROR_CALL_REQUIRES_NEWER_DRIVER, NULL,
                             "the driver is one for CUDA %d.%d, and rill needs %d.%d at least; "
                             "update the NVIDIA driver",
                             version / 1000, version % 1000 / 10, CUDA_OLDEST / 1000,
                             CUDA_OLDEST % 1000 / 10);
}

static rill_status explain_start(const struct cuda_api *api, CUresult result)
{
    const char *text = NULL;
    if (result == CUDA_ERROR_NO_DEVICE)
        return rill_backend_fail(RILL_ERROR_NO_DEVICE, NULL,
                                 "the driver is there, but no CUDA device that this process may "
                                 "use; see nvidia-smi and $CUDA_VISIBLE_DEVICES");
    if (result == CUDA_ERROR_STUB_LIBRARY)
        return rill_backend_fail(RILL_ERROR_STUB_LIBRARY, NULL,
                                 "this libcuda is the stub of the toolkit, which is for linking "
                                 "only; take its folder off the loader's path");
    if (api->GetErrorString) api->GetErrorString(result, &text);
    return rill_backend_fail((rill_status)result, NULL, "the driver does not start: %s (%d)",
                             text ? text : "unknown error", (int)result);
}

static rill_status take_library(void *from, const char *path)
{
    struct finder finder;
    struct cuda_api api = { .version = 0 };
    if (!find_finder(from, &finder))
        return rill_backend_fail(RILL_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND, NULL,
                                 "%.200s is no libcuda of CUDA 11.3 or newer: it has no "
                                 "cuGetProcAddress",
                                 path);
    api.version = ask_version(&finder);
    if (api.version < CUDA_OLDEST) return refuse_old_driver(api.version);
    const char *lost = fill_api(&finder, &api);
    if (lost)
        return rill_backend_fail(RILL_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND, NULL,
                                 "%.200s says that it is a driver for CUDA %d.%d, and lacks %s",
                                 path, api.version / 1000, api.version % 1000 / 10, lost);
    CUresult result = api.Init(0);
    if (result) return explain_start(&api, result);
    cuda_api = api;
    return RILL_SUCCESS;
}

/* A libcuda is never closed: it has started threads, and may have changed this one, even if it
 * then refused to work. */
static rill_status load_library(const char *path)
{
    if (strlen(path) >= sizeof loaded)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "options->cuda->library",
                                 "a path of %zu bytes is too long", strlen(path));
    void *opened = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!opened)
        return rill_backend_fail(RILL_ERROR_SHARED_OBJECT_INIT_FAILED, NULL,
                                 "no NVIDIA driver: %.300s", dlerror());
    rill_status status = take_library(opened, path);
    if (!status) strcpy(loaded, path);
    return status;
}

static rill_status load_library_once(const char *path)
{
    if (!*loaded) return load_library(path);
    if (!strcmp(path, loaded)) return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_NOT_PERMITTED, "options->cuda->library",
                             "this process uses the driver %.150s; it cannot use %.150s as well",
                             loaded, path);
}

rill_status cuda_load(const char *path)
{
    if (!path) path = rl_getenv("RILL_CUDA_LIBRARY");
    if (!path || !*path) path = "libcuda.so.1";
    rl_lock(&loading);
    rill_status status = load_library_once(path);
    rl_unlock(&loading);
    return status;
}

void cuda_forget_driver(void)
{
    rl_lock(&loading);
    *loaded = '\0';
    cuda_api = (struct cuda_api){ .version = 0 };
    rl_unlock(&loading);
}

rill_status cuda_lacks(const char *name, int version)
{
    return rill_backend_fail(RILL_ERROR_NOT_SUPPORTED, NULL,
                             "the driver, one for CUDA %d.%d, has no cu%s; CUDA %d.%d has it",
                             cuda_api.version / 1000, cuda_api.version % 1000 / 10, name,
                             version / 1000, version % 1000 / 10);
}
