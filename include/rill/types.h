/* SPDX-License-Identifier: Apache-2.0
 *
 * <rill/types.h>: the words that every other header uses.
 *
 * Handles are opaque pointers; each is created by one function and given back
 * by the `destroy` of its kind, which takes the address of the handle, sets it
 * to NULL, accepts NULL, and returns a status.  What is refused there is as it was, and
 * so is its handle; the status says why: a context, pool, graph or replay that cannot end
 * now, inside a host function or while a capture or a step goes on, and whatever is not
 * the caller's to destroy.  Streams, events, contexts, modules, kernels and pools may be
 * used from several threads at once; graphs, execs and replays may not, unless the caller
 * orders the calls.
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
typedef struct rill_context rill_context;   /* an address space of work on a device */
typedef struct rill_stream rill_stream;     /* operations that run in order         */
typedef struct rill_event rill_event;       /* a point on a stream's timeline       */
typedef struct rill_module rill_module;     /* loaded kernels                       */
typedef struct rill_kernel rill_kernel;     /* one kernel of a module               */
typedef struct rill_pool rill_pool;         /* memory that streams allocate from    */
typedef struct rill_graph rill_graph;       /* operations and the edges among them  */
typedef struct rill_exec rill_exec;         /* a graph made ready to launch         */
typedef struct rill_user_object rill_user_object; /* something a graph keeps alive  */

/* A node is a plain value that belongs to its graph; calls take both. */
typedef struct rill_node_value *rill_node;

/* An address on a device.  In unified addressing it is also what a host
 * pointer to pinned or registered memory converts to. */
typedef uint64_t rill_devptr;

/* The handle of a conditional node's value; 0 is no handle. */
typedef uint64_t rill_conditional;

typedef struct rill_dim3 {
    uint32_t x, y, z;
} rill_dim3;

/* Runs on the host, in stream or graph order. */
typedef void (*rill_host_fn)(void *data);

/* Gives back what a host function was given.  Runs exactly once, whatever
 * becomes of the operation: it ran, it was skipped, it was refused. */
typedef void (*rill_destroy_fn)(void *data);

/* A word of the program's own on an object, by which it knows the object again when
 * a call hands it out: NULL at first, and never looked at by the library.  `object` is
 * what one of the pointers above points to, alive, but no node; NULL has no word.
 *
 * gone(data), unless NULL, is called when there is no object any more, whoever ended it
 * and on whatever thread: also of graphs that went with the graph they were in.  It must
 * not call the library.  A word that was replaced is not told. */
RILL_API void rill_set_data(void *object, void *data, rill_destroy_fn gone);
RILL_API void *rill_data(const void *object);

RILL_END_DECLS

#endif
