/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

static const char usage[] =
    "usage: rill-bench [--seconds N] [--rounds N] [--only TEXT] [--alone]\n"
    "                  [--json FILE] [--svg FILE] [--quiet]\n"
    "\n"
    "  --seconds N   begin no round that would end later (default 240)\n"
    "  --rounds N    at most N rounds (default: as many as fit)\n"
    "  --only TEXT   only what has TEXT in its name: graphs/, wide/, scale/,\n"
    "                costs/, streams/\n"
    "  --alone       without peers\n"
    "  --json FILE   write the figures to FILE as well\n"
    "  --svg FILE    draw to FILE what a node costs by the size of the graph (scale/)\n"
    "  --quiet       no progress on the terminal\n";

static _Noreturn void misused(void)
{
    fputs(usage, stderr);
    exit(2);
}

static double number_of(const char *text)
{
    char *end;
    double value = text ? strtod(text, &end) : -1;
    if (value <= 0 || *end) misused();
    return value;
}

static bool write_to(const char *path, const struct outcome *outcome,
                     void (*report)(FILE *out, const struct outcome *outcome))
{
    FILE *file = fopen(path, "w");
    if (file) report(file, outcome);
    bool failed = !file || ferror(file);
    if (file && fclose(file)) failed = true;
    if (failed) fprintf(stderr, "rill-bench: %s: %s\n", path, strerror(errno));
    return !failed;
}

int main(int argc, char **argv)
{
    struct plan plan = { .seconds = 240 };
    const char *json = NULL, *svg = NULL;
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (!strcmp(argv[i], "--seconds")) plan.seconds = number_of(value), i++;
        else if (!strcmp(argv[i], "--rounds")) plan.rounds = (int)number_of(value), i++;
        else if (!strcmp(argv[i], "--only") && value) plan.only = value, i++;
        else if (!strcmp(argv[i], "--json") && value) json = value, i++;
        else if (!strcmp(argv[i], "--svg") && value) svg = value, i++;
        else if (!strcmp(argv[i], "--alone")) plan.alone = true;
        else if (!strcmp(argv[i], "--quiet")) plan.quiet = true;
        else if (!strcmp(argv[i], "--help")) return fputs(usage, stdout) < 0;
        else misused();
    }
    calibrate_bodies();
    static struct outcome outcome;
    bool done = run_rounds(&plan, &outcome);
    if (done) report_text(stdout, &outcome);
    if (done && json) done = write_to(json, &outcome, report_json);
    if (done && svg && any_of(&outcome, SCALE_TIME, SCALE_CASES))
        done = write_to(svg, &outcome, report_svg);
    free_outcome(&outcome);
    return done ? EXIT_SUCCESS : EXIT_FAILURE;
}
