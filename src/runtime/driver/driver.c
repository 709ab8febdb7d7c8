/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/driver/driver.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/abi/log.h"
#include "runtime/driver/version.h"
#include "standin/abi/log.h"

struct rt_driver rt_driver;

static _Atomic(si_failure_words_fn *) failure_words;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static cudaError_t outcome; /* written within `once` */

/* Stands for each call that the driver lacks, whatever its parameters. */
static CUresult refuse_missing(void)
{
    return RILL_ERROR_NOT_SUPPORTED;
}

struct entry {
    const char *name;
    size_t offset;
};

static const struct entry entries[] = {
#define RT_ROW(name, ...) { #name, offsetof(struct rt_driver, name) },
    RT_ENTRIES(RT_ROW)
#undef RT_ROW
};

static void find_entries(void *library)
{
    for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++) {
        CUresult (*missing)(void) = refuse_missing;
        void *address = dlsym(library, entries[i].name);
        char *field = (char *)&rt_driver + entries[i].offset;
        if (address)
            memcpy(field, &address, sizeof address);
        else
            memcpy(field, &missing, sizeof missing);
    }
}

/* Other drivers have none. */
static void find_words(void *library)
{
    si_failure_words_fn *words = NULL;
    void *address = dlsym(library, SI_FAILURE_WORDS_NAME);
    if (address) memcpy(&words, &address, sizeof words);
    atomic_store(&failure_words, words);
}

int rt_driver_words(cudaError_t status, char words[RILL_ERROR_MESSAGE_MAX])
{
    si_failure_words_fn *copy = atomic_load(&failure_words);
    return copy ? copy((CUresult)status, words) : 0;
}

/* A runtime works on drivers of its own generation and later ones.  That of 11 needs those of 12,
 * too: they have libraries, as which images are loaded. */
static cudaError_t check_version(void)
{
    enum { HAS_LIBRARIES = 12 };
    int version, least = rt_version / 1000;
    if (least < HAS_LIBRARIES) least = HAS_LIBRARIES;
    CUresult status = rt_driver.cuDriverGetVersion(&version);
    if (status) return (cudaError_t)status;
    if (version / 1000 >= least) return cudaSuccess;
    rt_log("a driver of CUDA %d.%d is too old for the program's runtime of CUDA %d: leave out "
           "--driver, or name %d.0 or a later one", version / 1000, version % 1000 / 10,
           rt_version / 1000, least);
    return cudaErrorInsufficientDriver;
}

/* ---- The end of the process ----------------------------------------------------------------
 *
 * Functions for the end are called in the order opposite to that in which they were given: this
 * one before those of the program's images, which were registered before the first call.
 */

static atomic_int ending;

static void note_end(void)
{
    atomic_store(&ending, 1);
}

int rt_driver_ending(void)
{
    return atomic_load(&ending);
}

/* ---- Loading ------------------------------------------------------------------------------- */

static void load_library(void)
{
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        outcome = cudaErrorInsufficientDriver;
        return;
    }
    find_entries(library);
    find_words(library);
    atexit(note_end);
    outcome = (cudaError_t)rt_driver.cuInit(0);
    if (!outcome) outcome = check_version();
}

cudaError_t rt_driver_load(void)
{
    pthread_once(&once, load_library);
    return outcome;
}
