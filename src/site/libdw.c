/* SPDX-License-Identifier: Apache-2.0 */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "site/libdw.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

#define ENTRY(name) { #name, offsetof(struct cs_libdw, name) }

static const struct {
    const char *name;
    size_t offset;
} entries[] = {
    ENTRY(dwfl_begin), ENTRY(dwfl_end), ENTRY(dwfl_report_elf), ENTRY(dwfl_report_end),
    ENTRY(dwfl_standard_find_debuginfo), ENTRY(dwfl_build_id_find_debuginfo),
    ENTRY(dwfl_module_addrname), ENTRY(dwfl_module_addrdie), ENTRY(dwfl_module_nextcu),
    ENTRY(dwarf_haspc), ENTRY(dwarf_getsrc_die), ENTRY(dwarf_linesrc), ENTRY(dwarf_lineno),
    ENTRY(dwarf_getscopes), ENTRY(dwarf_getscopes_die), ENTRY(dwarf_tag), ENTRY(dwarf_diename),
    ENTRY(dwarf_attr), ENTRY(dwarf_formstring), ENTRY(dwarf_formudata),
    ENTRY(dwarf_getsrcfiles), ENTRY(dwarf_filesrc),
};

static struct cs_libdw functions;
static bool is_complete;

static void load_functions(void)
{
    void *library = dlopen("libdw.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) return;
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        void *function = dlsym(library, entries[i].name);
        if (!function) {
            dlclose(library);
            return;
        }
        memcpy((char *)&functions + entries[i].offset, &function, sizeof function);
    }
    is_complete = true;
}

const struct cs_libdw *cs_libdw(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load_functions);
    return is_complete ? &functions : NULL;
}
