/* SPDX-License-Identifier: Apache-2.0 */
#include <rill/rill.h>
#include <stdio.h>

static void say(void *number)
{
    printf("step %d\n", *(int *)number);
}

/* What each step puts into the stream. */
static rill_status step(rill_stream *stream, void *number)
{
    return rill_launch_host(stream, say, number, NULL);
}

rill_status example(rill_context *context)
{
    rill_stream *stream = NULL;
    rill_replay *replay = NULL;
    int number;

    rill_status status = rill_stream_create(context, NULL, &stream);
    if (!status)
        status = rill_replay_create(context, NULL, step, &number, NULL, &replay);
    for (number = 1; !status && number <= 3; number++) {
        status = rill_replay_step(replay, stream);
        if (!status) status = rill_stream_synchronize(stream);
    }

    rill_replay_destroy(&replay);
    rill_stream_destroy(&stream);
    return status;
}
