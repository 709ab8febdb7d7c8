/* SPDX-License-Identifier: Apache-2.0
 *
 * Declarations: the type, alignment, name and dimensions that parameters and variables
 * of every kind have in common; then variables and shared memory.
 */
#include "standin/image_ptx.h"

#include <string.h>

#define ALIGNMENT_LIMIT (UINT64_C(1) << 20)

/* ---- Types ----------------------------------------------------------------------- */

static const struct {
    const char *name;
    uint32_t bytes;
} types[] = {
    { ".b8", 1 },    { ".u8", 1 },     { ".s8", 1 },      { ".b16", 2 },        { ".u16", 2 },
    { ".s16", 2 },   { ".f16", 2 },    { ".bf16", 2 },    { ".b32", 4 },        { ".u32", 4 },
    { ".s32", 4 },   { ".f32", 4 },    { ".f16x2", 4 },   { ".bf16x2", 4 },     { ".tf32", 4 },
    { ".b64", 8 },   { ".u64", 8 },    { ".s64", 8 },     { ".f64", 8 },        { ".b128", 16 },
    { ".e4m3", 1 },  { ".e5m2", 1 },   { ".texref", 8 },  { ".samplerref", 8 }, { ".surfref", 8 },
};

static uint32_t type_bytes(const struct ptx_token *token)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (iptx_is(token, types[i].name)) return types[i].bytes;
    return 0;
}

/* ---- Declarations ---------------------------------------------------------------- */

static rill_status read_alignment(struct ptx *ptx, uint32_t *alignment)
{
    uint64_t value;
    if (!iptx_number(&ptx->text.token, &value) || !value || value > ALIGNMENT_LIMIT ||
        value & (value - 1))
        return iptx_wrong(ptx, "an alignment is a power of two");
    *alignment = (uint32_t)value;
    iptx_next(&ptx->text);
    return RILL_SUCCESS;
}

/* .attribute(.managed) and the like */
static rill_status read_attributes(struct ptx *ptx, bool *managed)
{
    rill_status status = iptx_expect(ptx, '(');
    while (!status && !iptx_accept_mark(&ptx->text, ')')) {
        if (ptx->text.token.kind == PTX_END) return iptx_expect(ptx, ')');
        *managed |= iptx_is(&ptx->text.token, ".managed");
        iptx_next(&ptx->text);
        if (iptx_is_mark(&ptx->text.token, '(')) {
            while (ptx->text.token.kind != PTX_END && !iptx_is_mark(&ptx->text.token, ')'))
                iptx_next(&ptx->text);
            status = iptx_expect(ptx, ')');
        }
        iptx_accept_mark(&ptx->text, ',');
    }
    return status;
}

/* .ptr .SPACE .align N: of what a parameter points at */
static rill_status skip_pointee(struct ptx *ptx)
{
    uint32_t alignment;
    while (ptx->text.token.kind == PTX_DIRECTIVE)
        if (iptx_accept(&ptx->text, ".align")) {
            rill_status status = read_alignment(ptx, &alignment);
            if (status) return status;
        } else {
            iptx_next(&ptx->text);
        }
    return RILL_SUCCESS;
}

static uint32_t vector_length(struct ptx_text *text)
{
    if (iptx_accept(text, ".v2")) return 2;
    if (iptx_accept(text, ".v4")) return 4;
    return iptx_accept(text, ".v8") ? 8 : 1;
}

/* What is before the name.  *vector is 1 for what is none. */
static rill_status read_type(struct ptx *ptx, struct ptx_declaration *declaration,
                             uint32_t *vector)
{
    struct ptx_text *text = &ptx->text;
    uint32_t alignment = 0;
    rill_status status = RILL_SUCCESS;
    *vector = 1;
    while (!status && !type_bytes(&text->token)) {
        uint32_t length = vector_length(text);
        if (length > 1) *vector = length;
        else if (iptx_accept(text, ".align")) status = read_alignment(ptx, &alignment);
        else if (iptx_accept(text, ".attribute"))
            status = read_attributes(ptx, &declaration->managed);
        else return iptx_wrong(ptx, "a type is missing");
    }
    if (status) return status;
    declaration->element = type_bytes(&text->token);
    iptx_next(text);
    if (iptx_accept(text, ".ptr")) status = skip_pointee(ptx);
    declaration->alignment = alignment ? alignment : declaration->element * *vector;
    return status;
}

static rill_status read_dimension(struct ptx *ptx, struct ptx_declaration *declaration)
{
    uint64_t length = 0;
    if (!iptx_is_mark(&ptx->text.token, ']')) {
        if (!iptx_number(&ptx->text.token, &length))
            return iptx_wrong(ptx, "the length of an array is missing");
        iptx_next(&ptx->text);
    }
    /* One is kept for a vector. */
    if (declaration->dimension_count == PTX_DIMENSIONS - 1)
        return iptx_wrong(ptx, "too many dimensions");
    declaration->dimensions[declaration->dimension_count++] = length;
    return iptx_expect(ptx, ']');
}

static rill_status measure(struct ptx *ptx, struct ptx_declaration *declaration)
{
    uint64_t size = declaration->element;
    for (uint32_t i = 0; i < declaration->dimension_count; i++) {
        uint64_t length = declaration->dimensions[i];
        if (length && size > PTX_SIZE_LIMIT / length)
            return iptx_wrong(ptx, "the size is too large");
        size *= length;
    }
    declaration->size = size;
    return RILL_SUCCESS;
}

static rill_status read_name(struct ptx *ptx, struct ptx_declaration *declaration,
                             uint32_t vector)
{
    rill_status status = RILL_SUCCESS;
    if (ptx->text.token.kind != PTX_WORD) return iptx_wrong(ptx, "a name is missing");
    declaration->name = ptx->text.token;
    declaration->dimension_count = 0;
    iptx_next(&ptx->text);
    while (!status && iptx_accept_mark(&ptx->text, '[')) status = read_dimension(ptx, declaration);
    if (status) return status;
    if (vector > 1) declaration->dimensions[declaration->dimension_count++] = vector;
    return measure(ptx, declaration);
}

rill_status iptx_declare(struct ptx *ptx, struct ptx_declaration *declaration)
{
    uint32_t vector;
    *declaration = (struct ptx_declaration){ .size = 0 };
    rill_status status = read_type(ptx, declaration, &vector);
    return status ? status : read_name(ptx, declaration, vector);
}

/* ---- Variables ------------------------------------------------------------------- */

static rill_status add_variable(struct ptx *ptx, struct ptx_declaration *declaration,
                                enum image_space space, bool external)
{
    struct image *image = ptx->reader->image;
    struct ptx_name *name;
    bool initial = iptx_accept_mark(&ptx->text, '=');
    rill_status status = iptx_define(ptx, &declaration->name, PTX_THING_VARIABLE,
                                    !external || initial, &name);
    if (status) return status;
    if (name->index == UINT32_MAX) {
        struct image_variable *variable = image_add_variable(ptx->reader);
        if (!variable) return image_no_memory(ptx->reader);
        name->index = image->variable_count - 1;
        variable->name = image_copy_text(image, declaration->name.at, declaration->name.bytes);
        if (!variable->name) return image_no_memory(ptx->reader);
    }
    struct image_variable *variable = &image->variables[name->index];
    if (initial) {
        status = iptx_initial(ptx, declaration, variable);
        if (status) return status;
    }
    if (!name->defined || !external || initial) {
        variable->bytes = declaration->size;
        variable->alignment = declaration->alignment;
        variable->managed = declaration->managed;
    }
    variable->space = space;
    variable->external = !name->defined;
    return RILL_SUCCESS;
}

rill_status iptx_variables(struct ptx *ptx, enum image_space space, bool external)
{
    struct ptx_declaration declaration = { .size = 0 };
    uint32_t vector;
    rill_status status = read_type(ptx, &declaration, &vector);
    do {
        if (!status) status = read_name(ptx, &declaration, vector);
        if (!status) status = add_variable(ptx, &declaration, space, external);
    } while (!status && iptx_accept_mark(&ptx->text, ','));
    return status ? status : iptx_expect(ptx, ';');
}

/* ---- Shared memory --------------------------------------------------------------- */

void iptx_add_shared(struct image_entry *entry, uint64_t size, uint32_t alignment)
{
    uint64_t begin = ((uint64_t)entry->static_shared + alignment - 1) & ~((uint64_t)alignment - 1);
    uint64_t end = size > UINT32_MAX ? UINT32_MAX : begin + size;
    entry->static_shared = end > UINT32_MAX ? UINT32_MAX : (uint32_t)end;
}

/* Outside of a kernel it is counted where a kernel names it. */
static rill_status add_shared(struct ptx *ptx, const struct ptx_declaration *declaration)
{
    struct ptx_name *name;
    /* What is declared outside and defined here, or the other way round, is one thing. */
    rill_status status = iptx_define(ptx, &declaration->name, PTX_THING_SHARED, false, &name);
    if (status) return status;
    if (declaration->size > name->size) name->size = declaration->size;
    name->alignment = declaration->alignment;
    return RILL_SUCCESS;
}

rill_status iptx_shared(struct ptx *ptx, struct image_entry *entry)
{
    struct ptx_declaration declaration = { .size = 0 };
    uint32_t vector;
    rill_status status = read_type(ptx, &declaration, &vector);
    do {
        if (!status) status = read_name(ptx, &declaration, vector);
        if (!status && entry) iptx_add_shared(entry, declaration.size, declaration.alignment);
        else if (!status) status = add_shared(ptx, &declaration);
    } while (!status && iptx_accept_mark(&ptx->text, ','));
    return status ? status : iptx_expect(ptx, ';');
}
