/* SPDX-License-Identifier: Apache-2.0
 *
 * Where the stand-in and the runtime are.  An installed tree may have been moved as a
 * whole, so what counts is where this program is itself; then comes the build tree, and
 * last the folder that configure was told.
 */
#include "command/command.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool has_file(const char *folder, const char *below, const char *name)
{
    char path[COMMAND_PATH_MAX];
    int length = snprintf(path, sizeof path, "%s/%s/%s", folder, below, name);
    return length > 0 && (size_t)length < sizeof path && !access(path, R_OK);
}

static bool has_library(const char *folder, const char *below)
{
    return has_file(folder, below, "libcuda.so.1");
}

/* The folder of this program, without a slash at its end. */
static bool own_folder(char folder[COMMAND_PATH_MAX])
{
    ssize_t length = readlink("/proc/self/exe", folder, COMMAND_PATH_MAX);
    if (length <= 0 || length == COMMAND_PATH_MAX) return false;
    folder[length] = 0;
    char *slash = strrchr(folder, '/');
    if (!slash) return false;
    *slash = 0;
    return true;
}

/* How much of two paths is the same, in whole folders. */
static size_t shared_part(const char *a, const char *b)
{
    size_t shared = 0, i = 0;
    for (; a[i] && a[i] == b[i]; i++) {
        if (a[i] == '/') shared = i;
    }
    bool whole = (!a[i] || a[i] == '/') && (!b[i] || b[i] == '/');
    return whole ? i : shared;
}

/* Programs are in BINDIR and libraries in LIBDIR when nothing was moved: from `here`
 * the same way leads to the libraries.  False if `here` does not end as BINDIR does. */
static bool installed_folder(const char *here, char folder[COMMAND_PATH_MAX])
{
    size_t shared = shared_part(BINDIR, LIBDIR);
    const char *end = &BINDIR[shared];
    size_t length = strlen(here), ending = strlen(end);
    if (length < ending || strcmp(here + length - ending, end)) return false;
    int written = snprintf(folder, COMMAND_PATH_MAX, "%.*s%s/rill", (int)(length - ending), here,
                           &LIBDIR[shared]);
    return written > 0 && written < COMMAND_PATH_MAX;
}

static bool built_folder(const char *here, char folder[COMMAND_PATH_MAX])
{
    int written = snprintf(folder, COMMAND_PATH_MAX, "%s/../standin", here);
    return written > 0 && written < COMMAND_PATH_MAX;
}

/* Each driver has a folder of its own below `top`; the newest may be in `top` itself. */
static bool find_driver(const char *top, const char *driver, char folder[COMMAND_PATH_MAX])
{
    const char *below = driver;
    if (!has_library(top, driver)) {
        if (strcmp(driver, COMMAND_NEWEST) || !has_library(top, ".")) return false;
        below = ".";
    }
    int written = snprintf(folder, COMMAND_PATH_MAX, "%s/%s", top, below);
    return written > 0 && written < COMMAND_PATH_MAX;
}

/* The folder that has the newest driver and, below it, the others. */
static bool find_top(char top[COMMAND_PATH_MAX])
{
    char here[COMMAND_PATH_MAX], newest[COMMAND_PATH_MAX];
    if (own_folder(here)) {
        if (installed_folder(here, top) && find_driver(top, COMMAND_NEWEST, newest)) return true;
        if (built_folder(here, top) && find_driver(top, COMMAND_NEWEST, newest)) return true;
    }
    snprintf(top, COMMAND_PATH_MAX, "%s/rill", LIBDIR);
    return find_driver(top, COMMAND_NEWEST, newest);
}

bool command_find_standin(const char *verb, const char *driver, char folder[COMMAND_PATH_MAX])
{
    char top[COMMAND_PATH_MAX], found[COMMAND_PATH_MAX], drivers[256];
    if (!driver) driver = COMMAND_NEWEST;
    if (!find_top(top)) {
        command_fail(0, verb, "the stand-in is neither in %s nor where this program is", top);
        return false;
    }
    if (!find_driver(top, driver, found)) {
        command_list_drivers(drivers, sizeof drivers);
        command_fail(0, verb, "there is no driver %s; there are: " COMMAND_NEWEST "%s", driver,
                     drivers);
        return false;
    }
    if (!realpath(found, folder)) {
        command_fail(0, verb, "%s cannot be reached", found);
        return false;
    }
    return true;
}

/* Beside the newest driver where it is installed, in a folder of its own where it was built. */
bool command_find_runtime(char folder[COMMAND_PATH_MAX])
{
    static const char *const below[] = { ".", "../runtime" };
    char top[COMMAND_PATH_MAX], found[2 * COMMAND_PATH_MAX];
    if (!find_top(top)) return false;
    for (size_t i = 0; i < sizeof below / sizeof below[0]; i++) {
        if (!has_file(top, below[i], "libcudart.so.13")) continue;
        snprintf(found, sizeof found, "%s/%s", top, below[i]);
        return realpath(found, folder) != NULL;
    }
    return false;
}

bool command_find_sleep(char file[COMMAND_PATH_MAX])
{
    char top[COMMAND_PATH_MAX], found[2 * COMMAND_PATH_MAX];
    if (!find_top(top) || !has_file(top, ".", "librill-sleep.so")) return false;
    snprintf(found, sizeof found, "%s/librill-sleep.so", top);
    return realpath(found, file) && !strpbrk(file, ": ");
}

static int by_version(const struct dirent **a, const struct dirent **b)
{
    return strverscmp((*b)->d_name, (*a)->d_name);
}

static int is_older(const struct dirent *entry)
{
    const char *name = entry->d_name;
    return name[0] >= '0' && name[0] <= '9' && strcmp(name, COMMAND_NEWEST);
}

void command_list_drivers(char *text, size_t size)
{
    char top[COMMAND_PATH_MAX];
    struct dirent **entries;
    size_t used = 0;
    *text = 0;
    int count = find_top(top) ? scandir(top, &entries, is_older, by_version) : -1;
    for (int i = 0; i < count; i++) {
        const char *name = entries[i]->d_name;
        if (has_library(top, name) && used + strlen(name) + 2 < size)
            used += (size_t)sprintf(text + used, " %s", name);
        free(entries[i]);
    }
    if (count >= 0) free(entries);
}
