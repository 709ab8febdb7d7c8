/* SPDX-License-Identifier: Apache-2.0
 *
 * The library that `rill run` loads before a program.  Where the program, or a library, has
 * CUDA's runtime inside, it looks up the public names of the runtime in the file's table of
 * symbols, and lets each function begin with a jump to the function of that name in rill's
 * libcudart, before the first constructor of that file runs.  What has no such table is told by the
 * driver, which the runtime inside asks for its private tables.  NVRTC and nvJitLink are seen here
 * as well (compiler.h, jit_link.h).
 *
 * What the program starts with is loaded before any constructor runs, and the one here is the very
 * first (-z initfirst).  What the program loads later is seen by way of what debuggers use: the
 * loader calls a function that does nothing, r_brk in the r_debug of <link.h>, when libraries came
 * and none of their code ran yet.  That function gets a jump, too.  All of this is under the
 * loader's lock.
 */
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "compiler.h"
#include "jit_link.h"
#include "jump.h"
#include "object.h"

/* What the loader has for debuggers.  musl declares only the type, and may have its functions so
 * close together that a jump would reach into the next one. */
#ifdef __GLIBC__
#define LOADER (&_r_debug)
#define HAS_ROOM 1
#else
extern struct r_debug *_dl_debug_addr;
#define LOADER _dl_debug_addr
#define HAS_ROOM 0
#endif

/* ---- Words -------------------------------------------------------------------------------- */

/* Says why an object cannot be redirected, and what to do, which differs between programs and
 * libraries. */
static void say(const struct object *object, const char *words, const char *program_can)
{
    if (*object->name)
        fprintf(stderr, "rill: %s has a CUDA runtime inside, and %s: link the library with -cudart "
                "shared, or with -cudart none and rill's libcudart.so\n", object->name, words);
    else
        fprintf(stderr, "rill: the program has a CUDA runtime inside, and %s%s\n", words,
                program_can);
}

/* ---- One object --------------------------------------------------------------------------- */

static int has(const struct symbols *symbols, const char *function)
{
    return symbols_find(symbols, function) < symbols->count;
}

/* Returns the name of rill's library for the version of a runtime, or NULL if that is too old.
 * Version 12 has a name that 13 no longer has, 13 one that 11 did not have yet, and 11 one that 10
 * did not. */
static const char *library_for(const struct symbols *symbols)
{
    if (has(symbols, "cudaGetDeviceProperties_v2")) return "libcudart.so.12";
    if (has(symbols, "cudaInitDevice")) return "libcudart.so.13";
    return has(symbols, "cudaStreamGetAttribute") ? "libcudart.so.11.0" : NULL;
}

static int is_of_runtime(const char *function)
{
    return !strncmp(function, "cuda", 4) || !strncmp(function, "__cuda", 6);
}

/* Returns the function of that name in rill's runtime, or NULL. */
static const void *find_in_library(const char *function, void *library)
{
    return is_of_runtime(function) ? dlsym(library, function) : NULL;
}

static void redirect_to(const struct object *object, void *library)
{
    if (!object_redirect(object, find_in_library, library))
        say(object, "its code cannot be written", ": compile it with -cudart shared");
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

static void look_at(const struct link_map *map)
{
    const char *name = map == LOADER->r_map ? "" : map->l_name;
    const int bare = compiler_is_named(name) || jit_link_is_named(name);
    const unsigned table = bare ? SHT_DYNSYM : SHT_SYMTAB;
    struct object object = { .base = map->l_addr, .name = name };
    /* A runtime that is a library of its own was found by its name. */
    if (file_begins(name, "libcudart.so") ||
        !symbols_open(&object.symbols, *name ? name : "/proc/self/exe", table))
        return;
    if (has(&object.symbols, "__cudaRegisterFatBinary")) redirect(&object);
    compiler_give_text(&object);
    jit_link_replace(&object);
    symbols_close(&object.symbols);
}

/* ---- All of them -------------------------------------------------------------------------- */

/* The last object that was looked at; new ones come after it.  The loader's lock protects it: all
 * of this runs inside calls of the loader. */
static const struct link_map *last_seen;

static const struct link_map *last_of(const struct link_map *map)
{
    while (map->l_next) map = map->l_next;
    return map;
}

/* Looks at all objects that are new.  A redirection may load rill's runtime, for which this is
 * called again: so `last_seen` is stored before. */
static void look_at_new(void)
{
    const struct link_map *map = last_seen ? last_seen->l_next : LOADER->r_map;
    if (!map) return;
    const struct link_map *last = last_seen = last_of(map);
    for (;; map = map->l_next) {
        look_at(map);
        if (map == last) return;
    }
}

/* Takes the place of r_brk.  The loader calls it with RT_DELETE before it unloads objects, and with
 * RT_CONSISTENT afterwards. */
static void loader_changed(void)
{
    static int unloads; /* objects are about to go; the loader's lock */
    if (LOADER->r_state == RT_DELETE) unloads = 1;
    if (LOADER->r_state != RT_CONSISTENT) return;
    if (unloads)
        last_seen = last_of(LOADER->r_map);
    else
        look_at_new();
    unloads = 0;
}

/* Where the loader cannot be hooked, libraries that come later stay as they are, and the driver
 * says what to do when they call it. */
static void follow_loader(void)
{
    uintptr_t at = (uintptr_t)LOADER->r_brk;
    const size_t room = 16; /* up to where the next function may begin */
    if (!HAS_ROOM || !at || at % room ||
        !code_protect(at, room, PROT_READ | PROT_WRITE | PROT_EXEC))
        return;
    jump_write(at, room, (void *)(uintptr_t)loader_changed);
    code_protect(at, room, PROT_READ | PROT_EXEC);
}

/* Gives the C library, which has not begun either, the environment: without it, what is loaded here
 * would not find its settings.  The loader passes to constructors what main() gets. */
__attribute__((constructor)) static void begin(int argc, char **argv, char **variables)
{
    (void)argc, (void)argv;
    if (!environ) environ = variables;
    look_at_new();
    follow_loader();
}
