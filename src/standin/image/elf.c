/* SPDX-License-Identifier: Apache-2.0
 *
 * Cubins: ELF files for NVIDIA's machine.  A kernel NAME is a symbol with a section
 * .text.NAME of its own; .nv.info.NAME lists what is known of it, .nv.shared.NAME is as
 * long as its shared memory.  Variables are symbols in .nv.global (zeros),
 * .nv.global.init and .nv.constant3.
 *
 * Offsets and numbers in the file are not trusted: a section or a table is read through a
 * struct span, which was found to lie within the file.
 */
#include "standin/image/elf.h"

#include <elf.h>
#include <string.h>

#define MACHINE_CUDA 190
#define ABI_NEW 0x41 /* of EI_OSABI, since CUDA 13: where the architecture is told */
#define SECTION_BYTES 64
#define SYMBOL_BYTES 24
#define TYPE_INFO 0x70000000u /* of .nv.info sections */
#define OTHER_ENTRY 0x10      /* of a symbol: it is a kernel */
#define OTHER_MANAGED 0x04

/* ---- The file ----------------------------------------------------------------------- */

static rill_status refuse_damaged(struct elf *elf, const char *what)
{
    return image_refuse(elf->reader, RILL_ERROR_INVALID_IMAGE, "the cubin is damaged: %s", what);
}

/* A file without a stated size ends after the last of its tables and sections. */
size_t image_elf_extent(const unsigned char *code)
{
    uint64_t at = image_u64(code + 40), count = image_u16(code + 60), end = 64;
    uint64_t segments = image_u64(code + 32);
    segments += (uint64_t)image_u16(code + 54) * image_u16(code + 56);
    if (segments > end) end = segments;
    if (at > SIZE_MAX / 4 || end > SIZE_MAX / 4 || code[4] != ELFCLASS64) return 64;
    if (!count && at) count = image_u64(code + at + 32);
    if (count > UINT32_MAX) return 64;
    if (at + count * SECTION_BYTES > end) end = at + count * SECTION_BYTES;
    for (uint64_t i = 0; i < count; i++) {
        const unsigned char *section = code + at + i * SECTION_BYTES;
        uint64_t offset = image_u64(section + 24), bytes = image_u64(section + 32);
        if (image_u32(section + 4) == SHT_NOBITS || image_u32(section + 4) == SHT_NULL) continue;
        if (offset > SIZE_MAX / 4 || bytes > SIZE_MAX / 4) return 64;
        if (offset + bytes > end) end = offset + bytes;
    }
    return (size_t)end;
}

static bool find_span(const struct elf *elf, uint64_t offset, uint64_t bytes, struct span *span)
{
    if (offset > elf->bytes || bytes > elf->bytes - offset) return false;
    *span = (struct span){ elf->code + offset, (size_t)bytes };
    return true;
}

static struct section section_at(const struct elf *elf, uint32_t index)
{
    const unsigned char *at = elf->sections + (size_t)index * SECTION_BYTES;
    struct section section = {
        .type = image_u32(at + 4),
        .bytes = image_u64(at + 32),
        .link = image_u32(at + 40),
        .info = image_u32(at + 44),
        .alignment = image_u64(at + 48),
    };
    uint32_t name = image_u32(at);
    section.name = name < elf->names.bytes ? (const char *)elf->names.at + name : "";
    if (section.type != SHT_NOBITS &&
        !find_span(elf, image_u64(at + 24), section.bytes, &section.span))
        section.span = (struct span){ NULL, 0 };
    return section;
}

/* Tells whether every name in a table ends within it. */
static bool is_table_of_names(struct span span)
{
    return span.bytes && !span.at[span.bytes - 1];
}

static rill_status open_sections(struct elf *elf)
{
    const unsigned char *code = elf->code;
    struct span table;
    uint64_t at = image_u64(code + 40), count = image_u16(code + 60);
    uint32_t names = image_u16(code + 62);
    if (image_u16(code + 58) != SECTION_BYTES || !find_span(elf, at, SECTION_BYTES, &table))
        return refuse_damaged(elf, "there is no table of sections");
    /* If there are too many for the head, the first section has the numbers. */
    if (!count) count = image_u64(table.at + 32);
    if (names == SHN_XINDEX) names = image_u32(table.at + 40);
    if (count > UINT32_MAX / SECTION_BYTES || !find_span(elf, at, count * SECTION_BYTES, &table))
        return refuse_damaged(elf, "the table of sections exceeds the file");
    elf->sections = table.at;
    elf->section_count = (uint32_t)count;
    if (names >= count) return refuse_damaged(elf, "the sections have no names");
    elf->names = section_at(elf, names).span;
    if (!is_table_of_names(elf->names)) return refuse_damaged(elf, "the sections have no names");
    return RILL_SUCCESS;
}

static rill_status open_symbols(struct elf *elf)
{
    for (uint32_t i = 0; i < elf->section_count; i++) {
        struct section section = section_at(elf, i);
        if (section.type == SHT_SYMTAB_SHNDX) elf->long_indexes = section.span;
        if (section.type != SHT_SYMTAB) continue;
        elf->symbols = section.span;
        if (section.link < elf->section_count)
            elf->symbol_names = section_at(elf, section.link).span;
    }
    if (elf->symbols.bytes && !is_table_of_names(elf->symbol_names))
        return refuse_damaged(elf, "the symbols have no names");
    return RILL_SUCCESS;
}

static uint32_t symbol_count(const struct elf *elf)
{
    size_t count = elf->symbols.bytes / SYMBOL_BYTES;
    return count > UINT32_MAX ? UINT32_MAX : (uint32_t)count;
}

struct symbol image_elf_symbol(const struct elf *elf, uint32_t index)
{
    struct symbol symbol = { .name = "" };
    if (index >= symbol_count(elf)) return symbol;
    const unsigned char *at = elf->symbols.at + (size_t)index * SYMBOL_BYTES;
    uint32_t name = image_u32(at);
    if (name < elf->symbol_names.bytes) symbol.name = (const char *)elf->symbol_names.at + name;
    symbol.type = at[4] & 15;
    symbol.other = at[5];
    symbol.section = image_u16(at + 6);
    if (symbol.section == SHN_XINDEX && index < elf->long_indexes.bytes / 4)
        symbol.section = image_u32(elf->long_indexes.at + 4 * (size_t)index);
    symbol.value = image_u64(at + 8);
    symbol.bytes = image_u64(at + 16);
    return symbol;
}

/* ---- Kernels ------------------------------------------------------------------------ */

static bool has_prefix(const char *name, const char *prefix)
{
    return !strncmp(name, prefix, strlen(prefix));
}

static rill_status add_entry(struct elf *elf, const struct symbol *symbol)
{
    struct image_reader *reader = elf->reader;
    if (elf->entry_of[symbol->section]) return RILL_SUCCESS; /* another name of it */
    struct image_entry *entry = image_add_entry(reader);
    if (!entry) return image_no_memory(reader);
    elf->entry_of[symbol->section] = reader->image->entry_count;
    entry->name = image_copy_text(reader->image, symbol->name, strlen(symbol->name));
    return entry->name ? RILL_SUCCESS : image_no_memory(reader);
}

static rill_status add_variable(struct elf *elf, const struct symbol *symbol,
                                const struct section *section, enum image_space space)
{
    struct image_reader *reader = elf->reader;
    struct span span = section->span;
    uint64_t alignment = section->alignment ? section->alignment : 1;
    if (symbol->value > section->bytes || symbol->bytes > section->bytes - symbol->value)
        return refuse_damaged(elf, "a variable exceeds its section");
    if (alignment > 1 << 20 || alignment & (alignment - 1))
        return refuse_damaged(elf, "the alignment of a section is not possible");
    while (symbol->value & (alignment - 1)) alignment /= 2;
    struct image_variable *variable = image_add_variable(reader);
    if (!variable) return image_no_memory(reader);
    *variable = (struct image_variable){
        .name = image_copy_text(reader->image, symbol->name, strlen(symbol->name)),
        .bytes = symbol->bytes,
        .alignment = (uint32_t)alignment,
        .space = space,
        .managed = symbol->other & OTHER_MANAGED,
    };
    if (!variable->name) return image_no_memory(reader);
    if (section->type == SHT_NOBITS) return RILL_SUCCESS;
    if (!span.at) return refuse_damaged(elf, "a section exceeds the file");
    variable->initial_bytes = symbol->bytes;
    variable->initial = image_alloc(reader->image, (size_t)symbol->bytes);
    if (!variable->initial) return image_no_memory(reader);
    memcpy(variable->initial, span.at + symbol->value, (size_t)symbol->bytes);
    return image_elf_place(elf, symbol, reader->image->variable_count - 1);
}

static rill_status add_symbol(struct elf *elf, const struct symbol *symbol)
{
    if (symbol->section >= elf->section_count || !*symbol->name) return RILL_SUCCESS;
    struct section section = section_at(elf, symbol->section);
    if (symbol->type == STT_FUNC && symbol->other & OTHER_ENTRY &&
        has_prefix(section.name, ".text."))
        return add_entry(elf, symbol);
    if (symbol->type != STT_OBJECT || *symbol->name == '.') return RILL_SUCCESS;
    if (!strcmp(section.name, ".nv.global") || !strcmp(section.name, ".nv.global.init"))
        return add_variable(elf, symbol, &section, IMAGE_GLOBAL);
    if (!strcmp(section.name, ".nv.constant3"))
        return add_variable(elf, symbol, &section, IMAGE_CONSTANT);
    return RILL_SUCCESS;
}

static rill_status read_symbols(struct elf *elf)
{
    rill_status status = RILL_SUCCESS;
    for (uint32_t i = 0; !status && i < symbol_count(elf); i++) {
        struct symbol symbol = image_elf_symbol(elf, i);
        status = add_symbol(elf, &symbol);
    }
    return status;
}

struct image_entry *image_elf_entry(const struct elf *elf, uint32_t section)
{
    if (section >= elf->section_count || !elf->entry_of[section]) return NULL;
    return &elf->reader->image->entries[elf->entry_of[section] - 1];
}

/* Since sm_80 a block's shared memory begins with bytes that the system needs. */
static uint32_t shared_bytes(const struct elf *elf, uint64_t bytes)
{
    uint64_t reserved = elf->reader->image->architecture >= 80 ? 1024 : 0;
    bytes = bytes > reserved ? bytes - reserved : 0;
    return bytes > UINT32_MAX ? UINT32_MAX : (uint32_t)bytes;
}

static rill_status read_sections(struct elf *elf)
{
    rill_status status = RILL_SUCCESS;
    for (uint32_t i = 0; !status && i < elf->section_count; i++) {
        struct section section = section_at(elf, i);
        struct image_entry *entry = image_elf_entry(elf, section.info);
        if (section.type == TYPE_INFO && !strcmp(section.name, ".nv.info"))
            image_elf_read_common_info(elf, section.span);
        else if (entry && section.type == TYPE_INFO && has_prefix(section.name, ".nv.info."))
            status = image_elf_read_info(elf, section.span, entry);
        else if (entry && has_prefix(section.name, ".nv.shared."))
            entry->static_shared = shared_bytes(elf, section.bytes);
        else if (section.type == SHT_RELA && section.info < elf->section_count)
            status = image_elf_read_links(elf, section.span, section.info);
    }
    return status;
}

/* ---- The whole ---------------------------------------------------------------------- */

static rill_status check_architecture(struct elf *elf)
{
    uint32_t flags = image_u32(elf->code + 48), wanted = elf->reader->target->architecture;
    uint32_t has = elf->code[EI_OSABI] == ABI_NEW ? flags >> 8 & 0xff : flags & 0xff;
    elf->reader->image->architecture = has;
    elf->reader->image->binary = true;
    if (has <= wanted && has / 10 == wanted / 10) return RILL_SUCCESS;
    return image_refuse(elf->reader, RILL_ERROR_NO_BINARY_FOR_GPU,
                        "the cubin is for sm_%u, which sm_%u does not run", has, wanted);
}

static rill_status read_elf(struct elf *elf)
{
    struct image *image = elf->reader->image;
    rill_status status = open_sections(elf);
    if (!status) status = open_symbols(elf);
    if (status) return status;
    elf->entry_of = image_alloc(image, (size_t)elf->section_count * sizeof *elf->entry_of);
    if (!elf->entry_of) return image_no_memory(elf->reader);
    status = read_symbols(elf);
    image_elf_sort_places(elf);
    return status ? status : read_sections(elf);
}

rill_status image_read_elf(struct image_reader *reader, const unsigned char *code, size_t bytes)
{
    struct elf elf = { .reader = reader, .code = code, .bytes = bytes };
    if (bytes < 64) return refuse_damaged(&elf, "it is shorter than its head");
    if (memcmp(code, ELFMAG, SELFMAG) || code[EI_CLASS] != ELFCLASS64 ||
        code[EI_DATA] != ELFDATA2LSB || image_u16(code + 18) != MACHINE_CUDA)
        return image_refuse(reader, RILL_ERROR_INVALID_IMAGE,
                            "the file is no 64-bit ELF file for a GPU");
    rill_status status = check_architecture(&elf);
    return status ? status : read_elf(&elf);
}

bool image_elf_defines(const unsigned char *code, size_t bytes, bool (*is)(const char *name))
{
    struct image_refusal ignored;
    struct image_reader reader = { .refusal = &ignored };
    struct elf elf = { .reader = &reader, .code = code, .bytes = bytes };
    if (bytes < 64 || open_sections(&elf) || open_symbols(&elf)) return false;
    for (uint32_t i = 0; i < symbol_count(&elf); i++) {
        const struct symbol symbol = image_elf_symbol(&elf, i);
        if (symbol.type == STT_FUNC && symbol.section != SHN_UNDEF && is(symbol.name)) return true;
    }
    return false;
}
