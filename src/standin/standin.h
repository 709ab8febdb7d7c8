/* SPDX-License-Identifier: Apache-2.0
 *
 * What every file of the stand-in begins with.
 *
 * The stand-in is a library with the driver's binary interface over <rill/rill.h> and
 * <rill/sim.h>.  An entry point finds the objects behind the handles that it was given
 * (handle.h, context.h), makes one call, and returns its status: values and states are
 * rill's to check.  What is declared where:
 *
 *     symbols.def  every entry point, a line each
 *     abi.h        the driver's types
 *     handle.h     handles: from a program's value to rill's object
 *     hold.h       what a call found, while others destroy it
 *     context.h    the current context, and streams as arguments
 */
#ifndef SI_STANDIN_H
#define SI_STANDIN_H

#include <stdatomic.h>

#include "standin/abi.h"
#include "standin/hold.h"

#define SI_EXPORT __attribute__((visibility("default")))

/* An entry point: ENTRY(cuStreamQuery, (CUstream stream), (stream)) { ... }  What it finds
 * behind handles stays until it returns (hold.h). */
#define ENTRY(name, parameters, arguments) \
    static CUresult name##_held parameters; \
    SI_EXPORT CUresult name parameters; \
    SI_EXPORT CUresult name parameters \
    { \
        struct si_call before_ = si_enter(); \
        CUresult answer_ = name##_held arguments; \
        si_leave(before_); \
        return answer_; \
    } \
    static inline CUresult name##_held parameters

/* The form of `name` for which a `stream` of 0 is the calling thread's own:
 * PER_THREAD_FORM(cuStreamQuery, _ptsz, (CUstream stream), (stream)) */
#define PER_THREAD_FORM(name, suffix, parameters, arguments) \
    SI_EXPORT CUresult name##suffix parameters; \
    SI_EXPORT CUresult name##suffix parameters \
    { \
        if (!stream) stream = CU_STREAM_PER_THREAD; \
        return name arguments; \
    }

/* Another name of an entry point, with the same parameters. */
#define SAME_AS(name, other, parameters, arguments) \
    SI_EXPORT CUresult name parameters; \
    SI_EXPORT CUresult name parameters { return other arguments; }

/* ---- The machine (init.c) ----------------------------------------------------------- */

/* One for the process, from cuInit() on. */
extern rill_platform *si_platform;
extern atomic_int si_ready;

/* What every call answers before cuInit(), and when the process ends. */
CUresult si_not_ready(void);

/* Returns the driver's words for a status, or NULL if there is no such status. */
const char *si_error_words(CUresult status);

/* Success in between. */
static inline CUresult si_check_ready(void)
{
    if (__builtin_expect(atomic_load_explicit(&si_ready, memory_order_acquire), 1))
        return RILL_SUCCESS;
    return si_not_ready();
}

/* The driver's version that this process is told: 13000 for 13.0. */
int si_version(void);

/* The version that this library was linked for. */
extern const int si_profile;

/* ---- Environment (log.c) -------------------------------------------------------------- */

/* Whether RILL_LOG, a list of words, has `word`. */
int si_log_wants(const char *word);

/* A line on the standard error output, unless it stands there already. */
void si_log(const char *format, ...) RILL_PRINTF_FORMAT(1, 2);

/* What a refused entry point does, for one that has something to check first. */
CUresult si_refuse(int number);

/* Lists the refused entry points that were called, if RILL_LOG asks for it. */
void si_report_refused(void);

#endif
