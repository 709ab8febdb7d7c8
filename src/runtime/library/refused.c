/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls that are not there: each is a function that ignores its arguments, counts the call and
 * answers NOT_SUPPORTED.
 */
#include "runtime/library/symbols.h"

#include <stdatomic.h>

#include "base/words/log_words.h"
#include "runtime/abi/log.h"
#include "runtime/thread/entry.h"

/* The names, numbered: a function that two libraries have has one number. */
enum {
#define IMPLEMENTED(name)
#define REFUSED(name) NUMBER_##name,
#define SYMBOL(name, function, library, state) state(function)
#include "runtime/library/symbols.def"
#undef REFUSED
    REFUSED_CALLS
};

static const char *const names[] = {
#define REFUSED(name) #name,
#include "runtime/library/symbols.def"
#undef REFUSED
};

static atomic_ulong calls[REFUSED_CALLS];

static cudaError_t refuse_call(int number)
{
    atomic_fetch_add_explicit(&calls[number], 1, memory_order_relaxed);
    return rt_failed(names[number], RILL_ERROR_NOT_SUPPORTED);
}

#define REFUSED(name) \
    RT_EXPORT cudaError_t name(void); \
    RT_EXPORT cudaError_t name(void) { return refuse_call(NUMBER_##name); }
#include "runtime/library/symbols.def"
#undef REFUSED

void rt_report_refused(void)
{
    if (!rl_log_wants("unsupported")) return;
    for (int i = 0; i < REFUSED_CALLS; i++) {
        unsigned long count = atomic_load_explicit(&calls[i], memory_order_relaxed);
        if (!count) continue;
        rt_log("%.*s is not simulated: called %lu time%s", rt_log_name_length(names[i]), names[i],
               count, count == 1 ? "" : "s");
    }
}
