/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-check/slots/names.h"

#include <string.h>

#include "base/alloc.h"

struct ck_name {
    struct ck_name *next;
    char text[];
};

static struct ck_name *put_first(struct ck_names *names, struct ck_name *name)
{
    name->next = names->first;
    return names->first = name;
}

const char *ck_names_keep(struct ck_names *names, const char *text)
{
    for (struct ck_name **link = &names->first; *link; link = &(*link)->next) {
        struct ck_name *name = *link;
        if (strcmp(name->text, text) != 0) continue;
        *link = name->next; /* to the front: the next launch is often of the same kernel */
        return put_first(names, name)->text;
    }
    struct ck_name *name = rl_alloc(sizeof *name + strlen(text) + 1);
    if (!name) return NULL;
    memcpy(name->text, text, strlen(text) + 1);
    return put_first(names, name)->text;
}

void ck_names_forget(struct ck_names *names)
{
    for (struct ck_name *name = names->first, *next; name; name = next) {
        next = name->next;
        rl_free(name);
    }
    names->first = NULL;
}
