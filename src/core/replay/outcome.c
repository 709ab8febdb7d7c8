/* SPDX-License-Identifier: Apache-2.0
 *
 * The names of what can become of a step.
 */
#include <rill/replay.h>

const char *rill_replay_outcome_name(rill_replay_outcome outcome)
{
    static const char *const names[] = {
        [RILL_REPLAY_UPDATED] = "RILL_REPLAY_UPDATED",
        [RILL_REPLAY_INSTANTIATED] = "RILL_REPLAY_INSTANTIATED",
        [RILL_REPLAY_REINSTANTIATED] = "RILL_REPLAY_REINSTANTIATED",
        [RILL_REPLAY_EAGER] = "RILL_REPLAY_EAGER",
        [RILL_REPLAY_EMPTY] = "RILL_REPLAY_EMPTY",
    };
    return (size_t)outcome < sizeof names / sizeof *names ? names[outcome] : NULL;
}
