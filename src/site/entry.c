/* SPDX-License-Identifier: Apache-2.0 */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "site/entry.h"

#include <ctype.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/lock.h"

static struct cs_entry *entries; /* by entries_lock */
static struct rl_lock entries_lock;

/* ---- Names --------------------------------------------------------------------------------- */

static bool is_name(const char *symbol)
{
    return !strncmp(symbol, "cuda", 4) || (!strncmp(symbol, "cu", 2) && isupper(symbol[2]));
}

static bool ends_in(const char *symbol, size_t length, const char *end)
{
    size_t bytes = strlen(end);
    return length > bytes && !memcmp(symbol + length - bytes, end, bytes);
}

/* Returns how much of a symbol is what programs write: headers add the version of the call, and
 * that stream 0 is the thread's own. */
static size_t written_length(const char *symbol)
{
    size_t length = strlen(symbol);
    if (ends_in(symbol, length, "_ptsz") || ends_in(symbol, length, "_ptds")) length -= 5;
    if (length > 3 && symbol[length - 3] == '_' && symbol[length - 2] == 'v' &&
        isdigit(symbol[length - 1]))
        length -= 3;
    return length;
}

/* Returns what the library has for stubs, if it is rill's runtime. */
static cs_launch_fn *find_launch(const char *library)
{
    cs_launch_fn *launch = NULL;
    void *handle = dlopen(library, RTLD_LAZY | RTLD_NOLOAD);
    void *found = handle ? dlsym(handle, CS_LAUNCH_NAME) : NULL;
    if (found) memcpy(&launch, &found, sizeof launch);
    if (handle) dlclose(handle);
    return launch;
}

/* Requires entries_lock. */
static const struct cs_entry *keep_entry(const char *name, size_t length, cs_launch_fn *launch)
{
    for (struct cs_entry *entry = entries; entry; entry = entry->next)
        if (entry->launch == launch && !strncmp(entry->name, name, length) && !entry->name[length])
            return entry;
    struct cs_entry *entry = rl_alloc(sizeof *entry + length + 1);
    if (!entry) return NULL;
    *entry = (struct cs_entry){ .next = entries, .launch = launch };
    memcpy(entry->name, name, length);
    entry->name[length] = '\0';
    return entries = entry;
}

const struct cs_entry *cs_entry_at(uintptr_t address)
{
    static const char launch[] = "cudaLaunchKernel";
    Dl_info info;
    const void *inside;
    address--; /* a byte of the call that returns there */
    memcpy(&inside, &address, sizeof inside);
    if (!dladdr(inside, &info) || !info.dli_sname) return NULL;
    /* Two underscores before a name are a compiler's way to make that call. */
    const char *name = info.dli_sname + (strncmp(info.dli_sname, "__cuda", 6) ? 0 : 2);
    if (!is_name(name)) return NULL;
    size_t length = written_length(name);
    bool of_stubs = length == sizeof launch - 1 && !memcmp(name, launch, length);
    cs_launch_fn *launch_of = of_stubs ? find_launch(info.dli_fname) : NULL;
    rl_lock(&entries_lock);
    const struct cs_entry *entry = keep_entry(name, length, launch_of);
    rl_unlock(&entries_lock);
    return entry;
}

/* Overloads in NVIDIA's headers that make a call of another name. */
static const struct {
    const char *overload, *call;
} renamed[] = {
    { "cudaMallocAsync", "cudaMallocFromPoolAsync" },
    { "cudaMallocHost", "cudaHostAlloc" },
};

static bool is_renamed(const char *name, size_t length, const char *call)
{
    for (size_t i = 0; i < sizeof renamed / sizeof *renamed; i++)
        if (!strcmp(renamed[i].call, call) && !strncmp(renamed[i].overload, name, length) &&
            !renamed[i].overload[length])
            return true;
    return false;
}

bool cs_entry_is_overload(const struct cs_entry *entry, const char *function)
{
    char *name;
    if (strncmp(function, "_Z", 2)) return false;
    function += function[2] == 'L' ? 3 : 2; /* L: it is static */
    size_t length = strtoul(function, &name, 10);
    return length > 4 && length <= strlen(name) && is_name(name) &&
           (!strncmp(name, entry->name, length) || is_renamed(name, length, entry->name));
}
