/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-check/slots/names.h"

#include <string.h>

#include "base/alloc.h"
#include "layer-check/report/place.h"

struct ck_name {
    struct ck_name *next;
    char text[];
};

static struct ck_name *put_first(struct ck_name **list, struct ck_name *name)
{
    name->next = *list;
    return *list = name;
}

const char *ck_names_keep(struct ck_names *names, const char *text)
{
    struct ck_name **list = &names->lists[ck_hash_text(0, text) % CK_NAME_LISTS];
    for (struct ck_name **link = list; *link; link = &(*link)->next) {
        struct ck_name *name = *link;
        if (strcmp(name->text, text) != 0) continue;
        *link = name->next; /* to the front: the next launch is often of the same kernel */
        return put_first(list, name)->text;
    }
    struct ck_name *name = rl_alloc(sizeof *name + strlen(text) + 1);
    if (!name) return NULL;
    memcpy(name->text, text, strlen(text) + 1);
    return put_first(list, name)->text;
}

static void forget_list(struct ck_name **list)
{
    while (*list) {
        struct ck_name *name = *list;
        *list = name->next;
        rl_free(name);
    }
}

void ck_names_forget(struct ck_names *names)
{
    for (unsigned i = 0; i < CK_NAME_LISTS; i++) forget_list(&names->lists[i]);
}
