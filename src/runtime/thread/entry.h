/* SPDX-License-Identifier: Apache-2.0
 *
 * How a call of the runtime is written.
 *
 * Most are a call of the driver in the runtime's words.  A call sees to it that there is a
 * current context, does its work, and notes a failure as the thread's last error.
 * library/symbols.def lists every name.
 */
#ifndef RT_ENTRY_H
#define RT_ENTRY_H

#include "runtime/thread/thread.h"

#define RT_EXPORT __attribute__((visibility("default")))

/* ENTRY(cudaFree, (void *address), (address)) { ... }: a call that needs a context. */
#define ENTRY(name, parameters, arguments) \
    static cudaError_t name##_body parameters; \
    RT_EXPORT cudaError_t name parameters; \
    RT_EXPORT cudaError_t name parameters \
    { \
        cudaError_t answer_ = rt_ready(); \
        if (__builtin_expect(!answer_, 1)) answer_ = name##_body arguments; \
        if (__builtin_expect(answer_ == RILL_ERROR_INVALID_CONTEXT, 0) && rt_bind_again()) \
            answer_ = name##_body arguments; \
        return __builtin_expect(!answer_, 1) ? cudaSuccess : rt_failed(#name, answer_); \
    } \
    static cudaError_t name##_body parameters

/* One that needs the driver, but no context. */
#define PLAIN(name, parameters, arguments) \
    static cudaError_t name##_body parameters; \
    RT_EXPORT cudaError_t name parameters; \
    RT_EXPORT cudaError_t name parameters \
    { \
        cudaError_t answer_ = rt_driver_load(); \
        if (__builtin_expect(!answer_, 1)) answer_ = name##_body arguments; \
        return __builtin_expect(!answer_, 1) ? cudaSuccess : rt_failed(#name, answer_); \
    } \
    static cudaError_t name##_body parameters

/* A call that is one of the driver, with the same parameters. */
#define FORWARD(name, call, parameters, arguments) \
    ENTRY(name, parameters, arguments) { return (cudaError_t)rt_driver.call arguments; }

/* The form of `name` for which a `stream` of 0 is the calling thread's own. */
#define PER_THREAD_FORM(name, suffix, parameters, arguments) \
    RT_EXPORT cudaError_t name##suffix parameters; \
    RT_EXPORT cudaError_t name##suffix parameters \
    { \
        if (!stream) stream = CU_STREAM_PER_THREAD; \
        return name arguments; \
    }

/* Both with their forms for the thread's own stream. */
#define FORWARD_STREAM(name, call, parameters, arguments) \
    FORWARD(name, call, parameters, arguments) \
    PER_THREAD_FORM(name, _ptsz, parameters, arguments)

#endif
