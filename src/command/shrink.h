/* SPDX-License-Identifier: Apache-2.0
 *
 * Making a run that fails smaller: the fewest steps that must be held back for it.
 */
#ifndef COMMAND_SHRINK_H
#define COMMAND_SHRINK_H

#include "command/trial.h"

/* How many runs that takes at most, and after which time no other one begins. */
#define COMMAND_SHRINK_RUNS 200u
#define COMMAND_SHRINK_NS 60000000000u

enum shrink_result {
    SHRINK_DONE,
    SHRINK_ONCE,     /* the schedule itself did not fail again in the same way    */
    SHRINK_NOT,      /* what its trail says was held back does not fail like that */
    SHRINK_NO_MEMORY
};

struct shrunk {
    char *spec;      /* that fails in the same way; for command_shrunk_free() */
    size_t before, holds;
    unsigned runs;
};

/* Looks for a short schedule under which the program fails as `trial` did under `spec`.  Tells its
 * progress if `told`.  Requires that no trial runs; has others run in the trial's place, whose
 * output must have been shown. */
enum shrink_result command_shrink(struct trials *trials, struct trial *trial, const char *spec,
                                  struct shrunk *shrunk);
void command_shrunk_free(struct shrunk *shrunk);

#endif
