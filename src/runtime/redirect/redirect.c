/* SPDX-License-Identifier: Apache-2.0
 *
 * A library that `rill run` has loaded before a program.  Where the program, or a library, has
 * CUDA's runtime inside, it looks up the public names of the runtime in the file's table of
 * symbols, and lets each function begin with a jump to the function of that name in rill's
 * libcudart, before the first constructor of that file runs.  What has no such table is told by the
 * driver, which the runtime inside asks for its private tables.
 *
 * What the program starts with is loaded before any constructor runs, and the one here is the very
 * first (-z initfirst).  What the program loads later is seen by way of what debuggers use: the
 * loader calls a function that does nothing, _r_debug.r_brk of <link.h>, when libraries came and
 * none of their code ran yet.  That function gets a jump, too.  All of this is under the loader's
 * lock.
 */
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "jump.h"
#include "symbols.h"

/* The program, or a library. */
struct object {
    uintptr_t base;
    const char *name; /* "" for the program */
    struct symbols symbols;
};

/* ---- Words -------------------------------------------------------------------------------- */

/* Says what stands in the way; what to do is another thing for libraries. */
static void say(const struct object *object, const char *words, const char *program_can)
{
    if (*object->name)
        fprintf(stderr, "rill: %s has a CUDA runtime inside, and %s: link the library with -cudart "
                "shared, or with -cudart none and rill's libcudart.so\n", object->name, words);
    else
        fprintf(stderr, "rill: the program has a CUDA runtime inside, and %s%s\n", words,
                program_can);
}

/* ---- Code that can be written ------------------------------------------------------------- */

static int protect(uintptr_t at, size_t bytes, int protection)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), first = at & ~(page - 1);
    return !mprotect((void *)first, at + bytes - first, protection);
}

/* Gives all code of an object its protection at once: a call of the system for each jump would
 * take longer than the rest. */
static int protect_code(const struct object *object, int protection)
{
    const Elf64_Phdr *part;
    int done = 1;
    for (unsigned n = 0; (part = symbols_part(&object->symbols, n)); n++)
        if (part->p_flags & PF_X)
            done &= protect(object->base + part->p_vaddr, part->p_memsz, protection);
    return done;
}

/* ---- One object --------------------------------------------------------------------------- */

/* A name of 12 that 13 no longer has, one that 11 did not have yet, and one that 10 did not. */
static const char *library_for(const struct symbols *symbols)
{
    if (symbols_has(symbols, "cudaGetDeviceProperties_v2")) return "libcudart.so.12";
    if (symbols_has(symbols, "cudaInitDevice")) return "libcudart.so.13";
    return symbols_has(symbols, "cudaStreamGetAttribute") ? "libcudart.so.11.0" : NULL;
}

/* Returns how many functions have no room for a jump. */
static unsigned write_jumps(const struct object *object, void *library)
{
    const struct symbols *symbols = &object->symbols;
    unsigned left = 0;
    for (size_t i = 0; i < symbols->count; i++) {
        const char *name = symbols_function(symbols, i);
        void *target = name ? dlsym(library, name) : NULL;
        uintptr_t at = object->base + symbols->table[i].st_value;
        if (target && !jump_write(at, symbols_room(symbols, i), target)) left++;
    }
    return left;
}

static void redirect_to(const struct object *object, void *library)
{
    int written = protect_code(object, PROT_READ | PROT_WRITE | PROT_EXEC) &&
                  !write_jumps(object, library);
    protect_code(object, PROT_READ | PROT_EXEC);
    if (!written) say(object, "its code cannot be written", ": compile it with -cudart shared");
}

static void redirect(const struct object *object)
{
    const char *name = library_for(&object->symbols);
    void *library = name ? dlopen(name, RTLD_NOW) : NULL;
    if (library)
        redirect_to(object, library);
    else if (name)
        say(object, "rill's own was not found", "");
    else
        say(object, "it is older than CUDA 11",
            ": compile it with nvcc 11 to 13, or with rill cc");
}

/* A runtime that is a library of its own was found by its name. */
static int is_runtime(const char *file)
{
    static const char runtime[] = "libcudart.so";
    const char *slash = strrchr(file, '/');
    return !strncmp(slash ? slash + 1 : file, runtime, sizeof runtime - 1);
}

static void look_at(const struct link_map *map)
{
    const char *name = map == _r_debug.r_map ? "" : map->l_name;
    struct object object = { .base = map->l_addr, .name = name };
    if (is_runtime(name) ||
        !symbols_open(&object.symbols, *name ? name : "/proc/self/exe"))
        return;
    if (symbols_has(&object.symbols, "__cudaRegisterFatBinary")) redirect(&object);
    symbols_close(&object.symbols);
}

/* ---- All of them -------------------------------------------------------------------------- */

/* The last object that was looked at; new ones come behind it. */
static const struct link_map *last_seen;

static const struct link_map *last_of(const struct link_map *map)
{
    while (map->l_next) map = map->l_next;
    return map;
}

/* To redirect may load rill's runtime, which comes here again: what is new is told first. */
static void look_at_new(void)
{
    const struct link_map *map = last_seen ? last_seen->l_next : _r_debug.r_map;
    if (!map) return;
    const struct link_map *last = last_seen = last_of(map);
    for (;; map = map->l_next) {
        look_at(map);
        if (map == last) return;
    }
}

/* Takes the place of _r_debug.r_brk.  Before objects go, it is called with RT_DELETE, and with
 * RT_CONSISTENT behind that. */
static void loader_changed(void)
{
    static int go;
    if (_r_debug.r_state == RT_DELETE) go = 1;
    if (_r_debug.r_state != RT_CONSISTENT) return;
    if (go)
        last_seen = last_of(_r_debug.r_map);
    else
        look_at_new();
    go = 0;
}

/* Where the loader cannot be hooked, libraries that come later stay as they are, and the driver
 * says what to do when they call it. */
static void follow_loader(void)
{
    uintptr_t at = (uintptr_t)_r_debug.r_brk;
    const size_t room = 16; /* up to where the next function may begin */
    if (!at || at % room || !protect(at, room, PROT_READ | PROT_WRITE | PROT_EXEC)) return;
    jump_write(at, room, (void *)(uintptr_t)loader_changed);
    protect(at, room, PROT_READ | PROT_EXEC);
}

/* The C library has not begun either, and knows no variables yet: what is loaded here would not
 * find its settings.  The loader gives constructors what main() gets. */
__attribute__((constructor)) static void begin(int argc, char **argv, char **variables)
{
    (void)argc, (void)argv;
    if (!environ) environ = variables;
    look_at_new();
    follow_loader();
}
