/* SPDX-License-Identifier: Apache-2.0
 *
 * Compiled as a part of the library, with the library inside, for site_python.sh to load.
 */
#include <stdio.h>

#include "site/site.h"

/* Tells the place that calls this. */
__attribute__((visibility("default"))) int site_tell(char *text, size_t bytes);

/* Has site_callers() tell up to so many callers. */
__attribute__((visibility("default"))) void site_keep_callers(unsigned count);

/* Tells the lines that lead to this call, from the inside out. */
__attribute__((visibility("default"))) int site_callers(char *text, size_t bytes);

void site_keep_callers(unsigned count)
{
    cs_keep_callers(count);
}

int site_callers(char *text, size_t bytes)
{
    struct cs_source callers[CS_CALLERS_MAX];
    int used = snprintf(text, bytes, "callers:");
    size_t count = cs_find_callers(cs_site_here(), callers, CS_CALLERS_MAX);
    for (size_t i = 0; i < count && used < (int)bytes; i++)
        used += snprintf(text + used, bytes - (size_t)used, " %d %s", callers[i].line,
                         callers[i].function);
    return used;
}

int site_tell(char *text, size_t bytes)
{
    struct cs_source source;
    cs_find_source(cs_site_here(), &source);
    return snprintf(text, bytes, "%s:%d %s", source.file ? source.file : source.module,
                    source.line, source.function ? source.function : "");
}
