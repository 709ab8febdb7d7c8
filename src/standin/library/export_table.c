/* SPDX-License-Identifier: Apache-2.0
 *
 * Private tables of the driver, which NVIDIA's runtime asks for and which are not imitated: whose
 * runtime that is, and what to do about it, is said.  Others ask as well and do without, as NVRTC
 * does; they bring no code for devices.
 */
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/thread.h"
#include "standin/abi/log.h"
#include "standin/object/entry.h"

/* Tells whether a file has a section of that name. */
static int has_section(const char *bytes, size_t size, const char *name)
{
    const Elf64_Ehdr *head = (const void *)bytes;
    if (size < sizeof *head || head->e_shentsize != sizeof(Elf64_Shdr) || head->e_shoff > size ||
        head->e_shnum > (size - head->e_shoff) / sizeof(Elf64_Shdr) ||
        head->e_shstrndx >= head->e_shnum)
        return 0;
    const Elf64_Shdr *sections = (const void *)(bytes + head->e_shoff);
    const Elf64_Shdr *names = &sections[head->e_shstrndx];
    size_t length = strlen(name) + 1;
    if (names->sh_offset > size || names->sh_size > size - names->sh_offset) return 0;
    for (unsigned i = 0; i < head->e_shnum; i++)
        if (names->sh_size >= length && sections[i].sh_name <= names->sh_size - length &&
            !memcmp(bytes + names->sh_offset + sections[i].sh_name, name, length))
            return 1;
    return 0;
}

static int has_images(const char *path)
{
    struct stat status;
    void *bytes = MAP_FAILED;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    if (!fstat(file, &status) && status.st_size > 0)
        bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    close(file);
    if (bytes == MAP_FAILED) return 0;
    int has = has_section(bytes, (size_t)status.st_size, ".nv_fatbin");
    munmap(bytes, (size_t)status.st_size);
    return has;
}

/* Says why the runtime that is in a file, "" for the program, cannot run. */
static void tell_runtime(const char *file)
{
    static const char shared[] = "libcudart.so", redirect[] = "libcudart-redirect.so";
    const char *preloaded = rl_getenv("LD_PRELOAD"), *slash = strrchr(file, '/');
    if (!*file && preloaded && strstr(preloaded, redirect))
        si_log("the program has a CUDA runtime inside, and no symbols that tell where: do not "
               "strip it, or compile it with -cudart shared");
    else if (!*file)
        si_log("the program has a CUDA runtime inside, which needs NVIDIA's driver: rill run "
               "redirects it, or link it with -cudart shared");
    else if (!strncmp(slash ? slash + 1 : file, shared, sizeof shared - 1))
        si_log("%s is NVIDIA's and needs NVIDIA's driver: let the loader find rill's first, which "
               "rill run puts into LD_LIBRARY_PATH, or take the RPATH away that leads there",
               file);
    else if (has_images(file))
        si_log("%s has a CUDA runtime inside, which rill run redirects if the library is not "
               "stripped; else link it with -cudart shared, or with -cudart none and rill's "
               "libcudart.so", file);
}

/* Returns the file that the code at an address is from, "" for the program itself, or NULL. */
static const char *file_of(void *address)
{
    Dl_info info;
#ifdef RTLD_DL_LINKMAP
    void *map = NULL;
    if (!dladdr1(address, &info, &map, RTLD_DL_LINKMAP) || !map) return NULL;
    return ((const struct link_map *)map)->l_name;
#else
    Dl_info program;
    if (!dladdr(address, &info)) return NULL;
    bool is_program = dladdr((void *)(uintptr_t)getauxval(AT_ENTRY), &program) &&
                      program.dli_fbase == info.dli_fbase;
    return is_program ? "" : info.dli_fname;
#endif
}

SI_EXPORT CUresult cuGetExportTable(const void **table, const CUuuid *id);
SI_EXPORT CUresult cuGetExportTable(const void **table, const CUuuid *id)
{
    const char *file = file_of(__builtin_return_address(0));
    (void)table;
    (void)id;
    if (file) tell_runtime(file);
    si_log_failure("cuGetExportTable", RILL_ERROR_NOT_SUPPORTED);
    return RILL_ERROR_NOT_SUPPORTED;
}
