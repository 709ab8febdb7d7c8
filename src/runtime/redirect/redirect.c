/* SPDX-License-Identifier: Apache-2.0
 *
 * A library that `rill run` has loaded before a program with CUDA's runtime inside.  Before
 * the first line of the program runs, it looks up the public names of the runtime in the
 * program's table of symbols, and lets each function begin with a jump to the function of that
 * name in rill's libcudart.
 *
 * Constructors of libraries, such as the one here, come before those of the program.  Being the
 * very first (-z initfirst) would be too early: the C library could not load anything yet.
 */
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* The program's table of symbols, from its file. */
struct symbols {
    void *file;
    size_t file_bytes;
    const Elf64_Sym *table;
    size_t count;
    const char *names;
    size_t names_bytes;
};

/* ---- The table ---------------------------------------------------------------------------- */

static int is_within(const struct symbols *symbols, const Elf64_Shdr *section)
{
    return section->sh_offset <= symbols->file_bytes &&
           section->sh_size <= symbols->file_bytes - section->sh_offset;
}

static int find_table(struct symbols *symbols)
{
    const char *bytes = symbols->file;
    const Elf64_Ehdr *head = symbols->file;
    if (symbols->file_bytes < sizeof *head || head->e_shentsize != sizeof(Elf64_Shdr) ||
        head->e_shoff > symbols->file_bytes ||
        head->e_shnum > (symbols->file_bytes - head->e_shoff) / sizeof(Elf64_Shdr))
        return 0;
    const Elf64_Shdr *sections = (const void *)(bytes + head->e_shoff);
    for (unsigned i = 0; i < head->e_shnum; i++) {
        if (sections[i].sh_type != SHT_SYMTAB || sections[i].sh_link >= head->e_shnum) continue;
        const Elf64_Shdr *names = &sections[sections[i].sh_link];
        if (!is_within(symbols, &sections[i]) || !is_within(symbols, names)) return 0;
        symbols->table = (const void *)(bytes + sections[i].sh_offset);
        symbols->count = sections[i].sh_size / sizeof(Elf64_Sym);
        symbols->names = bytes + names->sh_offset;
        symbols->names_bytes = names->sh_size;
        return names->sh_size && !symbols->names[names->sh_size - 1];
    }
    return 0;
}

static int open_symbols(struct symbols *symbols)
{
    struct stat status;
    int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    void *bytes = MAP_FAILED;
    if (!fstat(file, &status))
        bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    close(file);
    if (bytes == MAP_FAILED) return 0;
    *symbols = (struct symbols){ .file = bytes, .file_bytes = (size_t)status.st_size };
    if (find_table(symbols)) return 1;
    munmap(bytes, symbols->file_bytes);
    return 0;
}

/* Returns the name of a function of the runtime that the program has, or NULL for others. */
static const char *runtime_name(const struct symbols *symbols, size_t i)
{
    const Elf64_Sym *symbol = &symbols->table[i];
    if (ELF64_ST_TYPE(symbol->st_info) != STT_FUNC || symbol->st_shndx == SHN_UNDEF ||
        symbol->st_name >= symbols->names_bytes)
        return NULL;
    const char *name = symbols->names + symbol->st_name;
    return strncmp(name, "cuda", 4) && strncmp(name, "__cuda", 6) ? NULL : name;
}

static int has_function(const struct symbols *symbols, const char *wanted)
{
    for (size_t i = 0; i < symbols->count; i++) {
        const char *name = runtime_name(symbols, i);
        if (name && !strcmp(name, wanted)) return 1;
    }
    return 0;
}

/* ---- The jump ------------------------------------------------------------------------------- */

#if defined(__x86_64__)
static const unsigned char jump_code[] = { 0xff, 0x25, 0, 0, 0, 0 }; /* jmp *0(%rip) */
#elif defined(__aarch64__)
static const unsigned char jump_code[] = { 0x50, 0, 0, 0x58, 0, 0x02, 0x1f, 0xd6 };
#else
static const unsigned char jump_code[1];
#define NO_JUMP 1
#endif

enum { JUMP_BYTES = sizeof jump_code + sizeof(void *) };

/* Functions lie on boundaries of 16 bytes, so that a short one does not end the jump.  Requires
 * that the code can be written. */
static int write_jump(uintptr_t at, uint64_t bytes, const void *target)
{
#ifdef NO_JUMP
    return (void)at, (void)bytes, (void)target, 0;
#endif
    if (bytes < JUMP_BYTES && at % 16) return 0;
    memcpy((void *)at, jump_code, sizeof jump_code);
    memcpy((char *)at + sizeof jump_code, &target, sizeof target);
    __builtin___clear_cache((char *)at, (char *)at + JUMP_BYTES);
    return 1;
}

/* ---- The program -------------------------------------------------------------------------- */

struct program {
    uintptr_t base;
    int protection; /* that its code is to have */
    int refused;    /* 1: the system does not let it have that */
};

/* Gives all code of the program its protection at once: a call of the system for each jump would
 * take longer than the rest. */
static int protect_code(struct dl_phdr_info *object, size_t size, void *data)
{
    struct program *program = data;
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    (void)size;
    program->base = object->dlpi_addr;
    for (unsigned i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        if (part->p_type != PT_LOAD || !(part->p_flags & PF_X)) continue;
        uintptr_t at = program->base + part->p_vaddr, first = at & ~(page - 1);
        if (mprotect((void *)first, at + part->p_memsz - first, program->protection))
            program->refused = 1;
    }
    return 1; /* the program comes first */
}

static void say(const char *words)
{
    fprintf(stderr, "rill: the program has a CUDA runtime inside, and %s\n", words);
}

/* A name of 12 that 13 no longer has, one that 11 did not have yet, and one that 10 did not. */
static const char *library_for(const struct symbols *symbols)
{
    if (has_function(symbols, "cudaGetDeviceProperties_v2")) return "libcudart.so.12";
    if (has_function(symbols, "cudaInitDevice")) return "libcudart.so.13";
    return has_function(symbols, "cudaStreamGetAttribute") ? "libcudart.so.11.0" : NULL;
}

static void redirect_all(const struct symbols *symbols, void *library)
{
    struct program program = { .protection = PROT_READ | PROT_WRITE | PROT_EXEC };
    unsigned left = 0;
    dl_iterate_phdr(protect_code, &program);
    for (size_t i = 0; !program.refused && i < symbols->count; i++) {
        const char *name = runtime_name(symbols, i);
        void *target = name ? dlsym(library, name) : NULL;
        const Elf64_Sym *symbol = &symbols->table[i];
        if (target && !write_jump(program.base + symbol->st_value, symbol->st_size, target)) left++;
    }
    program.protection = PROT_READ | PROT_EXEC;
    dl_iterate_phdr(protect_code, &program);
    if (left || program.refused) say("its code cannot be written: compile it with -cudart shared");
}

__attribute__((constructor)) static void redirect_program(void)
{
    struct symbols symbols;
    const char *name;
    if (!open_symbols(&symbols)) {
        say("no symbols that tell where: do not strip it, or compile it with -cudart shared");
        return;
    }
    if (has_function(&symbols, "__cudaRegisterFatBinary")) {
        void *library = (name = library_for(&symbols)) ? dlopen(name, RTLD_NOW) : NULL;
        if (library)
            redirect_all(&symbols, library);
        else
            say(name ? "rill's own was not found"
                     : "it is older than CUDA 11: compile it with nvcc 11 to 13, or with rill cc");
    }
    munmap(symbols.file, symbols.file_bytes);
}
