/* SPDX-License-Identifier: Apache-2.0
 *
 * What cases over two devices share: the second device, set-up and work on either, gates.
 */
#ifndef ORACLE_MULTI_TWO_DEVICES_H
#define ORACLE_MULTI_TWO_DEVICES_H

#include "../streams.h"

#define NONBLOCKING CU_STREAM_NON_BLOCKING
#define UNTIMED CU_EVENT_DISABLE_TIMING

/* Returns the second device as a T of its own (device, context, module and gate), or NULL
 * if there is one device only, and says so. */
T *second_device(T *t);
#define TWO_DEVICES                                                                                \
    T *u = second_device(t);                                                                       \
    if (!u) return
#define MAKE_CURRENT(x) OK(cuCtxSetCurrent((x)->ctx))

/* Returns "ctx0", "ctx1", "null" or "other". */
const char *context_name(T *t, T *u, CUcontext c);

/* One stream of each device, and those that follow the current context. */
typedef struct {
    const char *n;
    CUstream s;
} NamedStream;
#define FOUR_STREAMS(s0, s1)                                                                       \
    { "s0", s0 }, { "s1", s1 }, { "null", NULL }, { "pt", CU_STREAM_PER_THREAD }

/* Set-up on either device; the current context stays what it was. */
CUresult create_stream_on(T *x, CUstream *s, unsigned fl);
CUresult create_event_on(T *x, CUevent *e, unsigned fl);
CUdeviceptr memory_on(T *x, size_t n);

/* Allocates zeroed pinned memory that both devices may use. */
CUresult pinned_on(T *x, volatile uint32_t **h, CUdeviceptr *d, size_t n);

/* Waits for all work of the device. */
CUresult settle_device(T *x);

/* Reads a word of x's memory with x's context current, and writes one. */
unsigned word_at(T *t, T *x, CUdeviceptr p);
CUresult set_word(T *x, CUdeviceptr p, unsigned v);

/* Returns x's kernel, run once already: lazy loading cannot stall behind a gate. */
CUfunction warm_on(T *x, const char *name);

/* Each device has a gate; one that stays shut for long opens by itself. */
void shut_gate_of(T *x);
void open_gate_of(T *x);

/* Makes stream s, of x's context, stand still until open_gate_of(x). */
CUresult gate_stream_of(T *x, CUstream s);

/* Opens x's gate after a while from another thread, so that a call which
 * blocks returns; gate_was_opened() tells whether it had to. */
typedef struct {
    T *x;
    int ms, open;
    pthread_t th;
} GateOpener;
void open_gate_later(GateOpener *o, T *x, int ms);
int gate_was_opened(GateOpener *o);
void join_opener(GateOpener *o);

/* Returns the device of the memory, or -1 if the driver does not know it. */
int device_ordinal(CUdeviceptr p);

#define DEVICE CU_MEM_LOCATION_TYPE_DEVICE

/* Instantiates, launches in s and waits; says each answer. */
void run_graph(T *t, const char *label, CUgraph g, CUstream s);

#endif
