/* SPDX-License-Identifier: Apache-2.0
 *
 * libdw of elfutils, which reads debug information.
 *
 * Why libdw: every distribution has it as a package with a stable name (perf and systemd
 * need it, so it is mostly there), its symbols have kept their versions since 2009, and it
 * reads DWARF 5, compressed sections, and debug information in separate files.  libbacktrace
 * is smaller and under a license without conditions, but most distributions have no shared
 * library of it: it would have to be copied into this tree.
 *
 * Why it is loaded at the first report rather than linked: the library needs nothing but libc
 * then, programs that are never told a line do not load it, and libdw's license (LGPL 3 or
 * GPL 2) asks nothing of those who link librill.a.  Loading needs no header of libdw either;
 * tests/layer-check/test_site_libdw.c holds these declarations against it.
 */
#ifndef CS_LIBDW_H
#define CS_LIBDW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct Dwfl;
struct Dwfl_Module;
struct Dwarf_Line_s;
struct Dwarf_Files_s;

/* An entry of the debug information.  libdw fills it in. */
struct cs_die {
    void *addr, *cu, *abbrev;
    long padding;
};

/* An attribute of an entry. */
struct cs_die_attribute {
    unsigned code, form;
    unsigned char *value;
    void *cu;
};

typedef int cs_find_elf_fn(struct Dwfl_Module *module, void **data, const char *name,
                           uint64_t base, char **path, void **elf);
typedef int cs_find_debug_fn(struct Dwfl_Module *module, void **data, const char *name,
                             uint64_t base, const char *path, const char *link, uint32_t crc,
                             char **debug_path);

struct cs_dwfl_callbacks {
    cs_find_elf_fn *find_elf;
    cs_find_debug_fn *find_debuginfo;
    int (*section_address)(void);
    char **debuginfo_path;
};

/* The functions of libdw, by the names that they have there. */
struct cs_libdw {
    struct Dwfl *(*dwfl_begin)(const struct cs_dwfl_callbacks *callbacks);
    void (*dwfl_end)(struct Dwfl *dwfl);
    struct Dwfl_Module *(*dwfl_report_elf)(struct Dwfl *dwfl, const char *name, const char *path,
                                           int fd, uint64_t base, bool add_p_vaddr);
    int (*dwfl_report_end)(struct Dwfl *dwfl, int (*removed)(void), void *data);
    cs_find_debug_fn *dwfl_standard_find_debuginfo, *dwfl_build_id_find_debuginfo;
    const char *(*dwfl_module_addrname)(struct Dwfl_Module *module, uint64_t address);
    struct cs_die *(*dwfl_module_addrdie)(struct Dwfl_Module *module, uint64_t address,
                                          uint64_t *bias);
    struct cs_die *(*dwfl_module_nextcu)(struct Dwfl_Module *module, struct cs_die *last,
                                         uint64_t *bias);
    int (*dwarf_haspc)(struct cs_die *die, uint64_t address);
    struct Dwarf_Line_s *(*dwarf_getsrc_die)(struct cs_die *unit, uint64_t address);
    const char *(*dwarf_linesrc)(struct Dwarf_Line_s *line, uint64_t *time, uint64_t *length);
    int (*dwarf_lineno)(struct Dwarf_Line_s *line, int *number);
    int (*dwarf_getscopes)(struct cs_die *unit, uint64_t address, struct cs_die **scopes);
    int (*dwarf_getscopes_die)(struct cs_die *die, struct cs_die **scopes);
    int (*dwarf_tag)(struct cs_die *die);
    const char *(*dwarf_diename)(struct cs_die *die);
    struct cs_die_attribute *(*dwarf_attr)(struct cs_die *die, unsigned name,
                                           struct cs_die_attribute *attribute);
    const char *(*dwarf_formstring)(struct cs_die_attribute *attribute);
    int (*dwarf_formudata)(struct cs_die_attribute *attribute, uint64_t *value);
    int (*dwarf_getsrcfiles)(struct cs_die *unit, struct Dwarf_Files_s **files, size_t *count);
    const char *(*dwarf_filesrc)(struct Dwarf_Files_s *files, size_t index, uint64_t *time,
                                 uint64_t *length);
};

/* Returns the functions, or NULL if there is no libdw here.  Loads it the first time. */
const struct cs_libdw *cs_libdw(void);

#endif
