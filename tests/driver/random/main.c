/* SPDX-License-Identifier: Apache-2.0
 *
 *     random [--area NAME]... [--seeds 1-2000] [--calls 60] [--jobs 4] [--limit 20]
 *            [--hash] [--output FOLDER]
 *     random --digest FILE
 *
 * Without --area all areas, without --output to the standard output; in a FOLDER each
 * area has a file.
 */
#include "random.h"

static const struct area *const areas[] = { &graph_area, &capture_area, &exec_area,
                                            &memory_area, &stream_area, &conditional_area,
                                            &context_area };
enum { AREAS = sizeof areas / sizeof *areas };

static _Noreturn void wrong(const char *what)
{
    fprintf(stderr, "random: %s\nAreas:", what);
    for (int i = 0; i < AREAS; i++) fprintf(stderr, " %s", areas[i]->name);
    fprintf(stderr, "\n");
    exit(2);
}

static int number(const char *text)
{
    int value = atoi(text);
    if (value < 1) wrong(text);
    return value;
}

int main(int argc, char **argv)
{
    struct orders orders = { .first = 1, .last = 50, .calls = 60, .jobs = 4, .limit = 20 };
    const char *folder = NULL;
    bool asked[AREAS] = { false }, some = false;
    for (int i = 1; i < argc; i++) {
        const char *option = argv[i];
        if (!strcmp(option, "--hash")) {
            orders.hash = true;
            continue;
        }
        if (++i == argc) wrong(option);
        if (!strcmp(option, "--digest")) return digest_print(argv[i]);
        if (!strcmp(option, "--area")) {
            int which = 0;
            while (which < AREAS && strcmp(areas[which]->name, argv[i])) which++;
            if (which == AREAS) wrong(argv[i]);
            asked[which] = some = true;
        } else if (!strcmp(option, "--seeds")) {
            int n = sscanf(argv[i], "%lu-%lu", &orders.first, &orders.last);
            if (n == 1) orders.last = orders.first;
            if (n < 1 || orders.last < orders.first) wrong(argv[i]);
        } else if (!strcmp(option, "--calls")) orders.calls = number(argv[i]);
        else if (!strcmp(option, "--jobs")) orders.jobs = number(argv[i]);
        else if (!strcmp(option, "--limit")) orders.limit = number(argv[i]);
        else if (!strcmp(option, "--output")) folder = argv[i];
        else wrong(option);
    }
    for (int i = 0; i < AREAS; i++) {
        char path[4096];
        if (some && !asked[i]) continue;
        orders.area = areas[i];
        snprintf(path, sizeof path, "%s/%s.txt", folder ? folder : "", areas[i]->name);
        orders.output = folder ? fopen(path, "w") : stdout;
        if (!orders.output) wrong(path);
        batches_run(&orders);
        if (folder) fclose(orders.output);
    }
    return 0;
}
