/* SPDX-License-Identifier: Apache-2.0 */
#include "answers.h"

static void ask_names(void)
{
    const char *none = cudaGetErrorName((cudaError_t)5000);
    for (int i = 0; i < 1100; i++) {
        const char *name = cudaGetErrorName((cudaError_t)i);
        if (strcmp(name, none) != 0) TELL("%d %s", i, name);
    }
    TELL("10000 %s", cudaGetErrorName((cudaError_t)10000));
}

/* Those whose words programs compare; the others have words of rill's own. */
static void ask_words(void)
{
    static const int statuses[] = {
        0, 1, 2, 3, 4, 9, 12, 13, 21, 35, 98, 100, 101, 200,
        201, 209, 218, 400, 500, 600, 700, 701, 704, 705,
        708, 710, 712, 713, 716, 719, 720, 800, 801, 900,
        901, 999, 5000, -1,
    };
    for (size_t i = 0; i < sizeof statuses / sizeof statuses[0]; i++)
        TELL("%d %s", statuses[i], cudaGetErrorString((cudaError_t)statuses[i]));
    TELL("name of 5000: %s", cudaGetErrorName((cudaError_t)5000));
    TELL("name of -1: %s", cudaGetErrorName((cudaError_t)-1));
}

const struct group word_groups[] = {
    { "names", ask_names }, { "words", ask_words }, { NULL, NULL }
};
