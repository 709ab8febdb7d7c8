/* SPDX-License-Identifier: Apache-2.0
 *
 * Two streams, and an event that orders what runs in them.
 */
#include <rill/rill.h>
#include <stdio.h>
#include <stdlib.h>

static void must(rill_status status)
{
    if (status == RILL_SUCCESS) return;
    fprintf(stderr, "%s: %s\n", rill_last_error()->operation, rill_last_error()->message);
    exit(1);
}

static void say(void *text)
{
    puts(text);
}

int main(void)
{
    char hello[] = "Hello from the first stream,";
    char again[] = "and from the second, which waited for it.";
    rill_platform *platform;
    rill_context *context;
    rill_stream *first, *second;
    rill_event *said;

    must(rill_open(NULL, &platform));
    must(rill_context_create(platform, NULL, &context));
    must(rill_stream_create(context, NULL, &first));
    must(rill_stream_create(context, NULL, &second));
    must(rill_event_create(context, NULL, &said));

    must(rill_launch_host(first, say, hello, NULL));
    must(rill_event_record(said, first, 0));
    must(rill_stream_wait_event(second, said, 0));
    must(rill_launch_host(second, say, again, NULL));
    must(rill_stream_synchronize(second));

    must(rill_event_destroy(&said));
    must(rill_stream_destroy(&second));
    must(rill_stream_destroy(&first));
    must(rill_context_destroy(&context));
    must(rill_close(&platform));
    return 0;
}
