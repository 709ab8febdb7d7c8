/* SPDX-License-Identifier: Apache-2.0
 *
 * <rill/platform.h>: choosing a backend, its devices, and contexts.
 */
#ifndef RILL_PLATFORM_H
#define RILL_PLATFORM_H

#include <rill/error.h>

RILL_BEGIN_DECLS

struct rill_sim_options;
struct rill_cuda_options;

/* ---- Platforms ---------------------------------------------------------- */

typedef struct rill_open_options {
    size_t size;         /* sizeof(rill_open_options)                             */
    const char *backend; /* "sim", "cuda", ...; NULL: $RILL_BACKEND, else the
                            usable backend of the highest rank                    */
    const struct rill_sim_options *sim; /* <rill/sim.h>; only the simulator reads it  */
    const char *label;
    const struct rill_cuda_options *cuda; /* <rill/cuda.h>; only that backend reads it */
    const char *layers; /* what stands on the backend, the topmost first: "check",
                           "mine,check", <rill/layer.h>; NULL: $RILL_LAYERS; "": none */
} rill_open_options;

/* Opens a backend.  It is an error if a backend that was asked for by name cannot be
 * used: there is no silent fallback.  NULL options stand for all defaults. */
RILL_API rill_status rill_open(const rill_open_options *options, rill_platform **platform);

/* Closes the platform.  The platform ends when its last context is gone. */
RILL_API rill_status rill_close(rill_platform **platform);

/* Returns the name of the platform's backend, such as "sim" or "cuda". */
RILL_API rill_status rill_platform_backend(rill_platform *platform, const char **name);

/* Returns RILL_SUCCESS if the backend implements the feature, else
 * RILL_ERROR_NOT_SUPPORTED, with the reason in the error record. */
typedef enum rill_feature {
    RILL_FEATURE_STREAMS = 1,
    RILL_FEATURE_EVENTS,
    RILL_FEATURE_MEMORY,
    RILL_FEATURE_POOLS,
    RILL_FEATURE_KERNELS,
    RILL_FEATURE_HOST_FUNCTIONS,
    RILL_FEATURE_VALUE_OPERATIONS,
    RILL_FEATURE_PEER_ACCESS,
    RILL_FEATURE_GRAPHS,
    RILL_FEATURE_CAPTURE,
    RILL_FEATURE_EXECS,
    RILL_FEATURE_CONDITIONALS,
    RILL_FEATURE_GRAPH_MEMORY,
    RILL_FEATURE_VIRTUAL_MEMORY
} rill_feature;
RILL_API rill_status rill_platform_supports(rill_platform *platform, rill_feature feature);

/* Returns the name of backend `index`, counted from 0 over the backends that are built
 * in or registered, highest rank first, or NULL past the end. */
RILL_API const char *rill_backend_name(size_t index);

/* ---- Devices ------------------------------------------------------------ */

typedef struct rill_device_info {
    size_t size; /* sizeof(rill_device_info), set by the caller */
    char name[128];
    uint8_t uuid[16];
    char bus_id[32];
    uint64_t memory_bytes;
    int compute_major, compute_minor;
    int multiprocessors;
    int warp_size;
    int max_threads_per_block;
    rill_dim3 max_block;
    rill_dim3 max_grid;
    uint32_t shared_bytes_per_block;        /* without opting in  */
    uint32_t shared_bytes_per_block_opt_in;
    int priority_least, priority_greatest;  /* 0 and a negative number */
    int workers;                            /* simulator: threads that run work; else 0 */
    int managed_memory;                     /* rill_mem_alloc_managed() works     */
    int concurrent_managed_access;          /* and the host may use such memory while the
                                               device works                       */
} rill_device_info;

/* Counts the devices.  They are numbered from 0 to *count - 1. */
RILL_API rill_status rill_device_count(rill_platform *platform, int *count);

/* Describes a device: its name, memory and limits. */
RILL_API rill_status rill_device_get_info(rill_platform *platform, int device, rill_device_info *info);

/* Tells whether kernels of `device` can be allowed to access the memory of `peer`. */
RILL_API rill_status rill_device_can_access_peer(rill_platform *platform, int device, int peer,
                                                 int *can);

/* ---- Contexts ----------------------------------------------------------- */

/* Creates a context of the caller's own instead of using the device's primary context. */
#define RILL_CONTEXT_OWN 0x1u

typedef struct rill_context_options {
    size_t size;
    int device;     /* ordinal */
    uint32_t flags; /* RILL_CONTEXT_* */
    const char *label;
    void *native;   /* NULL, or a context of the backend's own kind that was made outside
                       rill: rill uses it and does not end it.  CUDA: a CUcontext of
                       `device` */
} rill_context_options;

/* Creates a context.  By default it is the device's primary context, which all its
 * users share: each create is matched by one destroy, and the last destroy ends the
 * context.  NULL options stand for the primary context of device 0. */
RILL_API rill_status rill_context_create(rill_platform *platform,
                                         const rill_context_options *options,
                                         rill_context **context);

/* Waits for the context's work and ends the context.  Streams, events and modules made
 * in the context still have to be destroyed by their owners; every other call on them
 * returns RILL_ERROR_CONTEXT_IS_DESTROYED.  The context's memory is freed, except
 * memory of pools. */
RILL_API rill_status rill_context_destroy(rill_context **context);

/* Waits for everything that was submitted to any stream of the context. */
RILL_API rill_status rill_context_synchronize(rill_context *context);

/* Returns the number of the context's device, or the context's platform. */
RILL_API rill_status rill_context_device(rill_context *context, int *device);
RILL_API rill_status rill_context_platform(rill_context *context, rill_platform **platform);

/* Sets, or returns, the name that error records use for the context.  The label is
 * copied; after NULL, records use the context's number.  A label that was returned
 * stays readable for as long as the context exists. */
RILL_API rill_status rill_context_set_label(rill_context *context, const char *label);
RILL_API const char *rill_context_label(const rill_context *context);

/* Returns RILL_SUCCESS while the context can be used, else the status that every call
 * on it returns.  The error record is left alone. */
RILL_API rill_status rill_context_status(rill_context *context);

/* Returns the range of stream priorities; lower numbers are more urgent.  Either output
 * may be NULL. */
RILL_API rill_status rill_context_priority_range(rill_context *context, int *least, int *greatest);

/* Lets kernels of `context` access the memory of `peer`, or ends that. */
RILL_API rill_status rill_context_enable_peer(rill_context *context, rill_context *peer);
RILL_API rill_status rill_context_disable_peer(rill_context *context, rill_context *peer);

RILL_END_DECLS

#endif
