/* SPDX-License-Identifier: Apache-2.0
 *
 * The forms of wgmma: every type, and of shapes and descriptors so many that each is there once
 * with some type. */
#include "ptx/answers/groups.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define IMAGE_ROW 128 /* bytes of shared memory for a row of a factor, and more than it has */
#define ROWS 64

/* How a factor lies in shared memory. */
struct group_layout {
    unsigned swizzle;       /* as in a descriptor: none, 128, 64 or 32 bytes               */
    unsigned lead, stride;  /* bytes                                                       */
    bool by_row;            /* of the second factor, or the first one's columns: not along k */
};

static const struct group_layout along_k[] = {
    { 0, 128, 256, false }, { 0, 1024, 128, false }, { 3, 16, 256, false }, { 2, 16, 512, false },
    { 1, 16, 1024, false },
};

/* Of halves alone: eight rows of k lie together, and as many numbers of a row as fit. */
static const struct group_layout across_k[] = {
    { 0, 128, 256, true }, { 3, 512, 256, true }, { 2, 1024, 512, true }, { 1, 2048, 1024, true },
};

struct group_product {
    const char *types;      /* "f32.f16.f16"                                               */
    const char *before, *after; /* of the types                                            */
    unsigned k;
    enum { SIGNS = 1, TRANSPOSES = 2 } numbers; /* that follow the predicate               */
    const char *places;     /* of the elements of a sparse factor; NULL if it is none      */
};

static const struct group_product products[] = {
    { "f32.f16.f16", "", "", 16, SIGNS | TRANSPOSES, NULL },
    { "f16.f16.f16", "", "", 16, SIGNS | TRANSPOSES, NULL },
    { "f32.bf16.bf16", "", "", 16, SIGNS | TRANSPOSES, NULL },
    { "f32.tf32.tf32", "", "", 8, SIGNS, NULL },
    { "f32.e4m3.e4m3", "", "", 32, SIGNS, NULL }, { "f32.e4m3.e5m2", "", "", 32, SIGNS, NULL },
    { "f32.e5m2.e4m3", "", "", 32, SIGNS, NULL }, { "f32.e5m2.e5m2", "", "", 32, SIGNS, NULL },
    { "f16.e4m3.e4m3", "", "", 32, SIGNS, NULL }, { "f16.e4m3.e5m2", "", "", 32, SIGNS, NULL },
    { "f16.e5m2.e4m3", "", "", 32, SIGNS, NULL }, { "f16.e5m2.e5m2", "", "", 32, SIGNS, NULL },
    { "s32.s8.s8", "", "", 32, 0, NULL }, { "s32.s8.u8", "", "", 32, 0, NULL },
    { "s32.u8.s8", "", "", 32, 0, NULL }, { "s32.u8.u8", "", "", 32, 0, NULL },
    { "s32.s8.s8", ".satfinite", "", 32, 0, NULL }, { "s32.u8.s8", ".satfinite", "", 32, 0, NULL },
    { "s32.b1.b1", "", ".and.popc", 256, 0, NULL },
};

/* With rows of the second factor that are twice as long. */
static const struct group_product sparse_products[] = {
    { "f32.f16.f16", "", "", 32, SIGNS | TRANSPOSES, "2of4" },
    { "f16.f16.f16", "", "", 32, SIGNS | TRANSPOSES, "2of4" },
    { "f32.bf16.bf16", "", "", 32, SIGNS | TRANSPOSES, "2of4" },
    { "f32.tf32.tf32", "", "", 16, SIGNS, "1of2" },
    { "f32.e4m3.e4m3", "", "", 64, SIGNS, "2of4" }, { "f32.e4m3.e5m2", "", "", 64, SIGNS, "2of4" },
    { "f32.e5m2.e4m3", "", "", 64, SIGNS, "2of4" }, { "f32.e5m2.e5m2", "", "", 64, SIGNS, "2of4" },
    { "f16.e4m3.e4m3", "", "", 64, SIGNS, "2of4" }, { "f16.e5m2.e4m3", "", "", 64, SIGNS, "2of4" },
    { "s32.s8.s8", "", "", 64, 0, "2of4" }, { "s32.s8.u8", "", "", 64, 0, "2of4" },
    { "s32.u8.s8", "", "", 64, 0, "2of4" }, { "s32.u8.u8", ".satfinite", "", 64, 0, "2of4" },
};

static const struct group_layout long_along_k[] = {
    { 0, 128, 512, false }, { 0, 1024, 128, false }, { 2, 16, 512, false }, { 1, 16, 1024, false },
    { 3, 16, 256, false }, { 3, 2048, 256, false }, { 3, 64, 512, false },
};

/* ---- Visits ------------------------------------------------------------------------------- */

struct group_visit {
    bool (*visit)(void *data, struct group_form *form);
    void *data;
};

/* A product with all that can be chosen. */
struct group_choice {
    const struct group_product *product;
    unsigned n;
    const struct group_layout *a, *b; /* a: NULL if it is in registers                     */
    bool adds;
    int sign_a, sign_b;
    unsigned selector;      /* of a sparse factor                                          */
};

static void name_descriptor(char *text, size_t room, const char *image,
                            const struct group_layout *layout)
{
    uint64_t bits = (uint64_t)layout->swizzle << 62 | (uint64_t)(layout->stride >> 4) << 32 |
                    (uint64_t)(layout->lead >> 4) << 16;
    snprintf(text, room, "%s+0x%llx", image, (unsigned long long)bits);
}

static bool visit_choice(const struct group_visit *visit, const struct group_choice *choice)
{
    const struct group_product *product = choice->product;
    struct group_form form = { .from_registers = !choice->a };
    char a[40] = "A", b[40], tail[40] = "", sparse[16] = "";
    size_t used = 0;
    sscanf(product->types, "%7[^.].%7[^.].%7s", form.types[0], form.types[1], form.types[2]);
    if (choice->a) name_descriptor(a, sizeof a, "A", choice->a);
    name_descriptor(b, sizeof b, "B", choice->b);
    if (product->numbers & SIGNS)
        used += (size_t)snprintf(tail, sizeof tail, ", %d, %d", choice->sign_a, choice->sign_b);
    if ((product->numbers & TRANSPOSES) && choice->a)
        used += (size_t)snprintf(tail + used, sizeof tail - used, ", %d", choice->a->by_row);
    if (product->numbers & TRANSPOSES)
        snprintf(tail + used, sizeof tail - used, ", %d", choice->b->by_row);
    if (product->places) snprintf(sparse, sizeof sparse, "E, %u, ", choice->selector);
    snprintf(form.instruction, sizeof form.instruction,
             "wgmma.mma_async%s.sync.aligned.m64n%uk%u%s.%s%s D, %s, %s, %s%s%s",
             product->places ? ".sp" : "", choice->n, product->k, product->before, product->types,
             product->after, a, b, sparse, choice->adds ? "1" : "0", tail);
    form.registers = choice->n / (strcmp(form.types[0], "f16") ? 2 : 4);
    form.bytes[0] = (size_t)GROUP_THREADS * form.registers * 4;
    form.bytes[1] = choice->a ? IMAGE_ROW * ROWS : (size_t)GROUP_THREADS * 16;
    form.bytes[2] = (size_t)IMAGE_ROW * (choice->n < ROWS ? ROWS : choice->n);
    if (product->places) {
        form.bytes[3] = GROUP_THREADS * sizeof(uint32_t);
        snprintf(form.types[3], sizeof form.types[3], "%s", product->places);
    }
    return visit->visit(visit->data, &form);
}

/* Visits all layouts of halves. */
static bool visit_transposed(const struct group_visit *visit, const struct group_product *product)
{
    static const unsigned widths[] = { 64, 128 };
    for (unsigned i = 0; i < 4; i++)
        for (unsigned j = 0; j < 4; j++) {
            struct group_choice choice = { product, widths[j % 2], &across_k[i], &across_k[j],
                                           true, 1, 1, 0 };
            if (!visit_choice(visit, &choice)) return false;
            choice.a = j % 2 ? NULL : &along_k[i + 1];
            if (!visit_choice(visit, &choice)) return false;
            choice.a = &across_k[i];
            choice.b = &along_k[j + 1];
            if (!visit_choice(visit, &choice)) return false;
        }
    return true;
}

static bool visit_product(const struct group_visit *visit, const struct group_product *product)
{
    static const unsigned widths[] = { 8, 16, 24, 64, 192, 256 };
    struct group_choice choice = { product, 0, NULL, NULL, true, 1, 1, 0 };
    for (unsigned i = 0; i < sizeof widths / sizeof *widths; i++)
        for (unsigned shared = 0; shared < 2; shared++) {
            choice.n = widths[i];
            choice.a = shared ? &along_k[0] : NULL;
            choice.b = &along_k[0];
            if (!visit_choice(visit, &choice)) return false;
        }
    choice.n = 32;
    for (unsigned i = 0; i < sizeof along_k / sizeof *along_k; i++) {
        choice.a = &along_k[i];
        choice.b = &along_k[(i + 3) % 5];
        if (!visit_choice(visit, &choice)) return false;
    }
    choice.adds = false;
    if (!visit_choice(visit, &choice)) return false;
    if (!(product->numbers & SIGNS)) return true;
    choice.sign_a = -1;
    if (!visit_choice(visit, &choice)) return false;
    choice.sign_b = -1, choice.adds = true;
    if (!visit_choice(visit, &choice)) return false;
    choice.sign_a = 1, choice.a = NULL;
    if (!visit_choice(visit, &choice)) return false;
    choice.sign_a = -1, choice.sign_b = 1;
    return visit_choice(visit, &choice);
}

/* Visits products with a sparse factor: several widths, and all layouts of the second factor. */
static bool visit_sparse(const struct group_visit *visit, const struct group_product *product)
{
    static const unsigned widths[] = { 8, 24, 96, 256 };
    const unsigned selectors = product->k == 64 ? 1 : 2;
    struct group_choice choice = { product, 0, NULL, NULL, true, 1, 1, 0 };
    for (unsigned i = 0; i < 8; i++) {
        choice.n = widths[i / 2];
        if (!strncmp(product->types, "s32", 3) && choice.n == 96) choice.n = 64;
        choice.a = i % 2 ? &along_k[0] : NULL;
        choice.b = &long_along_k[0];
        choice.selector = i / 2 % selectors;
        if (!visit_choice(visit, &choice)) return false;
    }
    choice.n = 32;
    for (unsigned i = 0; i < sizeof long_along_k / sizeof *long_along_k; i++) {
        choice.a = i % 3 ? &along_k[i % 5] : NULL;
        choice.b = &long_along_k[i];
        choice.selector = i % selectors;
        choice.adds = i != 2;
        choice.sign_a = i == 3 ? -1 : 1;
        if (!visit_choice(visit, &choice)) return false;
    }
    for (unsigned i = 0; i < 4 && product->numbers & TRANSPOSES; i++) {
        choice.a = &across_k[i];
        choice.b = &across_k[(i + 1) % 4];
        choice.selector = i % 2;
        if (!visit_choice(visit, &choice)) return false;
        choice.b = &long_along_k[i];
        if (!visit_choice(visit, &choice)) return false;
    }
    return true;
}

bool group_each(bool (*call)(void *data, struct group_form *form), void *data)
{
    const struct group_visit visit = { call, data };
    for (size_t i = 0; i < sizeof products / sizeof *products; i++)
        if (!visit_product(&visit, &products[i])) return false;
    if (!visit_transposed(&visit, &products[0]) || !visit_transposed(&visit, &products[2]))
        return false;
    for (size_t i = 0; i < sizeof sparse_products / sizeof *sparse_products; i++)
        if (!visit_sparse(&visit, &sparse_products[i])) return false;
    return true;
}
