/* SPDX-License-Identifier: Apache-2.0
 *
 * Tells sites as file and line, with libdw.
 */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include <link.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/lock.h"
#include "base/thread.h"
#include "site/libdw.h"
#include "site/path.h"
#include "site/plain.h"
#include "site/python.h"
#include "site/stack.h"

/* ---- Modules ------------------------------------------------------------------------------- */

/* A program or shared library that was asked about. */
struct module {
    struct module *next;
    uintptr_t base; /* what is added to its addresses */
    char *path;
    const char *name;
    struct Dwfl *session; /* of libdw, with this one module; or NULL */
    struct Dwfl_Module *debug;
};

static struct rl_lock source_lock;
static struct module *modules; /* by source_lock */
static atomic_bool libdw_is_missing;

struct place {
    uintptr_t address, base;
    const char *name;
};

static int find_place(struct dl_phdr_info *info, size_t size, void *data)
{
    struct place *place = data;
    (void)size;
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        if (part->p_type != PT_LOAD) continue;
        if (place->address - (info->dlpi_addr + part->p_vaddr) >= part->p_memsz) continue;
        place->base = info->dlpi_addr;
        place->name = info->dlpi_name ? info->dlpi_name : "";
        return 1;
    }
    return 0;
}

/* Returns the path of a module; the program's own is empty. */
static char *path_of(const char *name)
{
    static const char own[] = "/proc/self/exe";
    char path[4096];
    if (*name) return rl_strdup(name);
    ssize_t length = readlink(own, path, sizeof path - 1);
    path[length < 0 ? 0 : length] = '\0';
    return rl_strdup(access(path, R_OK) ? own : path);
}

static int find_no_elf(struct Dwfl_Module *module, void **data, const char *name, uint64_t base,
                       char **path, void **elf)
{
    (void)module, (void)data, (void)name, (void)base, (void)path, (void)elf;
    return -1;
}

/* libdw's usual search goes on to servers where this variable names some.  A report shall not
 * wait for a network: what is on this machine must do. */
static int find_debug_file(struct Dwfl_Module *module, void **data, const char *name,
                           uint64_t base, const char *path, const char *link, uint32_t crc,
                           char **debug_path)
{
    const char *servers = rl_getenv("DEBUGINFOD_URLS");
    cs_find_debug_fn *find = servers && *servers ? cs_libdw()->dwfl_build_id_find_debuginfo :
                                                   cs_libdw()->dwfl_standard_find_debuginfo;
    return find(module, data, name, base, path, link, crc, debug_path);
}

static void open_debug_information(struct module *module)
{
    static const struct cs_dwfl_callbacks callbacks = {
        .find_elf = find_no_elf, .find_debuginfo = find_debug_file,
    };
    const struct cs_libdw *dw = cs_libdw();
    if (!dw) {
        atomic_store(&libdw_is_missing, true);
        return;
    }
    module->session = dw->dwfl_begin(&callbacks);
    if (!module->session) return;
    module->debug = dw->dwfl_report_elf(module->session, module->name, module->path, -1,
                                        module->base, true);
    dw->dwfl_report_end(module->session, NULL, NULL);
}

static struct module *create_module(const struct place *place)
{
    struct module *module = rl_zalloc(sizeof *module);
    if (!module) return NULL;
    module->path = path_of(place->name);
    if (!module->path) {
        rl_free(module);
        return NULL;
    }
    const char *slash = strrchr(module->path, '/');
    module->name = slash ? slash + 1 : module->path;
    module->base = place->base;
    open_debug_information(module);
    module->next = modules;
    modules = module;
    return module;
}

/* Finds the module of an address among those that are loaded now.  Requires source_lock. */
static struct module *find_module(uintptr_t address)
{
    struct place place = { .address = address };
    if (!dl_iterate_phdr(find_place, &place)) return NULL;
    for (struct module *module = modules; module; module = module->next)
        if (module->base == place.base && (!*place.name || !strcmp(module->path, place.name)))
            return module;
    return create_module(&place);
}

/* ---- Lines --------------------------------------------------------------------------------- */

enum { UNIT_FOLDER = 0x1b, CALL_FILE = 0x58, CALL_LINE = 0x59 }; /* DW_AT_* */
enum { INLINED = 0x1d, FUNCTION = 0x2e };                         /* DW_TAG_* */

struct spot {
    const char *file, *function; /* libdw's */
    int line;
};

/* Returns whether a file is a header whose functions stand in for calls: the library's own for C++,
 * or the runtime's. */
static bool is_header_of_calls(const char *file)
{
    return strstr(file, "/rill/hpp/") || strstr(file, "/rill/rill.hpp") ||
           strstr(file, "/cuda_runtime.h") || strstr(file, "/cuda_runtime_api.h");
}

static uint64_t number_of(struct cs_die *die, unsigned name)
{
    struct cs_die_attribute attribute;
    uint64_t value = 0;
    if (!cs_libdw()->dwarf_attr(die, name, &attribute)) return 0;
    return cs_libdw()->dwarf_formudata(&attribute, &value) ? 0 : value;
}

/* Moves a spot from an inlined function to where that function is called. */
static void go_to_call(struct spot *spot, struct cs_die *unit, struct cs_die *inlined)
{
    struct Dwarf_Files_s *files;
    size_t count;
    uint64_t file = number_of(inlined, CALL_FILE);
    if (cs_libdw()->dwarf_getsrcfiles(unit, &files, &count) || file >= count) return;
    spot->file = cs_libdw()->dwarf_filesrc(files, file, NULL, NULL);
    spot->line = (int)number_of(inlined, CALL_LINE);
}

/* Finds the entries around an address of a unit: what is inlined there, the innermost first,
 * and the function that all is inlined into.  Returns their number. */
static int find_scopes(struct cs_die *unit, uint64_t address, struct cs_die **scopes)
{
    struct cs_die *innermost = NULL;
    int count = cs_libdw()->dwarf_getscopes(unit, address, &innermost);
    if (count > 0) count = cs_libdw()->dwarf_getscopes_die(&innermost[0], scopes);
    free(innermost); /* libdw's malloc() */
    return count;
}

/* Finds the function that the first spot is in, the innermost one if it is inlined.  Where that is
 * in a header of calls, goes on to the function that it was inlined into.  Each other
 * spot is the call of the one before it, as long as that is inlined.  Returns how many there
 * are. */
static size_t find_functions(struct spot *spots, size_t room, struct cs_die *unit,
                             uint64_t address)
{
    const struct cs_libdw *dw = cs_libdw();
    struct cs_die *scopes = NULL;
    int count = find_scopes(unit, address, &scopes);
    size_t at = 0;
    for (int i = 0; i < count && at < room; i++) {
        int tag = dw->dwarf_tag(&scopes[i]);
        if (tag == INLINED && spots[at].file && is_header_of_calls(spots[at].file)) {
            go_to_call(&spots[at], unit, &scopes[i]);
        } else if (tag == INLINED || tag == FUNCTION) {
            spots[at++].function = dw->dwarf_diename(&scopes[i]);
            if (tag == FUNCTION) break;
            if (at < room) go_to_call(&spots[at], unit, &scopes[i]);
        }
    }
    free(scopes);
    return at;
}

/* Finds the compilation unit of an address.  The index that libdw looks into first has no entry
 * for units of clang, and then names another one. */
static struct cs_die *find_unit(struct module *module, uint64_t address, uint64_t *bias)
{
    const struct cs_libdw *dw = cs_libdw();
    struct cs_die *unit = dw->dwfl_module_addrdie(module->debug, address, bias);
    if (unit && dw->dwarf_haspc(unit, address - *bias) > 0) return unit;
    unit = NULL;
    while ((unit = dw->dwfl_module_nextcu(module->debug, unit, bias)))
        if (dw->dwarf_haspc(unit, address - *bias) > 0) return unit;
    return NULL;
}

static const char *folder_of(struct cs_die *unit)
{
    struct cs_die_attribute attribute;
    return cs_libdw()->dwarf_formstring(cs_libdw()->dwarf_attr(unit, UNIT_FOLDER, &attribute));
}

/* Has a source say where a spot is. */
static void put_spot(struct cs_source *source, const struct spot *spot, struct cs_die *unit)
{
    source->function = spot->function;
    if (!spot->file || spot->line <= 0) return;
    source->file = cs_short_path(spot->file, folder_of(unit));
    source->line = source->file ? spot->line : 0;
}

/* Fills in what the debug information says of an address of a module: the first source, and after
 * it the calls of what is inlined there.  Returns how many there are. */
static size_t find_lines(struct cs_source *sources, size_t room, struct module *module,
                         uint64_t address)
{
    const struct cs_libdw *dw = cs_libdw();
    struct spot spots[CS_FRAMES_MAX] = { { .file = NULL } };
    uint64_t bias = 0;
    size_t count = 0;
    if (!module->debug) return 1;
    struct cs_die *unit = find_unit(module, address, &bias);
    struct Dwarf_Line_s *line = unit ? dw->dwarf_getsrc_die(unit, address - bias) : NULL;
    if (line && !dw->dwarf_lineno(line, &spots[0].line))
        spots[0].file = dw->dwarf_linesrc(line, NULL, NULL);
    if (unit) count = find_functions(spots, room, unit, address - bias);
    if (!spots[0].function) spots[0].function = dw->dwfl_module_addrname(module->debug, address);
    for (size_t i = 0; i < count || !i; i++) put_spot(&sources[i], &spots[i], unit);
    return count ? count : 1;
}

/* ---- What was found ------------------------------------------------------------------------ */

#define BUCKETS 256

struct found {
    struct found *next;
    const void *site;
    char *plain; /* the name of the first function, if the symbol's is a C++ compiler's; or NULL */
    size_t count;
    struct cs_source sources[]; /* the call, and around it the calls of functions that are inlined;
                                   `file` is this record's own                             */
};

static struct found *found_sources[BUCKETS]; /* by source_lock */

static struct found **bucket_of(const void *site)
{
    return &found_sources[((uintptr_t)site ^ (uintptr_t)site >> 8) % BUCKETS];
}

/* Requires source_lock. */
static const struct found *look_up(const void *site)
{
    struct found *found = *bucket_of(site);
    while (found && found->site != site) found = found->next;
    return found;
}

/* Tells a function by its plain name, where only the linker's is known, a lambda's mostly, or by a
 * short one. */
static void make_plain(struct found *found)
{
    char plain[256];
    const char *function = found->sources[0].function;
    if (!function || (strncmp(function, "_Z", 2) && strlen(function) <= CS_LONG_NAME)) return;
    cs_plain_name(function, plain, sizeof plain);
    found->plain = rl_strdup(plain);
    if (found->plain) found->sources[0].function = found->plain;
}

/* Requires source_lock. */
static const struct found *find_out(const void *site)
{
    uintptr_t call = (uintptr_t)site - 1; /* a byte of the call that returns there */
    const size_t room = 1 + atomic_load(&cs_kept_callers);
    struct module *module = find_module(call);
    struct found *found =
        module ? rl_zalloc(sizeof *found + room * sizeof found->sources[0]) : NULL;
    if (!found) return NULL;
    found->site = site;
    found->count = find_lines(found->sources, room, module, call);
    make_plain(found);
    for (size_t i = 0; i < found->count; i++) {
        found->sources[i].module = module->name;
        found->sources[i].offset = (uintptr_t)site - module->base;
    }
    found->next = *bucket_of(site);
    *bucket_of(site) = found;
    return found;
}

/* Finds the source of a call alone, and of the calls of inlined functions around it.  Returns how
 * many there are, at most `room`, of which the first is set in any case. */
static size_t find_sources(const void *site, struct cs_source *sources, size_t room)
{
    sources[0] = (struct cs_source){ .offset = (uintptr_t)site };
    if (!site) return 0;
    if (cs_is_python_site(site, sources)) return 1;
    rl_lock(&source_lock);
    const struct found *found = look_up(site);
    if (!found) found = find_out(site);
    size_t count = !found ? 0 : found->count < room ? found->count : room;
    if (count) memcpy(sources, found->sources, count * sizeof *sources);
    rl_unlock(&source_lock);
    return count;
}

bool cs_find_source(const void *site, struct cs_source *source)
{
    return find_sources(cs_site_alone(site), source, 1);
}

bool cs_find_function(uintptr_t address, char *name, size_t room)
{
    rl_lock(&source_lock);
    const struct module *module = find_module(address);
    const char *found = module && module->debug
        ? cs_libdw()->dwfl_module_addrname(module->debug, address) : NULL;
    bool fits = found && strlen(found) < room;
    if (fits) strcpy(name, found);
    rl_unlock(&source_lock);
    return fits;
}

size_t cs_find_callers(const void *site, struct cs_source *callers, size_t room)
{
    const struct cs_stack *stack = cs_stack_of(site);
    struct cs_source all[2 * CS_FRAMES_MAX]; /* the call, and all that its callers may be */
    size_t count = find_sources(cs_site_alone(site), all, CS_FRAMES_MAX);
    if (room > CS_CALLERS_MAX) room = CS_CALLERS_MAX;
    for (size_t i = 1; stack && i < stack->count && count <= room; i++)
        count += find_sources(stack->frames[i], all + count, CS_FRAMES_MAX);
    if (count) count--;
    if (count > room) count = room;
    memcpy(callers, all + 1, count * sizeof *callers);
    return count;
}

const char *cs_source_hint(void)
{
    if (!atomic_load(&libdw_is_missing)) return NULL;
    return "there is no libdw.so.1, so places are told as module and offset; to get file and "
           "line, install libdw of elfutils (Debian: libdw1, Fedora: elfutils-libs)";
}

static void forget_modules(void)
{
    while (modules) {
        struct module *module = modules;
        modules = module->next;
        if (module->session) cs_libdw()->dwfl_end(module->session);
        rl_free(module->path);
        rl_free(module);
    }
}

void cs_forget_sources(void)
{
    rl_lock(&source_lock);
    for (size_t i = 0; i < BUCKETS; i++)
        while (found_sources[i]) {
            struct found *found = found_sources[i];
            found_sources[i] = found->next;
            for (size_t at = 0; at < found->count; at++)
                rl_free((char *)found->sources[at].file);
            rl_free(found->plain);
            rl_free(found);
        }
    forget_modules();
    rl_unlock(&source_lock);
}
