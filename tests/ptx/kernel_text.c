/* SPDX-License-Identifier: Apache-2.0 */
#include "kernels.h"

#include <stdio.h>

const char *const kernel_ways[] = { "sm_90", "sm_75", "debug", "clang", NULL };

/* The folder of this checkout or tarball, as the compiler was told; RILL_PTX_SAMPLES is
 * for those who run the program elsewhere. */
const char *kernel_folder(void)
{
    const char *elsewhere = getenv("RILL_PTX_SAMPLES");
    return elsewhere ? elsewhere : PTX_SAMPLES;
}

char *kernel_text(const char *source, const char *way)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.%s.ptx", kernel_folder(), source, way);
    FILE *file = fopen(path, "r");
    if (!file) return NULL;
    char *text = NULL, part[4096];
    size_t bytes, count;
    FILE *to = open_memstream(&text, &bytes);
    if (!to) abort();
    while ((count = fread(part, 1, sizeof part, file)) > 0) fwrite(part, 1, count, to);
    fclose(file);
    fclose(to);
    return text;
}
