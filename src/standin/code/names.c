/* SPDX-License-Identifier: Apache-2.0 */
#include "standin/code/names.h"

#include <stdint.h>
#include <string.h>

#include "base/alloc.h"
#include "base/lock.h"

struct name {
    struct name *next;
    char text[];
};

enum { NAME_LISTS = 1024 };

static struct {
    struct rl_lock lock;             /* protects all of it */
    struct name *first[NAME_LISTS];
} names;

static unsigned hash_list(const char *text)
{
    uint32_t hash = 2166136261u;
    for (; *text; text++) hash = (hash ^ (unsigned char)*text) * 16777619u;
    return (hash ^ hash >> 16) % NAME_LISTS;
}

const char *si_name(const char *text)
{
    struct name **list = &names.first[hash_list(text)], *name;
    size_t bytes = strlen(text) + 1;
    rl_lock(&names.lock);
    for (name = *list; name && strcmp(name->text, text) != 0; name = name->next) continue;
    if (!name && (name = rl_alloc(sizeof *name + bytes))) {
        memcpy(name->text, text, bytes);
        name->next = *list;
        *list = name;
    }
    rl_unlock(&names.lock);
    return name ? name->text : NULL;
}

void si_names_end(void)
{
    for (unsigned i = 0; i < NAME_LISTS; i++) {
        for (struct name *name = names.first[i], *next; name; name = next) {
            next = name->next;
            rl_free(name);
        }
    }
}
