/* SPDX-License-Identifier: Apache-2.0
 *
 * Compiled as a part of the library, with the library inside, for site_python.sh to load.
 */
#include <stdio.h>

#include "site/site.h"

/* Tells the place that calls this. */
__attribute__((visibility("default"))) int site_tell(char *text, size_t bytes);

int site_tell(char *text, size_t bytes)
{
    struct cs_source source;
    cs_find_source(cs_site_here(), &source);
    return snprintf(text, bytes, "%s:%d %s", source.file ? source.file : source.module,
                    source.line, source.function ? source.function : "");
}
