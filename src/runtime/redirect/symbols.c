/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads symbols from a file, which may be damaged.
 */
#include "symbols.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Sections ----------------------------------------------------------------------------- */

static int is_within(const struct symbols *symbols, uint64_t offset, uint64_t bytes)
{
    return offset <= symbols->file_bytes && bytes <= symbols->file_bytes - offset;
}

/* Returns the section headers, or NULL. */
static const Elf64_Shdr *find_sections(const struct symbols *symbols)
{
    const Elf64_Ehdr *head = symbols->file;
    if (symbols->file_bytes < sizeof *head || memcmp(head->e_ident, ELFMAG, SELFMAG) ||
        head->e_ident[EI_CLASS] != ELFCLASS64 || head->e_shentsize != sizeof(Elf64_Shdr) ||
        head->e_shoff % sizeof(uint64_t) ||
        !is_within(symbols, head->e_shoff, (uint64_t)head->e_shnum * sizeof(Elf64_Shdr)))
        return NULL;
    return (const void *)((const char *)symbols->file + head->e_shoff);
}

/* Returns texts that end with a 0, or NULL. */
static const char *texts_of(const struct symbols *symbols, const Elf64_Shdr *section)
{
    const char *texts = (const char *)symbols->file + section->sh_offset;
    if (!section->sh_size || !is_within(symbols, section->sh_offset, section->sh_size)) return NULL;
    return texts[section->sh_size - 1] ? NULL : texts;
}

static int take_table(struct symbols *symbols, const Elf64_Shdr *sections, const Elf64_Shdr *table)
{
    const Elf64_Ehdr *head = symbols->file;
    if (table->sh_link >= head->e_shnum || table->sh_offset % sizeof(uint64_t) ||
        !is_within(symbols, table->sh_offset, table->sh_size))
        return 0;
    const Elf64_Shdr *names = &sections[table->sh_link];
    const char *texts = texts_of(symbols, names);
    if (!texts) return 0;
    symbols->table = (const void *)((const char *)symbols->file + table->sh_offset);
    symbols->count = table->sh_size / sizeof(Elf64_Sym);
    symbols->names = texts;
    symbols->names_bytes = names->sh_size;
    return 1;
}

static int find_table(struct symbols *symbols, unsigned type)
{
    const Elf64_Shdr *sections = find_sections(symbols);
    if (!sections) return 0;
    for (unsigned i = 0; i < ((const Elf64_Ehdr *)symbols->file)->e_shnum; i++)
        if (sections[i].sh_type == type) return take_table(symbols, sections, &sections[i]);
    return 0;
}

/* ---- The file ----------------------------------------------------------------------------- */

int symbols_open(struct symbols *symbols, const char *path, unsigned table)
{
    struct stat status;
    void *bytes = MAP_FAILED;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    if (!fstat(file, &status) && status.st_size > 0)
        bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    close(file);
    if (bytes == MAP_FAILED) return 0;
    *symbols = (struct symbols){ .file = bytes, .file_bytes = (size_t)status.st_size };
    if (find_table(symbols, table)) return 1;
    symbols_close(symbols);
    return 0;
}

void symbols_close(struct symbols *symbols)
{
    munmap(symbols->file, symbols->file_bytes);
}

const Elf64_Phdr *symbols_part(const struct symbols *symbols, unsigned n)
{
    const Elf64_Ehdr *head = symbols->file;
    if (head->e_phentsize != sizeof(Elf64_Phdr) || head->e_phoff % sizeof(uint64_t) ||
        !is_within(symbols, head->e_phoff, (uint64_t)head->e_phnum * sizeof(Elf64_Phdr)))
        return NULL;
    const Elf64_Phdr *parts = (const void *)((const char *)symbols->file + head->e_phoff);
    for (unsigned i = 0; i < head->e_phnum; i++)
        if (parts[i].p_type == PT_LOAD && !n--) return &parts[i];
    return NULL;
}

/* ---- Symbols ------------------------------------------------------------------------------ */

const char *symbols_function(const struct symbols *symbols, size_t i)
{
    const Elf64_Sym *symbol = &symbols->table[i];
    if (symbol->st_name >= symbols->names_bytes) return NULL;
    if (ELF64_ST_TYPE(symbol->st_info) != STT_FUNC || symbol->st_shndx == SHN_UNDEF) return NULL;
    return symbols->names + symbol->st_name;
}

size_t symbols_find(const struct symbols *symbols, const char *function)
{
    for (size_t i = 0; i < symbols->count; i++) {
        const char *name = symbols_function(symbols, i);
        if (name && !strcmp(name, function)) return i;
    }
    return symbols->count;
}

uint64_t symbols_room(const struct symbols *symbols, size_t i)
{
    const Elf64_Sym *symbol = &symbols->table[i];
    const Elf64_Shdr *section = find_sections(symbols) + symbol->st_shndx;
    const uint64_t grain = 16;
    uint64_t room = symbol->st_size;
    if (symbol->st_shndx >= ((const Elf64_Ehdr *)symbols->file)->e_shnum) return 0;
    uint64_t offset = symbol->st_value - section->sh_addr;
    if (!(section->sh_flags & SHF_EXECINSTR) || offset > section->sh_size) return 0;
    if (symbol->st_value % grain == 0) room = (room + grain - 1) / grain * grain;
    return room < section->sh_size - offset ? room : section->sh_size - offset;
}
