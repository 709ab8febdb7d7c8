/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-fail/plan/plan.h"

#include <rill/backend.h>

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/thread.h"
#include "site/site.h"

#define PATH_MOST 1024

/* Written once, by read_plan(); the counters by every thread. */
static struct {
    uint64_t call, fault; /* 0 for none */
    char log[PATH_MOST];  /* "" if none */
    bool says;            /* it on the standard error output, too */
    rill_status status;
    char wrong[64];       /* the word that cannot be understood */
} plan;

static atomic_uint_least64_t calls, faults;
static _Atomic(pid_t) counted_by; /* the process that calls are counted in; 0: none yet */

/* ---- Reading -------------------------------------------------------------------------- */

/* Returns what stands behind "name=" in a word of so many letters, or NULL. */
static const char *value_of(const char *word, size_t length, const char *name)
{
    size_t skip = strlen(name);
    return length > skip && !memcmp(word, name, skip) && word[skip] == '=' ? word + skip + 1 : NULL;
}

static bool read_count(const char *text, const char *end, uint64_t *count)
{
    char *stop;
    errno = 0;
    if (*text < '0' || *text > '9') return false;
    *count = strtoull(text, &stop, 10);
    return stop == end && !errno && *count;
}

static bool read_word(const char *word, size_t length)
{
    const char *value, *end = word + length;
    if ((value = value_of(word, length, "call"))) return read_count(value, end, &plan.call);
    if (length == 3 && !memcmp(word, "say", 3)) return plan.says = true;
    if ((value = value_of(word, length, "fault"))) return read_count(value, end, &plan.fault);
    if (!(value = value_of(word, length, "log")) || end - value >= PATH_MOST) return false;
    memcpy(plan.log, value, (size_t)(end - value));
    return true;
}

static void read_plan(void)
{
    static const char blanks[] = " \t\n";
    const char *text = rl_getenv("RILL_FAIL");
    for (size_t length; text && *(text += strspn(text, blanks)); text += length) {
        length = strcspn(text, blanks);
        if (read_word(text, length)) continue;
        plan.status = RILL_ERROR_INVALID_VALUE;
        snprintf(plan.wrong, sizeof plan.wrong, "%.*s", length < 48 ? (int)length : 48, text);
        return;
    }
}

rill_status fa_plan_read(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, read_plan);
    if (!plan.status) return RILL_SUCCESS;
    return rill_backend_fail(plan.status, "RILL_FAIL", "RILL_FAIL: '%s' is not understood; there "
                             "are call=N, fault=N, log=FILE and say, with blanks between",
                             plan.wrong);
}

/* ---- Counting -------------------------------------------------------------------------- */

/* Writes which call of the program this is, and where it was made, as far as that can be told, and
 * the slot that it came to. */
static void describe_call(const char *slot, char *text, size_t room)
{
    struct cs_call made = cs_call_here();
    struct cs_source source;
    const char *brackets = made.name ? "() " : "", *name = made.name ? made.name : "";
    if (cs_find_source(made.site, &source) && source.file) {
        const char *slash = strrchr(source.file, '/');
        snprintf(text, room, "%s%sat %.80s:%d (%s)", name, brackets,
                 slash ? slash + 1 : source.file, source.line, slot);
    } else {
        snprintf(text, room, made.name ? "%s%s(%s)" : "%s%s%s", name, brackets, slot);
    }
}

static void tell(const char *what, uint64_t number, const char *where)
{
    FILE *file = plan.log[0] ? fopen(plan.log, "ae") : NULL;
    if (plan.says)
        fprintf(stderr, "rill: %s %llu fails: %s\n", what, (unsigned long long)number, where);
    if (!file) return;
    fprintf(file, "%s %llu %s\n", what, (unsigned long long)number, where);
    fclose(file);
}

void fa_plan_begin(void)
{
    pid_t nobody = 0;
    atomic_compare_exchange_strong(&counted_by, &nobody, getpid());
}

/* What a call that was asked for and never came would otherwise look like is a program that copes
 * with its failure.  A child that was forked is no run of the program. */
__attribute__((destructor(102))) static void tell_that_none_failed(void)
{
    unsigned long long made = atomic_load(&calls);
    if (!plan.says || made >= plan.call || atomic_load(&counted_by) != getpid()) return;
    fprintf(stderr, "rill: no call failed: call %llu was to, and the program made %llu that can\n",
            (unsigned long long)plan.call, made);
}

bool fa_plan_call(const char *name)
{
    uint64_t number = atomic_fetch_add_explicit(&calls, 1, memory_order_relaxed) + 1;
    char where[256];
    if (number != plan.call) return false;
    describe_call(name, where, sizeof where);
    tell("call", number, where);
    return true;
}

bool fa_plan_fault(const char *name)
{
    uint64_t number = atomic_fetch_add_explicit(&faults, 1, memory_order_relaxed) + 1;
    if (number != plan.fault) return false;
    tell("fault", number, name);
    return true;
}
