/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-trace/write/out.h"

#include <errno.h>
#include <unistd.h>

#include "base/alloc.h"

bool tr_out_init(struct tr_out *out, int file)
{
    char *block = rl_alloc(TR_OUT_BYTES);
    *out = (struct tr_out){ .file = file, .at = block, .block = block };
    return block;
}

void tr_out_fini(struct tr_out *out)
{
    tr_out_flush(out);
    if (close(out->file) && !out->error) out->error = errno;
    rl_free(out->block);
    out->block = out->at = NULL;
}

void tr_out_flush(struct tr_out *out)
{
    const char *from = out->block;
    while (from < out->at && !out->error) {
        ssize_t written = write(out->file, from, (size_t)(out->at - from));
        if (written >= 0) from += written;
        else if (errno != EINTR) out->error = errno;
    }
    out->at = out->block;
}

/* ---- Numbers --------------------------------------------------------------------------- */

static const char pairs[] =
    "00010203040506070809101112131415161718192021222324252627282930313233343536373839"
    "40414243444546474849505152535455565758596061626364656667686970717273747576777879"
    "8081828384858687888990919293949596979899";

void tr_put_number(struct tr_out *out, uint64_t number)
{
    char digits[20], *end = digits + sizeof digits, *at = end;
    for (; number >= 100; number /= 100) memcpy(at -= 2, pairs + 2 * (number % 100), 2);
    if (number >= 10) memcpy(at -= 2, pairs + 2 * number, 2);
    else *--at = (char)('0' + number);
    tr_put(out, at, (size_t)(end - at));
}

void tr_put_time(struct tr_out *out, uint64_t ns)
{
    unsigned rest = (unsigned)(ns % 1000);
    tr_put_number(out, ns / 1000);
    *out->at++ = '.';
    *out->at++ = (char)('0' + rest / 100);
    memcpy(out->at, pairs + 2 * (rest % 100), 2);
    out->at += 2;
}
