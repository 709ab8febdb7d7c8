/* SPDX-License-Identifier: Apache-2.0
 *
 * What a variable begins with: values in braces, of which there may be fewer than the
 * variable has room for.  A value is a number, or the address of a variable or function,
 * perhaps with a number added, perhaps only some bits of it:  generic(name)+8,
 * 0xff00(name).
 */
#include "standin/image_ptx.h"

#include <string.h>

/* What is written.  `room` bytes of the variable are there, `end` is the last one that
 * has a value. */
struct writer {
    struct ptx *ptx;
    const struct ptx_declaration *declaration;
    struct image_variable *variable;
    uint64_t room, end;
};

/* ---- Bytes -------------------------------------------------------------------------- */

/* The array grows with what is written, not with what the text says it could be. */
static bool make_room(struct writer *writer, uint64_t end)
{
    uint64_t room = writer->room ? writer->room : 32;
    while (room < end) room *= 2;
    if (room != writer->room) {
        unsigned char *more = image_alloc(writer->ptx->reader->image, (size_t)room);
        if (!more) return false;
        if (writer->end) memcpy(more, writer->variable->initial, (size_t)writer->end);
        writer->variable->initial = more;
        writer->room = room;
    }
    if (end > writer->end) writer->end = end;
    return true;
}

static rill_status put(struct writer *writer, uint64_t at, uint64_t value)
{
    uint32_t bytes = writer->declaration->element;
    if (!make_room(writer, at + bytes)) return image_no_memory(writer->ptx->reader);
    for (uint32_t i = 0; i < bytes; i++)
        writer->variable->initial[at + i] = (unsigned char)(i < 8 ? value >> 8 * i : 0);
    return RILL_SUCCESS;
}

/* ---- Values ------------------------------------------------------------------------- */

/* The bits of a float as those of what the variable has. */
static uint64_t fit_float(uint64_t bits, uint32_t from, uint32_t to)
{
    float single;
    double both;
    if (from == to) return bits;
    if (from == 4) {
        uint32_t low = (uint32_t)bits;
        memcpy(&single, &low, sizeof low);
        both = single;
        memcpy(&bits, &both, sizeof bits);
        return bits;
    }
    memcpy(&both, &bits, sizeof both);
    single = (float)both;
    uint32_t low;
    memcpy(&low, &single, sizeof low);
    return low;
}

/* Signs before a number; true: it is negative. */
static bool read_sign(struct ptx_text *text)
{
    bool negative = false;
    for (;;) {
        if (iptx_accept_mark(text, '-')) negative = !negative;
        else if (!iptx_accept_mark(text, '+')) return negative;
    }
}

static rill_status read_number(struct writer *writer, bool negative, uint64_t *value)
{
    struct ptx_text *text = &writer->ptx->text;
    uint32_t bytes, element = writer->declaration->element;
    if (iptx_number(&text->token, value)) {
        if (negative) *value = 0 - *value;
    } else if (iptx_float(&text->token, value, &bytes)) {
        *value = fit_float(*value, bytes, element == 8 ? 8 : 4);
        if (negative) *value ^= element == 8 ? UINT64_C(1) << 63 : UINT64_C(1) << 31;
    } else {
        return iptx_wrong(writer->ptx, "a value is missing");
    }
    iptx_next(text);
    return RILL_SUCCESS;
}

/* The number behind an address. */
static rill_status read_addend(struct writer *writer, int64_t *addend)
{
    struct ptx_text *text = &writer->ptx->text;
    uint64_t value;
    *addend = 0;
    while (iptx_is_mark(&text->token, '+') || iptx_is_mark(&text->token, '-')) {
        bool negative = read_sign(text);
        if (!iptx_number(&text->token, &value))
            return iptx_wrong(writer->ptx, "a number is missing behind an address");
        iptx_next(text);
        *addend = (int64_t)((uint64_t)*addend + (negative ? 0 - value : value));
    }
    return RILL_SUCCESS;
}

/* NAME, generic(NAME), with a number behind either */
static rill_status read_address(struct writer *writer, struct ptx_token *name, int64_t *addend)
{
    struct ptx_text *text = &writer->ptx->text;
    int64_t behind;
    bool generic = iptx_accept(text, "generic");
    rill_status status = generic ? iptx_expect(writer->ptx, '(') : RILL_SUCCESS;
    if (status) return status;
    if (text->token.kind != PTX_WORD)
        return iptx_wrong(writer->ptx, "the name of a variable is missing");
    *name = text->token;
    iptx_next(text);
    status = read_addend(writer, addend);
    if (!generic || status) return status;
    status = iptx_expect(writer->ptx, ')');
    if (!status) status = read_addend(writer, &behind);
    if (!status) *addend = (int64_t)((uint64_t)*addend + (uint64_t)behind);
    return status;
}

static rill_status put_address(struct writer *writer, uint64_t at, uint32_t shift)
{
    struct image *image = writer->ptx->reader->image;
    struct image_variable *variable = writer->variable;
    struct ptx_token name = { .at = "" };
    uint32_t element = writer->declaration->element;
    struct image_link link = { .offset = at, .bytes = element < 8 ? element : 8, .shift = shift };
    rill_status status = read_address(writer, &name, &link.addend);
    if (!status) status = put(writer, at, 0);
    if (status) return status;
    struct image_link *links =
        image_grow(image, variable->links, variable->link_count, sizeof *links);
    link.name = image_copy_text(image, name.at, name.bytes);
    if (!links || !link.name) return image_no_memory(writer->ptx->reader);
    variable->links = links;
    links[variable->link_count++] = link;
    return RILL_SUCCESS;
}

/* MASK(ADDRESS): some bits of it, those of the lowest that the mask has. */
static rill_status put_masked(struct writer *writer, uint64_t at, uint64_t mask)
{
    if (!mask) return iptx_wrong(writer->ptx, "a mask of 0 leaves nothing of an address");
    iptx_next(&writer->ptx->text);
    rill_status status = put_address(writer, at, (uint32_t)__builtin_ctzll(mask));
    return status ? status : iptx_expect(writer->ptx, ')');
}

static rill_status read_value(struct writer *writer, uint64_t at)
{
    struct ptx_text *text = &writer->ptx->text;
    uint64_t value;
    if (text->token.kind == PTX_WORD) return put_address(writer, at, 0);
    rill_status status = read_number(writer, read_sign(text), &value);
    if (status) return status;
    if (iptx_is_mark(&text->token, '(')) return put_masked(writer, at, value);
    return put(writer, at, value);
}

/* ---- Braces ------------------------------------------------------------------------- */

/* Bytes of what a brace of this depth holds; 0: as much as there is. */
static uint64_t brace_bytes(const struct ptx_declaration *declaration, uint32_t depth)
{
    uint64_t bytes = declaration->element;
    for (uint32_t i = depth; i < declaration->dimension_count; i++)
        bytes *= declaration->dimensions[i];
    return bytes;
}

/* Braces may be left out inside, but not be deeper than the array.  Each begins where
 * something of its size can, and skips to its end when it closes. */
static rill_status read_braces(struct writer *writer)
{
    struct ptx *ptx = writer->ptx;
    uint64_t begin[PTX_DIMENSIONS], limit, at = 0, element = writer->declaration->element;
    uint32_t depth = 0, deepest = writer->declaration->dimension_count;
    rill_status status = RILL_SUCCESS;
    limit = brace_bytes(writer->declaration, 0);
    do {
        if (iptx_accept_mark(&ptx->text, '{')) {
            if (depth == (deepest ? deepest : 1)) return iptx_wrong(ptx, "too many braces");
            begin[depth++] = at;
            continue;
        }
        if (depth && iptx_accept_mark(&ptx->text, '}')) {
            uint64_t bytes = brace_bytes(writer->declaration, --depth);
            if (bytes) at = begin[depth] + bytes;
        } else {
            if ((limit && at >= limit) || at >= PTX_SIZE_LIMIT)
                return iptx_wrong(ptx, "there are too many values");
            status = read_value(writer, at);
            at += element;
        }
        if (!status && depth && !iptx_is_mark(&ptx->text.token, '}'))
            status = iptx_expect(ptx, ',');
    } while (!status && depth);
    return status;
}

/* The first length of an array may be left to what is in the braces. */
static void measure(struct writer *writer, struct ptx_declaration *declaration)
{
    uint64_t row = declaration->element;
    for (uint32_t i = 1; i < declaration->dimension_count; i++) row *= declaration->dimensions[i];
    if (declaration->size || !row) return;
    declaration->dimensions[0] = (writer->end + row - 1) / row;
    declaration->size = declaration->dimensions[0] * row;
}

rill_status iptx_initial(struct ptx *ptx, struct ptx_declaration *declaration,
                        struct image_variable *variable)
{
    struct writer writer = { .ptx = ptx, .declaration = declaration, .variable = variable };
    rill_status status = read_braces(&writer);
    if (status) return status;
    measure(&writer, declaration);
    variable->initial_bytes = writer.end;
    return RILL_SUCCESS;
}
