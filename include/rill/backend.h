/* SPDX-License-Identifier: Apache-2.0
 *
 * <rill/backend.h>: the contract of a backend.
 *
 * A backend is one const struct rill_backend and the tables it points to, one for each
 * kind of object.  It exports nothing else.  `doc/internals/core.md` in the sources shows
 * how to add one.
 *
 * Rules that hold for every slot:
 *
 *  1. Objects.  The core allocates each object: a struct rill_object at the front, then
 *     as many zeroed private bytes as the table asks for, which rill_private() returns.
 *     `create` fills the private bytes and `destroy` empties them; the memory itself
 *     belongs to the core.
 *  2. Creation.  A failed `create` leaves nothing behind; the object's `destroy` is not
 *     called.  A `destroy` always succeeds in giving the object back, whatever status
 *     it returns, and is called exactly once for every successful `create`, even after
 *     the object's context or device failed or was destroyed.
 *  3. Lifetimes.  A child outlives neither its context's nor its platform's private
 *     bytes: those are freed after the last child.  context->destroy may therefore be
 *     called before the destroy of the context's streams.  After it an object gets no
 *     other call but `destroy`.  The exception is a graph, which belongs to no context:
 *     the `context` of its object, which may be NULL, is the default for work that
 *     names no context.  What needs that context after its destroy is refused with
 *     RILL_ERROR_CONTEXT_IS_DESTROYED.
 *  4. Arguments.  The core has checked that handles are of the right kind, of this
 *     platform and not destroyed, that required pointers are not NULL and that option
 *     structs are complete.  Everything else - values, ranges, states - is the
 *     backend's to check, before it changes anything.
 *  5. Threads.  Any slot may be called by any thread at any time, except that calls on
 *     one graph or one exec do not overlap, and that `destroy` of an object overlaps no
 *     other call on it.  The core holds no lock, but creates the primary contexts of a
 *     platform one at a time; one may be created while the previous one still ends.
 *  6. Failure.  A slot that fails returns a status and has changed nothing.  It should
 *     say why through rill_backend_fail() in the same call.  RILL_ERROR_NOT_READY is an
 *     answer, not a failure.
 *  7. Host functions.  Once `submit`, `add_node` or a `set_op` was called with a
 *     RILL_OP_HOST, its `destroy` is the backend's to run, exactly once, even if the
 *     slot refuses the operation.
 *  8. Blocking.  Only the slots named synchronize, memory->release, host_free,
 *     host_unregister, memory->run, context->destroy and close may wait for work, and
 *     `submit` where a driver would (pageable host memory).
 *  9. Absence.  A NULL slot, or a NULL table, is allowed where marked [opt]; calls that
 *     need it return RILL_ERROR_NOT_SUPPORTED.  Tables are checked when the backend is
 *     registered, in every build.
 * 10. Manners.  No exit, no output, no signals, no locale, no getenv.
 */
#ifndef RILL_BACKEND_H
#define RILL_BACKEND_H

#include <rill/rill.h>
#include <rill/sim.h>
#include <rill/watch.h>

RILL_BEGIN_DECLS

/* Changes whenever a table or a rule in this header does. */
#define RILL_BACKEND_ABI 1u

/* ---- Objects ------------------------------------------------------------ */

typedef enum rill_object_kind {
    RILL_OBJECT_PLATFORM = 1,
    RILL_OBJECT_CONTEXT,
    RILL_OBJECT_STREAM,
    RILL_OBJECT_EVENT,
    RILL_OBJECT_MODULE,
    RILL_OBJECT_KERNEL,
    RILL_OBJECT_POOL,
    RILL_OBJECT_GRAPH,
    RILL_OBJECT_EXEC,
    RILL_OBJECT_USER_OBJECT,
    RILL_OBJECT_REPLAY /* the core's own; no backend meets one */
} rill_object_kind;

#define RILL_OBJECT_KINDS 11

/* The head of every object.  A backend reads it and does not change it. */
struct rill_object {
    uint32_t tag;        /* kind and a mark of life; the core's              */
    uint32_t references; /* atomic; the core's                               */
    const struct rill_backend *backend;
    rill_platform *platform;
    rill_context *context; /* of a context: itself; NULL if there is none; a
                              graph's may be gone                            */
    struct rill_object *owner; /* of a borrowed object: what keeps it alive  */
    char *label;           /* atomic pointer, replaced whole; may be NULL    */
    uint64_t id;           /* unique in the process, from 1                  */
    void *labels;          /* atomic; all labels it ever had; the core's     */
};

#define RILL_OBJECT_HEAD 64

/* Returns the private bytes of an object, 64-byte aligned. */
static inline void *rill_private(const void *object)
{
    return (void *)((uintptr_t)object + RILL_OBJECT_HEAD);
}

/* Returns the head of an object of any kind. */
static inline const struct rill_object *rill_object_of(const void *object)
{
    return (const struct rill_object *)object;
}

/* Creates an object that the backend owns and hands out: a device's default pool, a
 * context's legacy stream, a kernel of a module, a child graph.  The object comes with
 * zeroed private bytes.  `owner` is a platform, context, module or graph; `context` may
 * have ended if it is the context of a graph inside another graph.
 * rill_backend_disown() frees the object without calling `destroy`. */
RILL_API rill_status rill_backend_own(rill_object_kind kind, void *owner, rill_context *context,
                                      void **object);
RILL_API void rill_backend_disown(void *object);

/* Gives the object to the caller of the public function, to be destroyed like an object
 * that `create` made. */
RILL_API void rill_backend_give(void *object);

/* ---- Failure ------------------------------------------------------------ */

/* Notes why the call in progress on this thread fails, and returns `status`.
 * `argument` names the argument at fault, or is NULL. */
RILL_API rill_status rill_backend_fail(rill_status status, const char *argument,
                                       const char *format, ...) RILL_PRINTF_FORMAT(3, 4);

/* Adds where the failure began.  Called after rill_backend_fail(), in the same call. */
RILL_API void rill_backend_fail_cause(const rill_error_cause *cause);

/* Has tell(data, id, operation) called when the call ends, with the name under which
 * its failure is known: for a backend that has later calls name this one as their
 * cause.  Called after rill_backend_fail(), in the same call. */
RILL_API void rill_backend_fail_told(void (*tell)(void *data, uint64_t id, const char *operation),
                                     void *data, uint64_t id);

/* ---- Public calls of a backend's own -------------------------------------- */

/* Checks that `object` is a live object of this kind and backend.  Called first by a
 * function that only this backend offers, such as those of <rill/sim.h>. */
RILL_API rill_status rill_backend_check(const struct rill_backend *backend, const void *object,
                                        rill_object_kind kind, const char *argument);

/* Makes the error record and returns `status`.  Called last by such a function, whether
 * it failed or not.  `operation` is the name of the function. */
RILL_API rill_status rill_backend_finish(const char *operation, const void *object,
                                         rill_status status);

/* ---- Tables ------------------------------------------------------------- */

struct rill_device_ops {
    rill_status (*count)(rill_platform *platform, int *count);
    rill_status (*info)(rill_platform *platform, int device, rill_device_info *info);
    rill_status (*can_access_peer)(rill_platform *platform, int device, int peer, int *can); /* [opt] */
};

struct rill_context_ops {
    size_t private_bytes;
    rill_status (*create)(rill_context *context, const rill_context_options *options);
    /* Asked before anything is done.  If it refuses, the context stays.  If it is NULL,
     * a context may always be destroyed. */
    rill_status (*may_destroy)(rill_context *context); /* [opt] */
    rill_status (*destroy)(rill_context *context);
    rill_status (*synchronize)(rill_context *context);
    rill_status (*status)(rill_context *context);
    rill_status (*priority_range)(rill_context *context, int *least, int *greatest);
    rill_status (*enable_peer)(rill_context *context, rill_context *peer);  /* [opt] */
    rill_status (*disable_peer)(rill_context *context, rill_context *peer); /* [opt] */
};

struct rill_memory_ops {
    rill_status (*acquire)(rill_context *context, size_t bytes, rill_devptr *address);
    rill_status (*acquire_pitch)(rill_context *context, size_t width, size_t height,
                                 uint32_t element_bytes, rill_devptr *address,
                                 size_t *pitch); /* [opt] */
    rill_status (*acquire_managed)(rill_context *context, size_t bytes, uint32_t flags,
                                   rill_devptr *address); /* [opt] */
    rill_status (*release)(rill_context *context, rill_devptr address);
    rill_status (*range)(rill_context *context, rill_devptr address, rill_devptr *base,
                         size_t *bytes);
    rill_status (*info)(rill_context *context, size_t *free_bytes, size_t *total_bytes);
    rill_status (*host_alloc)(rill_context *context, size_t bytes, uint32_t flags, void **pointer);
    rill_status (*host_free)(rill_context *context, void *pointer);
    rill_status (*host_register)(rill_context *context, void *pointer, size_t bytes,
                                 uint32_t flags);                                     /* [opt] */
    rill_status (*host_unregister)(rill_context *context, void *pointer);             /* [opt] */
    rill_status (*host_device_pointer)(rill_context *context, void *pointer,
                                       rill_devptr *address);                         /* [opt] */
    rill_status (*host_flags)(rill_context *context, void *pointer, uint32_t *flags); /* [opt] */
    rill_status (*pointer_info)(rill_context *context, rill_devptr address,
                                rill_pointer_info *info);                             /* [opt] */
    rill_status (*set_sync_memops)(rill_context *context, rill_devptr address, int on); /* [opt] */
    /* Does a RILL_OP_MEMCPY or RILL_OP_MEMSET as a synchronous call does it. */
    rill_status (*run)(rill_context *context, const rill_op *op);
};

struct rill_module_ops {
    size_t private_bytes;
    size_t kernel_private_bytes;
    rill_status (*load)(rill_module *module, const rill_image *image);
    rill_status (*unload)(rill_module *module);
    rill_status (*kernel)(rill_module *module, const char *name, rill_kernel **kernel);
    rill_status (*kernel_count)(rill_module *module, size_t *count);
    const char *(*kernel_name)(const rill_kernel *kernel);
    rill_status (*param)(rill_kernel *kernel, size_t index, size_t *offset, size_t *bytes); /* [opt] */
    rill_status (*get_attribute)(rill_kernel *kernel, rill_kernel_attribute attribute,
                                 int *value);                                               /* [opt] */
    rill_status (*set_attribute)(rill_kernel *kernel, rill_kernel_attribute attribute,
                                 int value);                                                /* [opt] */
    rill_status (*variable)(rill_module *module, const char *name, rill_devptr *address,
                            size_t *bytes);                                                 /* [opt] */
    /* Tells of one of the variables that the module has memory of, from 0 on, in any order; past
     * the last one RILL_ERROR_NOT_FOUND, without a note.  Layers ask while it is loaded. */
    rill_status (*variable_at)(rill_module *module, size_t index, const char **name,
                               rill_devptr *address, size_t *bytes);                        /* [opt] */
};

struct rill_stream_ops {
    size_t private_bytes;
    rill_status (*create)(rill_stream *stream, const rill_stream_options *options);
    rill_status (*destroy)(rill_stream *stream);
    rill_stream *(*legacy)(rill_context *context);
    rill_stream *(*per_thread)(rill_context *context);
    rill_status (*submit)(rill_stream *stream, rill_op *op);
    rill_status (*query)(rill_stream *stream);
    rill_status (*synchronize)(rill_stream *stream);
    rill_status (*id)(rill_stream *stream, uint64_t *id);
    rill_status (*flags)(rill_stream *stream, uint32_t *flags);
    rill_status (*priority)(rill_stream *stream, int *priority);
    rill_status (*get_attribute)(rill_stream *stream, rill_attribute *attribute);       /* [opt] */
    rill_status (*set_attribute)(rill_stream *stream, const rill_attribute *attribute); /* [opt] */
    rill_status (*copy_attributes)(rill_stream *dst, rill_stream *src);                 /* [opt] */
    rill_status (*add_callback)(rill_stream *stream, rill_stream_callback callback, void *data,
                                uint32_t flags);                                        /* [opt] */
    rill_status (*attach)(rill_stream *stream, rill_devptr address, size_t bytes,
                          uint32_t flags);                                              /* [opt] */
    /* Submits a copy or fill of one row, which is what most are.  Does the same as
     * `submit` of that operation, which is called if the slot is NULL. */
    rill_status (*copy_row)(rill_stream *stream, rill_memory_kind dst_kind, rill_devptr dst,
                            rill_memory_kind src_kind, rill_devptr src, size_t bytes);  /* [opt] */
    rill_status (*fill_row)(rill_stream *stream, rill_devptr dst, uint32_t value,
                            uint32_t element_bytes, size_t count);                      /* [opt] */
};

/* Recording and waiting are operations: see stream->submit. */
struct rill_event_ops {
    size_t private_bytes;
    rill_status (*create)(rill_event *event, const rill_event_options *options);
    rill_status (*destroy)(rill_event *event);
    rill_status (*query)(rill_event *event);
    rill_status (*synchronize)(rill_event *event);
    rill_status (*elapsed)(rill_event *start, rill_event *end, float *milliseconds); /* [opt] */
};

struct rill_pool_ops {
    size_t private_bytes;
    rill_status (*create)(rill_pool *pool, const rill_pool_options *options);
    rill_status (*may_destroy)(rill_pool *pool); /* [opt] as context->may_destroy */
    rill_status (*destroy)(rill_pool *pool);
    rill_status (*default_pool)(rill_platform *platform, int device, rill_pool **pool);
    rill_status (*current)(rill_platform *platform, int device, rill_pool **pool);
    rill_status (*set_current)(rill_platform *platform, int device, rill_pool *pool);
    rill_status (*get_attribute)(rill_pool *pool, rill_pool_attribute attribute, uint64_t *value);
    rill_status (*set_attribute)(rill_pool *pool, rill_pool_attribute attribute, uint64_t value);
    rill_status (*trim)(rill_pool *pool, size_t keep);
    rill_status (*get_access)(rill_pool *pool, int device, rill_access *access);
    rill_status (*set_access)(rill_pool *pool, int device, rill_access access);
};

/* Addresses and memory, each by itself: <rill/vmem.h>. */
struct rill_vmem_ops {
    rill_status (*granularity)(rill_platform *platform, int device, size_t *bytes);
    rill_status (*create)(rill_platform *platform, size_t bytes, const rill_vmem_options *options,
                          rill_vmem_handle *handle);
    rill_status (*release)(rill_platform *platform, rill_vmem_handle handle);
    rill_status (*retain)(rill_platform *platform, rill_devptr address, rill_vmem_handle *handle);
    rill_status (*get_options)(rill_platform *platform, rill_vmem_handle handle,
                               rill_vmem_options *options);
    rill_status (*export_file)(rill_platform *platform, rill_vmem_handle handle, int *file);
    rill_status (*import_file)(rill_platform *platform, int file, rill_vmem_handle *handle);
    rill_status (*reserve)(rill_platform *platform, size_t bytes, size_t alignment,
                           rill_devptr wish, rill_devptr *address);
    rill_status (*unreserve)(rill_platform *platform, rill_devptr address, size_t bytes);
    rill_status (*map)(rill_platform *platform, rill_devptr address, size_t bytes,
                       rill_vmem_handle handle);
    rill_status (*unmap)(rill_platform *platform, rill_devptr address, size_t bytes);
    rill_status (*set_access)(rill_platform *platform, rill_devptr address, size_t bytes,
                              int device, rill_access access);
    rill_status (*get_access)(rill_platform *platform, rill_devptr address, int device,
                              rill_access *access);
};

struct rill_capture_ops {
    rill_status (*begin)(rill_stream *stream, const rill_capture_options *options);
    /* *graph is the graph that the capture was begun into, or one of the backend's own,
     * owned by the context, which the core gives to the caller. */
    rill_status (*end)(rill_stream *stream, rill_graph **graph);
    rill_status (*info)(rill_stream *stream, rill_capture_info *info);
    rill_status (*update)(rill_stream *stream, const rill_node *dependencies,
                          const rill_edge *edges, size_t count, rill_capture_update how);
    rill_status (*exchange_mode)(rill_platform *platform, rill_capture_mode *mode);
    /* Asked when the core is about to refuse an operation of that kind in the stream
     * because of a handle that it was given.  Returns `status`, or the status with
     * which the stream refuses any operation.  RILL_OP_GRAPH stands for a launch or
     * upload of something that is no exec.  The refusal may break a capture. */
    rill_status (*refusal)(rill_stream *stream, rill_op_kind kind, rill_status status); /* [opt] */
};

struct rill_graph_ops {
    size_t private_bytes;
    size_t user_object_private_bytes;
    rill_status (*create)(rill_graph *graph, const rill_graph_options *options);
    /* As context->may_destroy.  Also asked about a graph that the backend owns; if this
     * does not refuse, the core does. */
    rill_status (*may_destroy)(rill_graph *graph); /* [opt] */
    rill_status (*destroy)(rill_graph *graph);
    /* A child that moves in (RILL_CHILD_MOVE) becomes an object that `graph` owns: the
     * backend disowns it. */
    rill_status (*add_node)(rill_graph *graph, const rill_node *dependencies,
                            const rill_edge *edges, size_t count, rill_op *op, rill_node *node);
    rill_status (*remove_node)(rill_graph *graph, rill_node node);
    rill_status (*add_edges)(rill_graph *graph, const rill_node *from, const rill_node *to,
                             const rill_edge *edges, size_t count);
    rill_status (*remove_edges)(rill_graph *graph, const rill_node *from, const rill_node *to,
                                const rill_edge *edges, size_t count);
    rill_status (*nodes)(rill_graph *graph, rill_node *nodes, size_t *count);
    rill_status (*roots)(rill_graph *graph, rill_node *nodes, size_t *count);
    rill_status (*edges)(rill_graph *graph, rill_node *from, rill_node *to, rill_edge *edges,
                         size_t *count);
    rill_status (*dependencies)(rill_graph *graph, rill_node node, rill_node *nodes,
                                rill_edge *edges, size_t *count);
    rill_status (*dependents)(rill_graph *graph, rill_node node, rill_node *nodes,
                              rill_edge *edges, size_t *count);
    rill_status (*node_kind)(rill_graph *graph, rill_node node, rill_op_kind *kind);
    rill_status (*get_op)(rill_graph *graph, rill_node node, rill_op *op);
    rill_status (*set_op)(rill_graph *graph, rill_node node, const rill_op *op);
    rill_status (*get_attribute)(rill_graph *graph, rill_node node, rill_attribute *attribute); /* [opt] */
    rill_status (*set_attribute)(rill_graph *graph, rill_node node,
                                 const rill_attribute *attribute);                       /* [opt] */
    rill_status (*copy_attributes)(rill_graph *graph, rill_node dst, rill_node src);     /* [opt] */
    rill_status (*set_node_label)(rill_graph *graph, rill_node node, const char *label); /* [opt] */
    rill_status (*child)(rill_graph *graph, rill_node node, rill_graph **child);
    rill_status (*clone)(rill_graph *graph, rill_graph *clone);
    rill_status (*find_in_clone)(rill_graph *clone, rill_node original, rill_node *node);
    rill_status (*write_dot)(rill_graph *graph, uint32_t flags, rill_write_fn write,
                             void *data);                                                /* [opt] */
    rill_status (*conditional)(rill_graph *graph, uint32_t initial, uint32_t flags,
                               rill_conditional *handle);                                /* [opt] */
    /* The backend disowns the object when its last reference is gone. */
    rill_status (*user_object_create)(rill_user_object *object, void *data,
                                      rill_destroy_fn destroy, uint32_t references);     /* [opt] */
    rill_status (*user_object_retain)(rill_user_object *object, uint32_t count);         /* [opt] */
    rill_status (*user_object_release)(rill_user_object *object, uint32_t count);        /* [opt] */
    rill_status (*retain)(rill_graph *graph, rill_user_object *object, uint32_t count,
                          uint32_t flags);                                               /* [opt] */
    rill_status (*release)(rill_graph *graph, rill_user_object *object, uint32_t count); /* [opt] */
    rill_status (*get_memory)(rill_platform *platform, int device,
                              rill_graph_memory_attribute attribute, uint64_t *value);   /* [opt] */
    rill_status (*set_memory)(rill_platform *platform, int device,
                              rill_graph_memory_attribute attribute, uint64_t value);    /* [opt] */
    rill_status (*trim_memory)(rill_platform *platform, int device);                     /* [opt] */
};

struct rill_exec_ops {
    size_t private_bytes;
    /* options->context is the exec's, whatever the caller gave. */
    rill_status (*create)(rill_exec *exec, rill_graph *graph, rill_exec_options *options);
    rill_status (*destroy)(rill_exec *exec);
    rill_status (*launch)(rill_exec *exec, rill_stream *stream);
    rill_status (*upload)(rill_exec *exec, rill_stream *stream);
    rill_status (*flags)(rill_exec *exec, uint32_t *flags);
    rill_status (*set_op)(rill_exec *exec, rill_node node, const rill_op *op);
    rill_status (*set_enabled)(rill_exec *exec, rill_node node, int enabled);
    rill_status (*get_enabled)(rill_exec *exec, rill_node node, int *enabled);
    rill_status (*update)(rill_exec *exec, rill_graph *graph, rill_update_result *result);
    rill_status (*bytes)(rill_exec *exec, size_t *bytes); /* [opt] */
};

/* ---- Whose turn it is ----------------------------------------------------- */

/* Told of a step by the names that a schedule has for streams, operations and nodes; an operation
 * that is no launch has the node UINT32_MAX. */
typedef void (*rill_taken_fn)(void *data, uint32_t stream, uint64_t number, uint32_t node);

/* For a backend whose schedule can be given, so that it takes part at the begin and the
 * end of each call: the layer `schedule` calls it then. */
struct rill_schedule_ops {
    /* Tells whether a platform that is opened with these options has its schedule given.
     * The core puts the layer on it then. */
    int (*given)(const rill_open_options *options);
    /* A call of the host begins; `asks` if it may be made again and again until the
     * answer changes. */
    void (*enter)(rill_platform *platform, int asks);
    /* The call ends. */
    void (*leave)(rill_platform *platform);
    /* Has each step told to a function right before it is taken.  Called when the platform was
     * just opened. */
    void (*listen)(rill_platform *platform, rill_taken_fn taken, void *data); /* [opt] */
    /* Returns the number of the newest operation of a stream, and stores the stream's. */
    uint64_t (*newest)(rill_stream *stream, uint32_t *number_of_stream); /* [opt] */
};

/* ---- The backend -------------------------------------------------------- */

struct rill_backend {
    uint32_t abi;     /* RILL_BACKEND_ABI              */
    uint32_t size;    /* sizeof(struct rill_backend)   */
    const char *name; /* lower case, no spaces         */
    int rank;         /* the usable backend with the highest rank is chosen */
    size_t platform_private_bytes;

    /* Returns RILL_SUCCESS if open would work with these options.  Is quick and leaves
     * nothing behind. */
    rill_status (*probe)(const rill_open_options *options);
    rill_status (*open)(rill_platform *platform, const rill_open_options *options);
    void (*close)(rill_platform *platform);
    /* Returns the backend's own words for a status, or NULL for the general ones. */
    const char *(*explain)(rill_platform *platform, rill_status status); /* [opt] */
    /* Returns RILL_SUCCESS or RILL_ERROR_NOT_SUPPORTED, beyond what NULL slots say. */
    rill_status (*supports)(rill_platform *platform, rill_feature feature); /* [opt] */

    const struct rill_device_ops *device;
    const struct rill_context_ops *context;
    const struct rill_memory_ops *memory;
    const struct rill_module_ops *module;
    const struct rill_stream_ops *stream;
    const struct rill_event_ops *event;
    const struct rill_pool_ops *pool;       /* [opt] */
    const struct rill_vmem_ops *vmem;       /* [opt] */
    const struct rill_capture_ops *capture; /* [opt] */
    const struct rill_graph_ops *graph;     /* [opt] */
    const struct rill_exec_ops *exec;       /* [opt] */
    const struct rill_watch_ops *watch;     /* [opt] */
    const struct rill_schedule_ops *schedule; /* [opt] */

    const struct rl_layers *layers;         /* NULL; the core's */
};

/* Adds a backend, which must stay for the life of the process.  Refuses a name that is
 * taken, and a table that breaks the rules; the error record then names the slot. */
RILL_API rill_status rill_backend_register(const struct rill_backend *backend);

RILL_END_DECLS

#endif
