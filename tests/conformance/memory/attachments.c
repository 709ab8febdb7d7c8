/* SPDX-License-Identifier: Apache-2.0
 *
 * Attaching is refused for memory that is not managed.
 */
#include "conformance/work.h"

/* mem.attach_not_managed */
static void memory_that_is_not_managed_is_not_attached(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f);
    rill_devptr p = device_words(f, 1024);
    refuses(RILL_ERROR_INVALID_VALUE, "address", rill_stream_attach(s, p, 0, RILL_ATTACH_SINGLE));
    is(RILL_ERROR_INVALID_VALUE, rill_stream_attach(s, p, 4096, RILL_ATTACH_GLOBAL));
    is(RILL_ERROR_INVALID_VALUE, rill_stream_attach(s, p, 0, RILL_ATTACH_HOST));
    is(RILL_ERROR_INVALID_VALUE,
       rill_stream_attach(s, at(pinned(f, 4096)), 4096, RILL_ATTACH_SINGLE));
    is(RILL_ERROR_INVALID_VALUE,
       rill_stream_attach(s, address_of(f, new_word(f)), 0, RILL_ATTACH_SINGLE));
    is(RILL_ERROR_INVALID_VALUE, rill_stream_attach(s, 0, 0, RILL_ATTACH_SINGLE));
    is(RILL_ERROR_INVALID_VALUE, rill_stream_attach(s, 0x1000, 0, RILL_ATTACH_GLOBAL));
    ok(rill_stream_synchronize(s));
}

/* mem.attach_not_managed, ST-15 */
static void nor_with_impossible_flags_or_in_a_default_stream(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f);
    rill_devptr p = device_words(f, 1024);
    is(RILL_ERROR_INVALID_VALUE, rill_stream_attach(s, p, 0, 0));
    is(RILL_ERROR_INVALID_VALUE, rill_stream_attach(s, p, 0, 9));
    is(RILL_ERROR_INVALID_VALUE, rill_stream_attach(f->legacy, p, 0, RILL_ATTACH_SINGLE));
    is(RILL_ERROR_INVALID_VALUE, rill_stream_attach(f->legacy, p, 0, RILL_ATTACH_GLOBAL));
    is(RILL_ERROR_INVALID_VALUE, rill_stream_attach(f->per_thread, p, 0, RILL_ATTACH_SINGLE));
    ok(rill_context_synchronize(f->context));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(memory_that_is_not_managed_is_not_attached),
    cmocka_unit_test(nor_with_impossible_flags_or_in_a_default_stream),
};

SUITE_GROUP(attachments, 1);
