/* SPDX-License-Identifier: Apache-2.0
 *
 * References to textures and surfaces: names that the PTX of a module declares (.global .texref),
 * to which a program binds memory or an array.  A launch has what is bound when it is submitted.
 */
#ifndef SI_REFERENCE_H
#define SI_REFERENCE_H

#include "ptx/texture/texture.h"
#include "standin/code/module.h"

/* What was bound to a reference: launches that are pending may still look there. */
struct si_binding {
    struct ptx_texture texture; /* or the first level of a mipmap */
    uint64_t handle;
};

/* After so many different ones a reference waits for the context, and forgets them. */
enum { SI_BINDINGS_MOST = 64 };

struct si_reference {
    struct si_reference *next;  /* of the module's; its lock                        */
    struct si_module *module;   /* NULL of one that a program made: nothing looks there */
    struct si_slot *slot;       /* the CUtexref or CUsurfref                        */
    bool surface;
    char *name;
    struct rl_lock lock;        /* protects what follows                            */
    CUDA_RESOURCE_DESC resource;
    bool bound;                 /* there is a resource                              */
    CUdeviceptr address;        /* as it was given                                  */
    CUDA_TEXTURE_DESC how;
    int format, channels;       /* of memory                                        */
    struct si_binding *bindings;
    size_t binding_count;
};

/* Finds a reference, which stays until the call returns. */
static inline CUresult si_reference(const void *handle, bool surface, struct si_reference **found)
{
    *found = si_object(SI_REFERENCE, handle);
    if (!*found) return si_wrong(SI_REFERENCE, handle);
    return (*found)->surface == surface ? RILL_SUCCESS : RILL_ERROR_INVALID_VALUE;
}

/* Has kernels that are launched from now on read what the reference describes, or nothing if that
 * is no valid texture.  Requires reference->lock. */
CUresult si_reference_bind(struct si_reference *reference);

/* Has kernels read nothing through references to an array or a mipmap whose memory has been
 * freed. */
void si_references_of_gone(const void *gone);

/* Takes those of a context that programs made themselves (context.h). */
si_take_fn si_references_take;

#endif
