/* SPDX-License-Identifier: Apache-2.0
 *
 * Modules: code that is loaded into a context.
 */
#ifndef SI_MODULE_H
#define SI_MODULE_H

#include "standin/code/code.h"
#include "standin/context/context.h"

struct si_function;
struct si_library;
struct si_module;
struct si_reference;

/* How the references of a module end, with the module: as its functions do.  Their room is above
 * this one. */
struct si_references_type {
    void (*kill)(const struct si_module *module); /* makes their handles dead   */
    void (*end)(struct si_module *module);        /* when no call holds any     */
};

struct si_module {
    struct si_code *code;        /* a reference                                       */
    struct si_context *context;
    rill_module *raw;
    struct si_slot *slot;        /* the CUmodule                                      */
    struct si_library *library;  /* that it belongs to, or NULL                       */
    struct si_module *next;      /* of the library; the library's lock                */
    int is_text;                 /* rill has the PTX: it runs what has no C function, and
                                    has the variables                                 */
    rill_devptr memory;          /* of the variables otherwise, one allocation; 0 if
                                    there are none                                    */
    uint64_t *offsets;           /* in it, by variable                                */
    struct rl_lock lock;         /* held while a function or a reference is made      */
    struct si_reference *references; /* texture/reference.h; lock                     */
    const struct si_references_type *references_type; /* NULL while there are none; lock */
    _Atomic(struct si_function *) functions[]; /* by entry; NULL until asked for; set
                                                  under `lock`                       */
};

/* What programs hold as CUmodule: the object is rill's. */
struct si_module_slot {
    struct si_slot slot;
    struct si_module *module;
};

_Static_assert(sizeof(struct si_module_slot) <= SI_SLOT_BYTES - sizeof(struct si_last),
               "a module's slot has room for its end");

/* Loads code into a context, and retains the code.  `library` is the one that the module belongs
 * to, or NULL.  `jit`, unless it is NULL, is told why the code's PTX is refused. */
CUresult si_module_load(struct si_code *code, struct si_context *context,
                        struct si_library *library, const struct si_jit *jit,
                        struct si_module **module);

/* Makes its handle dead, and those of its functions.  Returns 0 if another thread was
 * quicker. */
int si_module_take(struct si_module *module);

/* Ends a module that was taken, when no call holds it any more. */
CUresult si_module_end(struct si_module *module);

/* Returns the module of a live handle, else NULL. */
static inline struct si_module *si_module_of(CUmodule handle)
{
    return si_object(SI_MODULE, handle)
        ? ((struct si_module_slot *)(void *)handle)->module : NULL;
}

CUresult si_module_function(struct si_module *module, uint32_t entry, CUfunction *function);

/* Takes what was loaded into a context that ends (an si_take_fn). */
struct si_slot *si_modules_take(struct si_context *context, struct si_slot *taken);

/* Held by a thread that takes a module of a library, until the library has forgotten it;
 * taken before the library's own lock. */
extern struct rl_lock si_library_modules;

#endif
