/* SPDX-License-Identifier: Apache-2.0
 *
 * Libraries, and the kernels in them.
 */
#ifndef SI_LIBRARY_H
#define SI_LIBRARY_H

#include "standin/code/module.h"

/* An attribute of a kernel, for the functions that it has on a device. */
struct si_setting {
    struct si_setting *next;
    int attribute, value, device;
};

struct si_function;

struct si_library {
    struct si_code *code;       /* NULL if the image is none ...                       */
    CUresult flaw;              /* ... and what is wrong with it; both are fixed       */
    struct si_slot *slot;
    struct rl_lock lock;        /* protects what follows, and settings of kernels      */
    struct si_module *modules;  /* one for each context at most                        */
    _Atomic(struct si_kernel *) kernels[]; /* by entry; NULL until asked for           */
};

/* Returns how many kernels a library has. */
static inline uint32_t si_library_kernels(const struct si_library *library)
{
    return library->code ? library->code->image->entry_count : 0;
}

/* What programs hold as CUkernel: the object is the library. */
struct si_kernel {
    struct si_part part; /* of the library's slot */
    struct si_library *library;
    uint32_t entry;
    struct si_setting *settings; /* the library's lock */
    _Atomic(struct si_function *) recent; /* that a launch found last, dead or alive, or NULL */
};

_Static_assert(sizeof(struct si_kernel) <= SI_SLOT_BYTES, "a kernel fits its slot");

/* Returns the kernel of a live handle, else NULL. */
static inline struct si_kernel *si_kernel(const void *handle)
{
    return si_object(SI_KERNEL, handle) ? (struct si_kernel *)(uintptr_t)handle : NULL;
}

/* Finds the module of a library in a context, and loads it when it is first needed. */
CUresult si_library_module(struct si_library *library, struct si_context *context,
                           struct si_module **module);

/* Takes a module off the library, since the module goes with its context. */
void si_library_forget(struct si_library *library, struct si_module *module);

/* Ends the libraries that the program did not unload; their modules are gone. */
void si_libraries_end(void);

#endif
