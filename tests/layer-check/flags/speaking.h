/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels that tell others what is done, or are told so, by a flag while they run, and memory that
 * they share with the host.
 */
#ifndef SPEAKING_H
#define SPEAKING_H

#include <stdatomic.h>

#include "layer-check/pairs.h"

/* Each takes a flag and a word of data. */
#define KERNEL(name, body) \
    ".visible .entry " name "(.param .u64 flag, .param .u64 data) {\n" \
    " .reg .b64 %f, %d; .reg .b32 %v; .reg .pred %p;\n" \
    " ld.param.u64 %f, [flag];\n ld.param.u64 %d, [data];\n" body " ret; }\n"

#define TELLS(name, store) KERNEL(name, " st.global.u32 [%d], 5;\n " store "\n")
#define AWAITS(name, load) \
    KERNEL(name, "again:\n " load "\n setp.eq.u32 %p, %v, 0;\n @%p bra again;\n" \
                 " ld.global.u32 %v, [%d];\n")

static const char speaking[] =
    ".version 8.0\n.target sm_90\n.address_size 64\n"
    TELLS("tells", "st.release.sys.global.u32 [%f], 1;")
    TELLS("tells_volatile", "fence.sc.sys; st.volatile.global.u32 [%f], 1;")
    TELLS("tells_atomic", "fence.sc.sys; atom.sys.global.exch.b32 %v, [%f], 1;")
    TELLS("counts", "fence.sc.gpu; atom.global.add.u32 %v, [%f], 1;")
    TELLS("counts_by_release", "atom.add.release.gpu.global.u32 %v, [%f], 1;")
    TELLS("tells_its_block", "st.release.cta.global.u32 [%f], 1;")
    TELLS("stores", "st.global.u32 [%f], 1;")
    AWAITS("awaits", "ld.acquire.sys.global.u32 %v, [%f];")
    AWAITS("awaits_atomically", "atom.sys.global.add.u32 %v, [%f], 0;")
    AWAITS("awaits_volatile", "ld.volatile.global.u32 %v, [%f];")
    AWAITS("awaits_of_device", "ld.acquire.gpu.global.u32 %v, [%f];")
    AWAITS("awaits_by_nothing_added", "atom.global.add.u32 %v, [%f], 0;")
    AWAITS("awaits_by_no_bit_set", "atom.global.or.b32 %v, [%f], 0;")
    AWAITS("loads", "ld.global.u32 %v, [%f];");

static inline void launch(struct checked *c, rill_stream *stream, const char *name,
                          rill_devptr flag, rill_devptr data)
{
    const rill_image image = { .size = sizeof image, .code = speaking };
    const void *const params[] = { &flag, &data };
    const rill_dim3 one = { 1, 1, 1 };
    rill_module *module;
    rill_kernel *kernel;
    OK(rill_module_load(c->context, &image, &module));
    OK(rill_module_kernel(module, name, &kernel));
    OK(rill_launch_kernel(stream, kernel, one, one, 0, params));
    OK(rill_module_unload(&module)); /* once the kernel has run */
}

/* A page for the flag and one for the data: the host touches each by itself. */
struct shared {
    _Alignas(4096) _Atomic uint32_t flag;
    _Alignas(4096) uint32_t data;
};

static inline struct shared *new_shared(struct checked *c)
{
    void *pinned;
    OK(rill_host_alloc(c->context, sizeof(struct shared), 0, &pinned));
    memset(pinned, 0, sizeof(struct shared));
    return pinned;
}

static inline void end_shared(struct checked *c, struct shared *shared)
{
    OK(rill_context_synchronize(c->context));
    OK(rill_host_free(c->context, shared));
}

static inline rill_devptr address_of(const void *place)
{
    return (uintptr_t)place;
}

#endif
