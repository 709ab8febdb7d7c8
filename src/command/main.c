/* SPDX-License-Identifier: Apache-2.0
 *
 * The words behind `rill`.
 */
#include "command/command.h"

#include <rill/rill.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What was printed has to arrive: a full disk is a failure. */
static int finish(int status)
{
    if (!fflush(stdout) && !ferror(stdout)) return status;
    return status ? status : command_fail(COMMAND_FAILED, "", "cannot write to the output");
}

int main(int argc, char **argv)
{
    const char *word = argc > 1 ? argv[1] : "";
    if (!strcmp(word, "run")) return finish(command_run(argc - 1, argv + 1));
    if (!strcmp(word, "cc")) return finish(command_cc(argc - 1, argv + 1));
    if (!strcmp(word, "explore")) return finish(command_sum(argc - 1, argv + 1));
    if (!strcmp(word, "info")) return finish(command_info(argc - 1, argv + 1));
    if (!strcmp(word, "--version") || !strcmp(word, "-V")) {
        printf("rill %s\n", rill_version());
        return finish(COMMAND_DONE);
    }
    if (!strcmp(word, "--help") || !strcmp(word, "-h")) return finish(command_help(NULL));
    if (!strcmp(word, "help")) return finish(command_help(argv[2]));
    if (!*word) return command_usage();
    return command_fail(COMMAND_MISUSED, "", "there is no \"%s\"; rill --help says what there is",
                        word);
}
