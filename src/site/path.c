/* SPDX-License-Identifier: Apache-2.0 */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "site/path.h"

#include <stdbool.h>
#include <string.h>

#include "base/alloc.h"

/* Appends the steps of a path to a path that begins with "/", and takes "." and ".." for what
 * they mean.  There is room in `to`. */
static void append_steps(char *to, const char *path)
{
    size_t length = strlen(to);
    while (*path) {
        size_t step = strcspn(path, "/");
        if (step == 2 && !strncmp(path, "..", 2)) {
            while (length && to[--length] != '/') continue;
        } else if (step && !(step == 1 && *path == '.')) {
            to[length++] = '/';
            memcpy(to + length, path, step);
            length += step;
        }
        to[length] = '\0';
        path += step;
        path += *path == '/';
    }
}

/* Returns how long the folders are that a file shares with a folder. */
static size_t shared_length(const char *file, const char *folder)
{
    size_t shared = 0;
    for (size_t i = 0;; i++) {
        bool ends = file[i] == '/' && (folder[i] == '/' || !folder[i]);
        if (ends) shared = i;
        if (file[i] != folder[i] || !file[i]) return shared;
    }
}

char *cs_short_path(const char *file, const char *folder)
{
    if (*file != '/' && (!folder || *folder != '/')) {
        while (!strncmp(file, "./", 2)) file += 2;
        return rl_strdup(file);
    }
    if (!folder) folder = "";
    size_t room = strlen(file) + strlen(folder) + 3;
    char *path = rl_zalloc(2 * room);
    if (!path) return NULL;
    char *normal_folder = path + room;
    if (*folder == '/') append_steps(normal_folder, folder);
    if (*file != '/') append_steps(path, folder);
    append_steps(path, file);
    size_t shared = shared_length(path, normal_folder);
    if (shared) memmove(path, path + shared + 1, strlen(path + shared + 1) + 1);
    return path;
}
