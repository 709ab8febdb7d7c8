/* SPDX-License-Identifier: Apache-2.0 */
#include "command/words.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Words --------------------------------------------------------------------------------- */

void command_put_letter(struct command_words *words, char letter)
{
    words->cut |= words->size + 1 >= COMMAND_WORDS_ROOM;
    if (!words->cut) words->text[words->size++] = letter;
    words->text[words->size] = 0;
}

void command_put_text(struct command_words *words, const char *text)
{
    while (*text) command_put_letter(words, *text++);
}

void command_put_value(struct command_words *words, const char *value)
{
    for (; *value; value++) {
        if (strchr(" \t\n\\", *value)) command_put_letter(words, '\\');
        command_put_letter(words, *value);
    }
}

void command_put_file(struct command_words *words, const char *path, bool percent)
{
    char here[PATH_MAX];
    if (*path != '/' && getcwd(here, sizeof here)) {
        for (const char *at = here; *at; at++) {
            command_put_value(words, (char[]){ *at, 0 });
            if (*at == '%' && percent) command_put_letter(words, '%');
        }
        command_put_letter(words, '/');
    }
    command_put_value(words, path);
}

bool command_is_writable(const char *path)
{
    char folder[PATH_MAX];
    const char *slash = strrchr(path, '/');
    size_t length = slash ? (size_t)(slash - path) + 1 : 0;
    if (strchr(path, '%') || length >= sizeof folder) return true;
    if (!access(path, F_OK)) return !access(path, W_OK);
    snprintf(folder, sizeof folder, "%.*s.", (int)length, path);
    return !access(folder, W_OK | X_OK);
}

bool command_make_file(const char *family, char *name, size_t room)
{
    const char *where = getenv("TMPDIR");
    if (!where || *where != '/') where = "/tmp";
    int length = snprintf(name, room, "%s/%s-XXXXXX", where, family);
    int file = length > 0 && (size_t)length < room ? mkstemp(name) : -1;
    if (file >= 0) close(file);
    else *name = 0;
    return file >= 0;
}

/* ---- Layers -------------------------------------------------------------------------------- */

static const char layers[] = "RILL_LAYERS";

bool command_has_layer(const char *layer)
{
    const char *list = getenv(layers);
    while (list && *list) {
        size_t length = strcspn(list, ",");
        if (length == strlen(layer) && !memcmp(list, layer, length)) return true;
        list += length + (list[length] == ',');
    }
    return false;
}

bool command_add_layer(const char *layer)
{
    const char *before = getenv(layers);
    char *list;
    if (!before || !*before) return !setenv(layers, layer, 1);
    if (command_has_layer(layer)) return true;
    if (asprintf(&list, "%s,%s", layer, before) < 0) return false;
    bool done = !setenv(layers, list, 1);
    free(list);
    return done;
}
