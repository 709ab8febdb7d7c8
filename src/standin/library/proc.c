/* SPDX-License-Identifier: Apache-2.0
 *
 * Entry points by name, version and kind of default stream.
 */
#include <string.h>

#include "standin/abi/version.h"
#include "standin/library/symbols.h"
#include "standin/object/entry.h"

/* Returns the row of the first form of `name`, or SI_SYMBOLS if there is none. */
static int find_first_form(const char *name)
{
    int low = 0, high = SI_SYMBOLS;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (strcmp(si_symbols[middle].name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < SI_SYMBOLS && !strcmp(si_symbols[low].name, name) ? low : SI_SYMBOLS;
}

/* Returns the newest form that `version` has, of those per thread if they are asked for and this
 * driver has any: then no other will do, however old the version.  *known tells whether this driver
 * has the name at all. */
static const struct si_symbol *choose_form(const char *name, int version, int per_thread,
                                           int *known)
{
    const struct si_symbol *best[2] = { NULL, NULL };
    int driver = si_version(), has_per_thread = 0;
    *known = 0;
    for (int i = find_first_form(name); i < SI_SYMBOLS && !strcmp(si_symbols[i].name, name); i++) {
        const struct si_symbol *symbol = &si_symbols[i];
        int of_thread = si_symbol_is_per_thread(symbol) != 0;
        if (symbol->version > driver) continue;
        *known = 1;
        has_per_thread |= of_thread;
        if (symbol->version <= version) best[of_thread] = symbol;
    }
    return best[per_thread && has_per_thread];
}

/* A version below 0 is newer than any.  The driver refuses one of a later generation than
 * its own. */
static CUresult check_arguments(const char *name, void *const *address, int version, uint64_t flags)
{
    const uint64_t known = CU_GET_PROC_ADDRESS_LEGACY_STREAM |
                           CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM;
    if (!name || !address || flags & ~known) return RILL_ERROR_INVALID_VALUE;
    return version / 1000 > si_version() / 1000 ? RILL_ERROR_INVALID_VALUE : RILL_SUCCESS;
}

static int look_up(const char *name, void **address, int version, uint64_t flags)
{
    int known, per_thread = flags & CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM ? 1 : 0;
    if (version < 0) version = si_version();
    const struct si_symbol *found = choose_form(name, version, per_thread, &known);
    *address = NULL;
    if (found) memcpy(address, &found->address, sizeof *address);
    if (found) return CU_GET_PROC_ADDRESS_SUCCESS;
    return known ? CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT
                 : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
}

ENTRY(cuGetProcAddress_v2,
      (const char *name, void **address, int version, uint64_t flags, int *result),
      (name, address, version, flags, result))
{
    CUresult status = check_arguments(name, address, version, flags);
    if (status) return status;
    int found = look_up(name, address, version, flags);
    if (result) *result = found;
    return RILL_SUCCESS;
}

ENTRY(cuGetProcAddress,
      (const char *name, void **address, int version, uint64_t flags),
      (name, address, version, flags))
{
    return cuGetProcAddress_v2(name, address, version, flags, NULL);
}
