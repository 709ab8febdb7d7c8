/* SPDX-License-Identifier: Apache-2.0
 *
 * Two streams, and an event that orders what runs in them.  It prints:
 *
 *     Hello from the first stream,
 *     and from the second, which waited for it.
 */
#include <rill/rill.h>
#include <stdio.h>

static void say(void *text) { puts(text); }

int main(void)
{
    char hello[] = "Hello from the first stream,";
    char again[] = "and from the second, which waited for it.";
    rill_platform *platform = NULL;
    rill_context *context = NULL;
    rill_stream *first = NULL, *second = NULL;
    rill_event *said = NULL;

    /* 0 is success: the first call that fails is the last one. */
    int failed = rill_open(NULL, &platform) || rill_context_create(platform, NULL, &context) ||
        rill_stream_create(context, NULL, &first) || rill_stream_create(context, NULL, &second) ||
        rill_event_create(context, NULL, &said) ||
        rill_launch_host(first, say, hello, NULL) || rill_event_record(said, first, 0) ||
        rill_stream_wait_event(second, said, 0) || rill_launch_host(second, say, again, NULL) ||
        rill_stream_synchronize(second);
    if (failed) fprintf(stderr, "%s\n", rill_last_error()->message);

    rill_event_destroy(&said);
    rill_stream_destroy(&second);
    rill_stream_destroy(&first);
    rill_context_destroy(&context);
    rill_close(&platform);
    return failed;
}
