/* SPDX-License-Identifier: Apache-2.0
 *
 * How an entry point of the driver is written.
 *
 * The stand-in is a library with the driver's binary interface over <rill/rill.h> and
 * <rill/sim.h>.  An entry point finds the objects of the handles that it was given
 * (object/handle.h, context/current.h), makes one call, and returns its status: values and
 * states are rill's to check.  library/symbols.def lists every entry point.
 */
#ifndef SI_ENTRY_H
#define SI_ENTRY_H

#include "standin/abi/abi.h"
#include "standin/abi/log.h"
#include "standin/object/hold.h"

#define SI_EXPORT __attribute__((visibility("default")))

/* An entry point: ENTRY(cuStreamQuery, (CUstream stream), (stream)) { ... }  The objects
 * that it finds stay until it returns (object/hold.h).  If the program called it, rather
 * than another entry point, a failure is logged. */
#define ENTRY(name, parameters, arguments) \
    static CUresult name##_held parameters; \
    SI_EXPORT CUresult name parameters; \
    SI_EXPORT CUresult name parameters \
    { \
        struct si_call before_ = si_enter(); \
        CUresult answer_ = name##_held arguments; \
        if (__builtin_expect(answer_ != RILL_SUCCESS, 0) && before_.outer == SI_OUTSIDE) \
            si_log_failure(#name, answer_); \
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

#endif
