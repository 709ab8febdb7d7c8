/* SPDX-License-Identifier: Apache-2.0
 *
 * <rill/types.h>: the types that every other header uses.
 *
 * Handles are opaque pointers.  Each is created by one function and given back to the
 * `destroy` function of its kind, which takes the address of the handle, sets the
 * handle to NULL, accepts NULL, and returns a status.  A destroy that is refused leaves
 * the object and its handle as they were, and the status says why: a context, pool,
 * graph or replay cannot end now, because the call comes from inside a host function or
 * while a capture or a step goes on; or the object is not the caller's to destroy.
 *
 * Streams, events, contexts, modules, kernels and pools may be used by several threads
 * at once.  Graphs, execs and replays may not, unless the caller orders the calls.
 */
#ifndef RILL_TYPES_H
#define RILL_TYPES_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define RILL_BEGIN_DECLS extern "C" {
#define RILL_END_DECLS }
#else
#define RILL_BEGIN_DECLS
#define RILL_END_DECLS
#endif

#if defined(__GNUC__)
#define RILL_API __attribute__((visibility("default")))
#define RILL_PRINTF_FORMAT(text, first) __attribute__((format(printf, text, first)))
#else
#define RILL_API
#define RILL_PRINTF_FORMAT(text, first)
#endif

RILL_BEGIN_DECLS

typedef struct rill_platform rill_platform; /* a backend, opened: its devices      */
typedef struct rill_context rill_context;   /* a place for work on one device       */
typedef struct rill_stream rill_stream;     /* operations that run in order         */
typedef struct rill_event rill_event;       /* a point on a stream's timeline       */
typedef struct rill_module rill_module;     /* loaded kernels                       */
typedef struct rill_kernel rill_kernel;     /* one kernel of a module               */
typedef struct rill_pool rill_pool;         /* memory that streams allocate from    */
typedef struct rill_graph rill_graph;       /* operations and the edges among them  */
typedef struct rill_exec rill_exec;         /* a graph made ready to launch         */
typedef struct rill_user_object rill_user_object; /* something a graph keeps alive  */

/* A node is a plain value that belongs to its graph.  Calls take both. */
typedef struct rill_node_value *rill_node;

/* An address on a device.  With unified addressing it is also what a host pointer to
 * pinned or registered memory converts to. */
typedef uint64_t rill_devptr;

/* The handle of a conditional node's value; 0 is no handle. */
typedef uint64_t rill_conditional;

typedef struct rill_dim3 {
    uint32_t x, y, z;
} rill_dim3;

/* Runs on the host, in the order of its stream or graph. */
typedef void (*rill_host_fn)(void *data);

/* Releases the data that a host function was given.  Runs exactly once, whether the
 * operation ran, was skipped or was refused. */
typedef void (*rill_destroy_fn)(void *data);

/* Attaches a pointer of the program's own to an object, or returns that pointer, so
 * that the program recognizes an object that a call hands out.  The pointer is NULL at
 * first, and the library never looks at what it points to.  `object` is a live object
 * of any handle type above; nodes carry no data.  For a NULL object the first call does
 * nothing and the second one returns NULL.
 *
 * Unless `gone` is NULL, gone(data) is called when the object no longer exists,
 * whichever call on whichever thread ended the object; that includes graphs that end
 * with the graph that contains them.  `gone` must not call the library.  It is not
 * called for data that was replaced. */
RILL_API void rill_set_data(void *object, void *data, rill_destroy_fn gone);
RILL_API void *rill_data(const void *object);

RILL_END_DECLS

#endif
