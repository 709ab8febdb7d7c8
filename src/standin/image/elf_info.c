/* SPDX-License-Identifier: Apache-2.0
 *
 * What a cubin says of its kernels in .nv.info sections, and of the addresses that its
 * variables begin with in relocations.
 *
 * An attribute is a byte for its form, one for its number and two for its value; in the
 * long form these two are the length of the value, which follows.
 */
#include "standin/image/elf.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

enum {
    FORM_LONG = 4, /* the value follows the attribute */
};

enum {
    INFO_MAX_THREADS = 0x05,
    INFO_BLOCK = 0x10,         /* the one that is possible                       */
    INFO_FRAME_BYTES = 0x11,   /* symbol, bytes                                  */
    INFO_PARAM = 0x17,
    INFO_PARAM_BYTES = 0x19,   /* of all of them                                 */
    INFO_REGISTERS = 0x2f,     /* symbol, number                                 */
    INFO_CLUSTER = 0x3d,
    INFO_PARAM_LARGE = 0x45,   /* the same for kernels with more than 4 KB       */
};

enum {
    PARAM_MAX = 4096,    /* parameters of a kernel: fewer than their bytes    */
    REGISTER_MAX = 255   /* of a thread, on every device                      */
};

static rill_status refuse_damaged(struct elf *elf, const struct image_entry *entry,
                                  const char *what)
{
    return image_refuse(elf->reader, RILL_ERROR_INVALID_IMAGE,
                        "the cubin is damaged: %s of kernel '%s'", what, entry->name);
}

/* ---- Parameters --------------------------------------------------------------------- */

static rill_status make_params(struct elf *elf, struct image_entry *entry, uint32_t count)
{
    if (count > PARAM_MAX) return refuse_damaged(elf, entry, "the number of parameters");
    entry->params = image_alloc(elf->reader->image, count * sizeof *entry->params);
    if (!entry->params) return image_no_memory(elf->reader);
    entry->param_count = count;
    return RILL_SUCCESS;
}

static void read_param(struct image_entry *entry, const unsigned char *value, bool large)
{
    uint32_t word = image_u32(value + 8);
    struct image_param *param = &entry->params[image_u16(value + 4)];
    param->offset = image_u16(value + 6);
    param->bytes = large ? word & 0xffff : word >> 18;
}

/* A cubin does not tell alignments.  Returns the least one that explains where a parameter
 * is, and not less than its size suggests. */
static uint32_t alignment_of(uint32_t end, const struct image_param *param)
{
    uint32_t alignment = 16;
    while (alignment > 1 && (param->offset | param->bytes) & (alignment - 1)) alignment /= 2;
    while (alignment < 1u << 15 && !(param->offset & alignment) &&
           ((end + alignment - 1) & ~(alignment - 1)) < param->offset)
        alignment *= 2;
    return alignment;
}

static rill_status complete_params(struct elf *elf, struct image_entry *entry)
{
    uint32_t end = 0;
    for (uint32_t i = 0; i < entry->param_count; i++) {
        struct image_param *param = &entry->params[i];
        if (!param->bytes || param->offset < end)
            return refuse_damaged(elf, entry, "the parameters");
        param->alignment = alignment_of(end, param);
        end = param->offset + param->bytes;
    }
    if (!entry->param_bytes) entry->param_bytes = end;
    if (entry->param_bytes < end) return refuse_damaged(elf, entry, "the size of the parameters");
    return RILL_SUCCESS;
}

/* ---- Attributes --------------------------------------------------------------------- */

static void read_three(uint32_t to[3], struct span value)
{
    for (size_t i = 0; i < 3 && (i + 1) * 4 <= value.bytes; i++)
        to[i] = image_u32(value.at + 4 * i);
}

static uint32_t multiply(const uint32_t of[3])
{
    uint64_t all = (uint64_t)of[0] * of[1];
    all = all > UINT32_MAX ? all : all * of[2];
    return all > UINT32_MAX ? UINT32_MAX : (uint32_t)all;
}

/* `value` is empty except in the long form, whose length is `word`. */
struct attribute {
    unsigned form, number, word;
    struct span value;
};

/* Reads the first attribute of `rest`, and removes it from there. */
static bool next_attribute(struct span *rest, struct attribute *attribute)
{
    const unsigned char *at = rest->at;
    if (rest->bytes < 4) return false;
    *attribute = (struct attribute){ at[0], at[1], image_u16(at + 2), { at + 4, 0 } };
    if (attribute->form == FORM_LONG) attribute->value.bytes = attribute->word;
    if (attribute->value.bytes > rest->bytes - 4) return false;
    rest->at += 4 + attribute->value.bytes;
    rest->bytes -= 4 + attribute->value.bytes;
    return true;
}

static bool is_param(const struct attribute *attribute)
{
    return (attribute->number == INFO_PARAM || attribute->number == INFO_PARAM_LARGE) &&
           attribute->value.bytes >= 12;
}

static void read_attribute(struct image_entry *entry, const struct attribute *attribute)
{
    uint32_t block[3] = { 0, 1, 1 };
    switch (attribute->number) {
    case INFO_PARAM:
    case INFO_PARAM_LARGE:
        if (!is_param(attribute)) break;
        read_param(entry, attribute->value.at, attribute->number == INFO_PARAM_LARGE);
        break;
    case INFO_PARAM_BYTES: entry->param_bytes = attribute->word; break;
    case INFO_MAX_THREADS:
        read_three(block, attribute->value);
        entry->max_threads = multiply(block);
        break;
    case INFO_BLOCK:
        read_three(entry->block, attribute->value);
        entry->max_threads = multiply(entry->block);
        break;
    case INFO_CLUSTER: read_three(entry->cluster, attribute->value); break;
    default: break;
    }
}

rill_status image_elf_read_info(struct elf *elf, struct span span, struct image_entry *entry)
{
    struct attribute attribute;
    uint32_t count = 0;
    for (struct span rest = span; next_attribute(&rest, &attribute);)
        if (is_param(&attribute) && image_u16(attribute.value.at + 4) >= count)
            count = image_u16(attribute.value.at + 4) + 1u;
    rill_status status = make_params(elf, entry, count);
    if (status) return status;
    while (next_attribute(&span, &attribute)) read_attribute(entry, &attribute);
    return complete_params(elf, entry);
}

/* Ignores values that no kernel can have. */
void image_elf_read_common_info(const struct elf *elf, struct span span)
{
    struct attribute attribute;
    while (next_attribute(&span, &attribute)) {
        if (attribute.value.bytes < 8) continue;
        struct symbol symbol = image_elf_symbol(elf, image_u32(attribute.value.at));
        struct image_entry *entry = image_elf_entry(elf, symbol.section);
        if (!entry) continue;
        uint32_t value = image_u32(attribute.value.at + 4);
        if (attribute.number == INFO_FRAME_BYTES && value <= INT32_MAX)
            entry->local_bytes = value;
        if (attribute.number == INFO_REGISTERS && value <= REGISTER_MAX)
            entry->registers = value;
    }
}

/* ---- Addresses in variables --------------------------------------------------------- */

enum {
    LINK_32 = 1,
    LINK_64 = 2,
    LINK_GENERIC_32 = 3,
    LINK_GENERIC_64 = 4,
};

#define RELOCATION_BYTES 24

rill_status image_elf_place(struct elf *elf, const struct symbol *symbol, uint32_t variable)
{
    struct place *places =
        image_grow(elf->reader->image, elf->places, elf->place_count, sizeof *places);
    if (!places) return image_no_memory(elf->reader);
    elf->places = places;
    places[elf->place_count++] = (struct place){ symbol->section, variable, symbol->value,
                                                 symbol->value + symbol->bytes };
    return RILL_SUCCESS;
}

static int compare_places(const void *left, const void *right)
{
    const struct place *a = left, *b = right;
    if (a->section != b->section) return a->section < b->section ? -1 : 1;
    return a->begin < b->begin ? -1 : a->begin > b->begin;
}

void image_elf_sort_places(struct elf *elf)
{
    if (elf->place_count)
        qsort(elf->places, elf->place_count, sizeof *elf->places, compare_places);
}

/* Compares one byte of a section, the key, with a place. */
static int compare_with_place(const void *key, const void *member)
{
    const struct place *wanted = key, *place = member;
    if (wanted->section != place->section) return wanted->section < place->section ? -1 : 1;
    return wanted->begin < place->begin ? -1 : wanted->begin >= place->end;
}

static rill_status add_link(struct elf *elf, struct image_variable *variable,
                            const struct image_link *link)
{
    struct image *image = elf->reader->image;
    struct image_link *links =
        image_grow(image, variable->links, variable->link_count, sizeof *links);
    if (!links) return image_no_memory(elf->reader);
    variable->links = links;
    links[variable->link_count] = *link;
    links[variable->link_count].name = image_copy_text(image, link->name, strlen(link->name));
    return links[variable->link_count++].name ? RILL_SUCCESS : image_no_memory(elf->reader);
}

static rill_status read_link(struct elf *elf, uint32_t section, const unsigned char *at)
{
    struct place key = { .section = section, .begin = image_u64(at) };
    const struct place *place = elf->place_count
        ? bsearch(&key, elf->places, elf->place_count, sizeof key, compare_with_place) : NULL;
    uint32_t type = image_u32(at + 8);
    if (!place || type < LINK_32 || type > LINK_GENERIC_64) return RILL_SUCCESS;
    struct symbol symbol = image_elf_symbol(elf, image_u32(at + 12));
    struct image_link link = {
        .offset = key.begin - place->begin,
        .name = symbol.name,
        .addend = (int64_t)image_u64(at + 16),
        .bytes = type == LINK_32 || type == LINK_GENERIC_32 ? 4 : 8,
    };
    struct image_variable *variable = &elf->reader->image->variables[place->variable];
    if (link.bytes > variable->bytes - link.offset || !*symbol.name) return RILL_SUCCESS;
    return add_link(elf, variable, &link);
}

rill_status image_elf_read_links(struct elf *elf, struct span span, uint32_t section)
{
    rill_status status = RILL_SUCCESS;
    for (; !status && span.bytes >= RELOCATION_BYTES; span.bytes -= RELOCATION_BYTES) {
        status = read_link(elf, section, span.at);
        span.at += RELOCATION_BYTES;
    }
    return status;
}
