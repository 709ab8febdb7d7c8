/* SPDX-License-Identifier: Apache-2.0
 *
 * The libcuda.so.1 of an older driver: the names that it had, and no more, since programs bind the
 * newest form of a call that they find.  Each name is a jump (jump.h) into the newest library, in
 * the folder above, which plays that driver.
 *
 * That library is loaded by itself and not linked with this one: what is linked is searched by
 * dlsym() with this one's handle, and would show the names that are to be missing.
 */
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "standin/library/play.h"
#include "standin/older/jump.h"

/* Written while this library is loaded, before anybody can call it. */
void (*si_older_places[SI_PLACES])(void);
static void *newest;

enum { CANNOT_INIT = 303 }; /* CUDA_ERROR_SHARED_OBJECT_INIT_FAILED */

static int refuse(void)
{
    return CANNOT_INIT;
}

/* What a link leads to counts, not where the link is. */
static int find_newest(char path[PATH_MAX + 16])
{
    Dl_info here;
    if (!dladdr(si_older_places, &here) || !realpath(here.dli_fname, path)) return 0;
    for (int up = 0; up < 2; up++) {
        char *end = strrchr(path, '/');
        if (!end) return 0;
        *end = 0;
    }
    strcat(path, "/libcuda.so.1");
    return 1;
}

static int play(void)
{
    si_play_fn *play_driver = (si_play_fn *)dlsym(newest, SI_PLAY_NAME);
    return play_driver && play_driver(SI_PROFILE, si_older_places, SI_PLACES);
}

/* A library cannot refuse to be loaded, but it can say why nothing works. */
__attribute__((constructor)) static void load_newest(void)
{
    char path[PATH_MAX + 16];
    const char *why = "it does not know its own place";
    if (find_newest(path)) {
        newest = dlopen(path, RTLD_NOW | RTLD_LOCAL);
        why = newest ? "the library above its folder is not of the same build" : dlerror();
    }
    if (newest && play()) return;
    fprintf(stderr, "rill: this libcuda.so.1 of an older driver leads to the one above its folder, "
                    "but %s\n", why);
    for (size_t i = 0; i < SI_PLACES; i++) si_older_places[i] = (void (*)(void))refuse;
}

/* Where the process ends it stays: its threads may still be inside. */
__attribute__((destructor)) static void unload_newest(void)
{
    if (!newest) return;
    si_is_over_fn *is_over = (si_is_over_fn *)dlsym(newest, SI_IS_OVER_NAME);
    if (is_over && !is_over()) dlclose(newest);
}
