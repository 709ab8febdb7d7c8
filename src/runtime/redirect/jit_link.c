/* SPDX-License-Identifier: Apache-2.0 */
#include "jit_link.h"

#include <stdio.h>
#include <string.h>

#include "jit_link_calls.h"

static int begins_with(const char *text, const char *begin)
{
    return !strncmp(text, begin, strlen(begin));
}

int jit_link_is_named(const char *file)
{
    return file_begins(file, "libnvJitLink.");
}

/* Returns rill's call for a function, or NULL.  The header of each version leads to names with its
 * number: "__nvJitLinkCreate_12_4". */
static const void *find_call(const char *function, void *data)
{
    char name[64];
    (void)data;
    const int versioned = begins_with(function, "__nvJitLink");
    if (!versioned) return begins_with(function, "nvJitLink") ? jit_link_call(function) : NULL;
    snprintf(name, sizeof name, "%s", function + strlen("__"));
    name[strcspn(name, "_")] = 0;
    return jit_link_call(name);
}

void jit_link_replace(const struct object *object)
{
    if (symbols_find(&object->symbols, "nvJitLinkCreate") == object->symbols.count) return;
    if (!object_redirect(object, find_call, NULL))
        fprintf(stderr, "rill: nvJitLink in %s cannot be told to link PTX as PTX: link with "
                "cuLinkCreate() and its like\n", *object->name ? object->name : "the program");
}
