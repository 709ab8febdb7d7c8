/* SPDX-License-Identifier: Apache-2.0
 *
 * See fake.h.  Every entry has a stub that the compiler writes out of the table; what
 * has to give something out is a function of its own in fake_makers.c or fake_work.c, and
 * says so by its name.
 */
#include "cuda/fake_libcuda.h"

#include "backend-cuda/driver/entries.h"

#define HIDDEN_MAX 16
#define LOG_MAX 65536

/* ---- What the test decided, and what it sees ------------------------------------------- */

pthread_mutex_t fake_lock = PTHREAD_MUTEX_INITIALIZER;
int fake_version;
static int hidden_count;
static const char *hidden[HIDDEN_MAX];
static const char *fail_name, *failed_name;
static int fail_result, fail_always;
static long fail_after;
static const char *made[LOG_MAX];
static long made_count, live;
static uintptr_t last_handle;

CUresult fake_begun(const char *name)
{
    CUresult result = CUDA_SUCCESS;
    pthread_mutex_lock(&fake_lock);
    if (made_count < LOG_MAX) made[made_count++] = name;
    if (fail_result && (!fail_name || !strcmp(fail_name, name)) && fail_after-- <= 0) {
        result = (CUresult)fail_result;
        failed_name = name;
        if (!fail_always) fail_result = 0;
    }
    pthread_mutex_unlock(&fake_lock);
    return result;
}

void *fake_handle(long objects)
{
    pthread_mutex_lock(&fake_lock);
    live += objects;
    void *handle = (void *)(last_handle += 4096);
    pthread_mutex_unlock(&fake_lock);
    return handle;
}

void fake_end_handle(void)
{
    pthread_mutex_lock(&fake_lock);
    live--;
    pthread_mutex_unlock(&fake_lock);
}

EXPORT void fake_reset(void)
{
    fake_version = 13000;
    hidden_count = fail_result = 0;
    made_count = live = 0;
    failed_name = NULL;
    fake_forget_contexts();
    fake_forget_work();
    last_handle = 4096;
}

EXPORT void fake_set_version(int number) { fake_version = number; }
EXPORT void fake_hide(const char *name) { hidden[hidden_count++] = name; }
EXPORT const char *fake_failed(void) { return failed_name; }
EXPORT long fake_live(void) { return live; }

EXPORT void fake_refuse(const char *name, int result, long after, int always)
{
    fail_name = name;
    failed_name = NULL;
    fail_after = after;
    fail_always = always;
    fail_result = result;
}

EXPORT long fake_calls(const char *name)
{
    long count = 0;
    for (long i = 0; i < made_count; i++) count += !name || !strcmp(made[i], name);
    return count;
}

/* ---- The rest, and how all are found -------------------------------------------------------- */

#define STUB(name, version, ...) \
    static CUresult CUDAAPI stub_##name(__VA_ARGS__) { return fake_begun("cu" #name); }
#define EARLIER_STUB(name, version, ...) \
    static CUresult CUDAAPI stub_##name##_##version(__VA_ARGS__) { return fake_begun("cu" #name); }
CUDA_ENTRIES(STUB, EARLIER_STUB)

static const struct {
    const char *name;
    int version;
    void *entry;
} stubs[] = {
#define ROW(name, version, ...) { "cu" #name, version, (void *)stub_##name },
#define EARLIER_ROW(name, version, ...) { "cu" #name, version, (void *)stub_##name##_##version },
    CUDA_ENTRIES(ROW, EARLIER_ROW)
};
#define COUNT(table) (sizeof table / sizeof *table)

/* Looks for a call that does more than the stub of that version. */
static void find_given(const struct fake_entry *given, const char *name, int version, void **entry)
{
    for (; given->name; given++)
        if (!strcmp(given->name, name) && version >= given->version) *entry = given->entry;
}

/* As the driver does it: the newest signature up to the version that is asked for.
 * cuda.h declares it with types that came later. */
EXPORT CUresult find_entry(const char *name, void **entry, int wanted, uint64_t flags, int *said)
    __asm__("cuGetProcAddress_v2");

CUresult find_entry(const char *name, void **entry, int wanted, uint64_t flags, int *said)
{
    int best = 0;
    (void)flags;
    *entry = NULL;
    for (int i = 0; i < hidden_count; i++)
        if (!strcmp(hidden[i], name)) return CUDA_ERROR_NOT_FOUND;
    for (size_t i = 0; i < COUNT(stubs); i++) {
        int has = stubs[i].version;
        if (strcmp(stubs[i].name, name) || has > wanted || has > fake_version || has <= best)
            continue;
        best = has;
        *entry = stubs[i].entry;
    }
    if (best) find_given(fake_makers, name, best, entry);
    if (best) find_given(fake_work, name, best, entry);
    if (said) *said = *entry ? 0 : 1;
    return *entry ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}
