/* SPDX-License-Identifier: Apache-2.0
 *
 * Two functions in two streams, and the host, that work on one sum.  With "forgotten" the second
 * stream does not wait for the first one, which ThreadSanitizer finds in a program that is built
 * with it, although the library is not:
 *
 *     cc -g -fsanitize=thread sanitized.c -lrill -o sanitized
 *     ./sanitized forgotten
 *
 * It prints:
 *
 *     5050 and 5050 are 10100
 */
#include <stdbool.h>
#include <string.h>

#include "must.h"

static long sum, twice;

static void add_numbers(void *data)
{
    (void)data;
    for (int i = 1; i <= 100; i++) sum += i;
}

static void double_sum(void *data)
{
    (void)data;
    twice = 2 * sum;
}

int main(int argc, char **argv)
{
    const bool forgotten = argc > 1 && !strcmp(argv[1], "forgotten");
    rill_platform *platform;
    rill_context *context;
    rill_stream *first, *second;
    rill_event *added;
    MUST(rill_open(NULL, &platform));
    MUST(rill_context_create(platform, NULL, &context));
    MUST(rill_stream_create(context, NULL, &first));
    MUST(rill_stream_create(context, NULL, &second));
    MUST(rill_event_create(context, NULL, &added));

    MUST(rill_launch_host(first, add_numbers, NULL, NULL));
    MUST(rill_event_record(added, first, 0));
    if (!forgotten) MUST(rill_stream_wait_event(second, added, 0));
    MUST(rill_launch_host(second, double_sum, NULL, NULL));
    MUST(rill_context_synchronize(context));
    printf("%ld and %ld are %ld\n", sum, sum, twice);

    MUST(rill_event_destroy(&added));
    MUST(rill_stream_destroy(&second));
    MUST(rill_stream_destroy(&first));
    MUST(rill_context_destroy(&context));
    MUST(rill_close(&platform));
    return 0;
}
