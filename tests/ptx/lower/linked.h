/* SPDX-License-Identifier: Apache-2.0
 *
 * Texts that are linked: kernels that call give(), and functions of that name. The rules were
 * asked of nvlink of CUDA 13.0 with texts like these.
 */
#ifndef PTX_LOWER_LINKED_H
#define PTX_LOWER_LINKED_H

#include "ptx/link/linker.h"
#include "ptx/machine.h"

#define HEAD ".version 8.0\n.target sm_90\n.address_size 64\n"

#define GIVE(linkage, number) \
    linkage ".func (.param .u32 r) give\n{ .reg .u32 %v; mov.u32 %v, " #number "; " \
            "st.param.u32 [r], %v; ret; }\n"
#define TAKE ".extern .func (.param .u32 r) give;\n"
#define KERNEL(name) \
    ".visible .entry " name "(.param .u64 out)\n{ .reg .u64 %o; .reg .u32 %v;\n" \
    "ld.param.u64 %o, [out];\n"
#define PUT "st.global.u32 [%o], %v; ret;\n}\n"
#define CALL "{ .param .u32 r; call (r), give; ld.param.u32 %v, [r]; }\n"
#define IDLE ".visible .entry idle() { ret; }\n"

static inline struct ptx_module *module_of(const char *text)
{
    struct ptx_module *module;
    struct ptx_refusal refusal;
    char *whole = malloc(strlen(HEAD) + strlen(text) + 1);
    assert_non_null(whole);
    if (*text == '.' && !strncmp(text, ".version", 8)) strcpy(whole, text);
    else strcat(strcpy(whole, HEAD), text);
    if (ptx_read(whole, strlen(whole), NULL, &module, &refusal))
        fail_msg("%s\n%s", refusal.message, whole);
    free(whole);
    return module;
}

static inline rill_status try_link(const char *const *texts, size_t count,
                                   struct ptx_module **module, struct ptx_refusal *refusal)
{
    rill_status status = RILL_SUCCESS;
    struct ptx_linker *linker = ptx_linker_open(NULL);
    assert_non_null(linker);
    for (size_t i = 0; i < count && !status; i++) {
        struct ptx_module *input = module_of(texts[i]);
        status = ptx_linker_add(linker, input, NULL, refusal);
        if (status) ptx_module_free(input);
    }
    if (!status) status = ptx_linker_finish(linker, module, refusal);
    ptx_linker_close(linker);
    return status;
}

static inline void accepts(const char *a, const char *b)
{
    struct ptx_module *module;
    struct ptx_refusal refusal;
    if (try_link((const char *const[]){ a, b }, 2, &module, &refusal))
        fail_msg("%s\n%s\n%s", refusal.message, a, b);
    ptx_module_free(module);
}

static inline struct ptx_linker *linker_with(const char *text)
{
    struct ptx_refusal refusal;
    struct ptx_linker *linker = ptx_linker_open(NULL);
    assert_non_null(linker);
    assert_int_equal(ptx_linker_add(linker, module_of(text), "first", &refusal), RILL_SUCCESS);
    return linker;
}

#endif
