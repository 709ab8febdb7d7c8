/* SPDX-License-Identifier: Apache-2.0
 *
 * Modules, libraries, and the kernels in them.
 *
 *     code      an image that was read, shared by all that is loaded from it
 *     module    code in one context: kernels that can be launched, variables in memory
 *     function  a kernel of a module, made when it is first asked for
 *     library   code without a context: it has a module in each context where that is
 *               asked for
 *     kernel    a kernel of a library: a function in each such module
 *
 * A handle of a kernel is accepted wherever one of a function is, as with the driver.
 */
#ifndef SI_MODULE_H
#define SI_MODULE_H

#include "standin/current.h"
#include "standin/functions.h"

struct si_function;
struct si_library;

/* ---- Options of the compiler (jit.c) -------------------------------------------------- */

/* As a program passes them.  What they ask of the compiler changes nothing; where they give
 * room for what it has to say, that is said. */
struct si_jit {
    unsigned count;
    const int *options;
    void **values;
};

CUresult si_jit_check(const struct si_jit *jit);

/* `error` is what is wrong with the image, or "".  Once: where to say it is then gone. */
void si_jit_say(const struct si_jit *jit, const char *error);

/* How long a module took to load, from `since` on, in milliseconds.  Of libraries drivers do
 * not say it. */
void si_jit_took(const struct si_jit *jit, uint64_t since);

/* ---- Code (code.c) ---------------------------------------------------------------------- */

struct si_code {
    atomic_uint references;
    struct image *image;
    rill_function *functions; /* as many as the image has entries, but at least one:
                                 those that do something first                      */
    uint32_t function_count;  /* that do something                                   */
    uint8_t *runs;            /* by entry: it has a C function                       */
    rill_param *params;       /* of all functions                                    */
};

/* What images are read for: all devices are of one kind. */
struct image_target si_target(void);

/* `bytes` of 0: the image says its own size.  `jit` is told what is wrong with it, and
 * nothing when all is well: it may yet be refused. */
CUresult si_code_read(const void *image, size_t bytes, const struct si_jit *jit,
                      struct si_code **code);
CUresult si_code_read_file(const char *path, const struct si_jit *jit, struct si_code **code);
void si_code_release(struct si_code *code);

/* All of a file; the caller frees `data`. */
CUresult si_read_file(const char *path, char **data, size_t *bytes);

/* The number of the kernel of that name, or -1. */
int si_code_find(const struct si_code *code, const char *name);

/* ---- Linking (link.c) ------------------------------------------------------------------- */

/* Those that the program did not destroy. */
void si_linkings_end(void);

/* ---- Modules (module.c) ------------------------------------------------------------------ */

struct si_module {
    struct si_code *code;        /* a reference                                       */
    struct si_context *context;
    rill_module *raw;
    struct si_slot *slot;        /* the CUmodule                                      */
    struct si_library *library;  /* whose it is, or NULL                              */
    struct si_module *next;      /* of the library; its lock                          */
    int is_text;                 /* rill has the PTX: it runs what has no C function, and
                                    has the variables                                 */
    rill_devptr memory;          /* of the variables otherwise, one allocation; 0: there
                                    are none                                          */
    uint64_t *offsets;           /* in it, by variable                                */
    struct rl_lock lock;         /* protects making the functions                     */
    _Atomic(struct si_function *) functions[]; /* by entry; NULL: nobody asked yet    */
};

/* What programs hold as CUmodule: the object is rill's. */
struct si_module_slot {
    struct si_slot slot;
    struct si_module *module;
};

_Static_assert(sizeof(struct si_module_slot) <= SI_SLOT_BYTES - sizeof(struct si_last),
               "a module's slot has room for its end");

/* Loads code, of which it takes a reference, into the current context.  `jit`, unless
 * NULL, is told why its PTX is refused. */
CUresult si_module_load(struct si_code *code, struct si_context *context,
                        struct si_library *library, const struct si_jit *jit,
                        struct si_module **module);

/* Its handle dies, and those of its functions; 0: somebody else was quicker. */
int si_module_take(struct si_module *module);

/* Ends one that was taken, when nobody holds it any more. */
CUresult si_module_end(struct si_module *module);

/* The module of a live handle, else NULL. */
static inline struct si_module *si_module_of(CUmodule handle)
{
    return si_object(SI_MODULE, handle)
        ? ((struct si_module_slot *)(void *)handle)->module : NULL;
}

CUresult si_module_function(struct si_module *module, uint32_t entry, CUfunction *function);

/* A context ends, and with it what was loaded there: takes what there is, and puts it in
 * front of a list of what is to end. */
struct si_slot *si_modules_take(struct si_context *context, struct si_slot *taken);

/* Held by whoever takes a module of a library, until the library has forgotten it; comes
 * before the library's own. */
extern struct rl_lock si_library_modules;

/* ---- Variables of modules (module_variables.c) ----------------------------------------------- */

/* Memory for them with what they begin with, unless rill has them. */
CUresult si_variables_make(struct si_module *module);
void si_variables_free(struct si_module *module);

/* Where a variable is. */
CUresult si_module_variable(struct si_module *module, const char *name, CUdeviceptr *address,
                            size_t *bytes);

/* ---- Functions (function.c) ---------------------------------------------------------------- */

/* What programs hold as CUfunction: the object is rill's kernel. */
struct si_function {
    struct si_part part; /* of the module's slot */
    struct si_module *module;
    uint32_t entry;
    uint8_t runs;              /* a library has a C function for it, it does nothing, or
                                  it is one of PTX                                    */
    uint8_t plain;             /* relaxed; it runs, with any block and any cluster    */
    uint8_t large_clusters;    /* relaxed; as it was set                              */
    uint8_t cluster_policy;
    _Atomic(uint16_t) cluster[3]; /* that launches must have; 0: any                  */
    _Atomic(struct si_shape *) shape; /* for the launches of old; NULL: nobody set it */
};

_Static_assert(sizeof(struct si_function) <= SI_SLOT_BYTES, "a function fits its slot");

/* A function or kernel that was given as an argument, to be launched in the context of
 * that stream: INVALID_HANDLE for others. */
CUresult si_function(CUfunction handle, CUstream stream, struct si_function **function);

/* The same for the current context. */
static inline CUresult si_function_here(CUfunction handle, struct si_function **function)
{
    return si_function(handle, NULL, function);
}

/* The function of a library's kernel in a context; NULL is the current one. */
CUresult si_kernel_in(CUkernel handle, CUcontext where, struct si_function **function);

static inline rill_kernel *si_function_kernel(const struct si_function *function)
{
    return atomic_load_explicit(&function->part.slot.object, memory_order_acquire);
}

static inline const struct image_entry *si_entry_of(const struct si_function *function)
{
    return &function->module->code->image->entries[function->entry];
}

/* With the function goes what was set for its launches of old (old_launch.c). */
void si_shape_free(struct si_function *function);

/* Refuses a function that is machine code alone and that no library has a C function
 * for, and says so if asked. */
CUresult si_refuse_missing(const struct si_function *function);

CUresult si_function_get(const struct si_function *function, int attribute, int *value);
CUresult si_function_set(struct si_function *function, int attribute, int value);

/* Where a parameter lies. */
CUresult si_entry_param(const struct image_entry *entry, size_t index, size_t *offset,
                        size_t *bytes);

/* ---- Libraries (library.c) ----------------------------------------------------------------- */

/* An attribute of a kernel, for the functions that it has on a device. */
struct si_setting {
    struct si_setting *next;
    int attribute, value, device;
};

struct si_library {
    struct si_code *code;
    struct si_slot *slot;
    struct rl_lock lock;        /* protects what follows          */
    struct si_module *modules;  /* one for each context at most   */
    _Atomic(struct si_kernel *) kernels[]; /* by entry; NULL: nobody asked yet */
};

/* What programs hold as CUkernel: the object is the library. */
struct si_kernel {
    struct si_part part; /* of the library's slot */
    struct si_library *library;
    uint32_t entry;
    struct si_setting *settings; /* the library's lock */
};

_Static_assert(sizeof(struct si_kernel) <= SI_SLOT_BYTES, "a kernel fits its slot");

/* The kernel of a live handle, else NULL. */
static inline struct si_kernel *si_kernel(const void *handle)
{
    return si_object(SI_KERNEL, handle) ? (struct si_kernel *)(uintptr_t)handle : NULL;
}

/* The module of a library in a context, loaded when it is first needed. */
CUresult si_library_module(struct si_library *library, struct si_context *context,
                           struct si_module **module);

/* The libraries that the program did not unload; their modules are gone. */
void si_libraries_end(void);

/* A module goes with its context. */
void si_library_forget(struct si_library *library, struct si_module *module);

#endif
