/* SPDX-License-Identifier: Apache-2.0
 *
 * Entry points that are not simulated: each is a function that ignores its arguments,
 * counts the call and answers NOT_SUPPORTED.
 */
#include <stdatomic.h>
#include <stdio.h>

#include "base/words/log_words.h"
#include "standin/abi/log.h"
#include "standin/library/symbols.h"
#include "standin/object/entry.h"

static atomic_ulong calls[SI_SYMBOLS];

static void log_refusal(const struct si_symbol *symbol)
{
    char name[128];
    snprintf(name, sizeof name, "%s%s", symbol->name, symbol->suffix);
    si_log_failure(name, RILL_ERROR_NOT_SUPPORTED);
}

static CUresult refuse_call(int number)
{
    atomic_fetch_add_explicit(&calls[number], 1, memory_order_relaxed);
    if (rl_log_wants("errors")) log_refusal(&si_symbols[number]);
    return RILL_ERROR_NOT_SUPPORTED;
}

#define IMPLEMENTED(name)
#define REFUSED(name) \
    SI_EXPORT CUresult name(void); \
    SI_EXPORT CUresult name(void) { return refuse_call(SI_NUMBER_##name); }
#define SYMBOL(name, suffix, version, state) state(name##suffix)
#include "standin/library/symbols.def"
#undef SYMBOL

void si_report_refused(void)
{
    if (!rl_log_wants("unsupported")) return;
    for (int i = 0; i < SI_SYMBOLS; i++) {
        unsigned long count = atomic_load_explicit(&calls[i], memory_order_relaxed);
        if (!count) continue;
        si_log("%s%s is not simulated: called %lu time%s", si_symbols[i].name,
               si_symbols[i].suffix, count, count == 1 ? "" : "s");
    }
}
