/* SPDX-License-Identifier: Apache-2.0
 *
 * Work for the streams of a test: memory, small kernels, and what a call that
 * must hold its caller up looks like.
 */
#ifndef CONFORMANCE_WORK_H
#define CONFORMANCE_WORK_H

#include "conformance/fixture.h"

/* ---- Memory; it goes away with its context ---------------------------------- */

/* Zeroed words on the context's device. */
rill_devptr words_on(rill_context *context, size_t count);
rill_devptr device_words(struct fixture *f, size_t count);

/* A word of it, read or written behind all blocking streams. */
uint32_t peek(struct fixture *f, rill_devptr address);
void poke(struct fixture *f, rill_devptr address, uint32_t value);

/* Zeroed pinned memory. */
void *pinned(struct fixture *f, size_t bytes);

/* A host pointer as an address. */
rill_devptr at(const void *pointer);

/* ---- Pools; they are the test's to destroy ------------------------------------ */

/* Of device 0; `maximum` 0: none. */
rill_pool *new_pool(struct fixture *f, uint64_t maximum);
rill_devptr from_pool(rill_pool *pool, rill_stream *stream, size_t bytes);
uint64_t pool_value(rill_pool *pool, rill_pool_attribute attribute);

/* A synchronize takes nothing from it. */
void keep_all(rill_pool *pool);

/* What was free on the device is free again.  For a test that needs_device_alone(). */
#define same_amount(now, before) work_same_amount(now, before, __FILE__, __LINE__)
void work_same_amount(size_t now, size_t before, const char *file, int line);

/* ---- Kernels ------------------------------------------------------------------ */

/* nop(), put(p, v): *p = v, mul_add(p, m, a): *p = *p * m + a, copy1(d, s):
 * *d = *s, crash(): the device fails with RILL_ERROR_LAUNCH_FAILED. */
extern const rill_function nop_function, put_function, mul_add_function, copy1_function,
    crash_function;

rill_kernel *kernel(struct fixture *f, const rill_function *function);

/* Launches of one block of one thread. */
rill_status launch(rill_kernel *kernel, rill_stream *stream, const void *const *params);
rill_status put(rill_kernel *kernel, rill_stream *stream, rill_devptr address, uint32_t value);
rill_status mul_add(rill_kernel *kernel, rill_stream *stream, rill_devptr address, uint32_t by,
                    uint32_t more);
rill_status copy1(rill_kernel *kernel, rill_stream *stream, rill_devptr dst, rill_devptr src);

static const rill_dim3 one = { 1, 1, 1 };

#define MB ((size_t)1 << 20)

/* Waits for all that was submitted to a stream, without asking it. */
void let_pass(struct fixture *f, rill_stream *stream);

/* ---- Host functions ------------------------------------------------------------ */

/* Does nothing; adds one, or a hundred, to an atomic_int: as a host function or as its
 * destroy. */
void nothing(void *data);
void count_up(void *number);
void add_hundred(void *number);

/* It comes to this, and goes no further.  A driver may give back on a thread of its own. */
void comes_to(atomic_int *number, int wanted);

#endif
