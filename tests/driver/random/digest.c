/* SPDX-License-Identifier: Apache-2.0
 *
 * A text of many seeds as one line for each, by which a test can tell whether a driver
 * says the same.  Seeds that came to no good end have none.
 */
#include "random.h"

static void print(const char *area, unsigned long seed, const char *text, size_t length)
{
    if (!seed) return;
    printf("%s %lu %016llx\n", area, seed, (unsigned long long)text_hash(text, length));
}

int digest_print(const char *path)
{
    static char text[TEXT + 4096], area[64];
    size_t length = 0;
    unsigned long seed = 0, next;
    char *line = NULL;
    size_t room = 0;
    ssize_t n;
    FILE *file = fopen(path, "r");
    if (!file) return 2;
    while ((n = getline(&line, &room, file)) > 0) {
        if (sscanf(line, "# %63s %lu", area, &next) == 2) {
            print(area, seed, text, length);
            seed = next;
            length = 0;
        } else if (!strncmp(line, "seed ", 5)) seed = 0;
        if (length + (size_t)n > sizeof text) return 2;
        memcpy(text + length, line, (size_t)n);
        length += (size_t)n;
    }
    print(area, seed, text, length);
    free(line);
    fclose(file);
    return 0;
}
