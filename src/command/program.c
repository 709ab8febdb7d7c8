/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether a program has CUDA's runtime inside, so that no other can take its place by name:
 * it has images for GPUs and needs no libcudart.
 */
#include "command/program.h"

#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command/command.h"

struct file {
    const unsigned char *bytes;
    size_t size;
};

/* ---- Finding it ------------------------------------------------------------------------- */

/* Finds a program as execvp() does. */
static bool find_program(const char *program, char path[COMMAND_PATH_MAX])
{
    const char *folders = getenv("PATH");
    if (strchr(program, '/') || !folders)
        return snprintf(path, COMMAND_PATH_MAX, "%s", program) < COMMAND_PATH_MAX;
    while (*folders) {
        int length = (int)strcspn(folders, ":");
        int written = snprintf(path, COMMAND_PATH_MAX, "%.*s/%s", length, folders, program);
        if (written < COMMAND_PATH_MAX && !access(path, X_OK)) return true;
        folders += length + (folders[length] == ':');
    }
    return false;
}

static bool map_file(const char *path, struct file *file)
{
    struct stat status;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return false;
    void *bytes = MAP_FAILED;
    if (!fstat(descriptor, &status) && S_ISREG(status.st_mode) && status.st_size > 0)
        bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    close(descriptor);
    if (bytes == MAP_FAILED) return false;
    *file = (struct file){ bytes, (size_t)status.st_size };
    return true;
}

/* ---- Reading it -------------------------------------------------------------------------- */

/* Copies bytes out of a file.  False if it has no such bytes. */
static bool read_bytes(const struct file *file, uint64_t offset, void *out, size_t size)
{
    if (offset > file->size || size > file->size - offset) return false;
    memcpy(out, file->bytes + offset, size);
    return true;
}

/* The text at an offset of a section of texts, or "" if there is none. */
static const char *text_at(const struct file *file, const Elf64_Shdr *texts, uint64_t offset)
{
    uint64_t begin = texts->sh_offset + offset;
    if (offset >= texts->sh_size || begin < offset || begin >= file->size) return "";
    const char *text = (const char *)file->bytes + begin;
    return memchr(text, 0, file->size - begin) ? text : "";
}

static bool read_section(const struct file *file, const Elf64_Ehdr *head, unsigned number,
                         Elf64_Shdr *section)
{
    return number < head->e_shnum &&
           read_bytes(file, head->e_shoff + (uint64_t)number * sizeof *section, section,
                      sizeof *section);
}

static bool needs_runtime(const struct file *file, const Elf64_Ehdr *head,
                          const Elf64_Shdr *dynamic)
{
    static const char runtime[] = "libcudart.so";
    Elf64_Shdr texts;
    Elf64_Dyn entry;
    if (!read_section(file, head, dynamic->sh_link, &texts)) return false;
    for (uint64_t at = 0; at + sizeof entry <= dynamic->sh_size; at += sizeof entry) {
        if (!read_bytes(file, dynamic->sh_offset + at, &entry, sizeof entry)) return false;
        if (entry.d_tag == DT_NEEDED &&
            !strncmp(text_at(file, &texts, entry.d_un.d_val), runtime, sizeof runtime - 1))
            return true;
    }
    return false;
}

static bool has_runtime(const struct file *file)
{
    Elf64_Ehdr head;
    Elf64_Shdr names, section;
    bool images = false;
    if (!read_bytes(file, 0, &head, sizeof head) || memcmp(head.e_ident, ELFMAG, SELFMAG) ||
        head.e_ident[EI_CLASS] != ELFCLASS64 || head.e_shentsize != sizeof section ||
        !read_section(file, &head, head.e_shstrndx, &names))
        return false;
    for (unsigned i = 0; i < head.e_shnum; i++) {
        if (!read_section(file, &head, i, &section)) return false;
        if (!strcmp(text_at(file, &names, section.sh_name), ".nv_fatbin")) images = true;
        if (section.sh_type == SHT_DYNAMIC && needs_runtime(file, &head, &section)) return false;
    }
    return images;
}

bool command_has_runtime_inside(const char *program)
{
    char path[COMMAND_PATH_MAX];
    struct file file;
    if (!find_program(program, path) || !map_file(path, &file)) return false;
    bool inside = has_runtime(&file);
    munmap((void *)(uintptr_t)file.bytes, file.size);
    return inside;
}
