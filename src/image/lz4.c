/* SPDX-License-Identifier: Apache-2.0
 *
 * LZ4 blocks: sequences of literals and a match.  A match copies earlier output, and
 * may overlap what it writes.
 */
#include "image/bytes.h"

#include <string.h>

/* Reads what follows a length of 15: bytes to add, up to and with the first below 255. */
static bool add_length(const unsigned char **in, const unsigned char *end, size_t *length)
{
    unsigned char more;
    do {
        if (*in == end) return false;
        more = *(*in)++;
        *length += more;
    } while (more == 255);
    return true;
}

static bool copy_literals(const unsigned char **in, const unsigned char *in_end,
                          unsigned char **out, const unsigned char *out_end, size_t length)
{
    if (length == 15 && !add_length(in, in_end, &length)) return false;
    if (length > (size_t)(in_end - *in) || length > (size_t)(out_end - *out)) return false;
    memcpy(*out, *in, length);
    *in += length;
    *out += length;
    return true;
}

static bool copy_match(const unsigned char **in, const unsigned char *in_end,
                       const unsigned char *begin, unsigned char **out,
                       const unsigned char *out_end, size_t length)
{
    if (in_end - *in < 2) return false;
    size_t distance = image_u16(*in);
    *in += 2;
    if (length == 15 && !add_length(in, in_end, &length)) return false;
    length += 4;
    if (!distance || distance > (size_t)(*out - begin) || length > (size_t)(out_end - *out))
        return false;
    for (; length; length--, ++*out) **out = (*out)[-(ptrdiff_t)distance];
    return true;
}

rill_status image_unfold_lz4(const unsigned char *in, size_t in_bytes, unsigned char *out,
                             size_t out_bytes)
{
    const unsigned char *in_end = in + in_bytes, *begin = out, *out_end = out + out_bytes;
    while (in < in_end) {
        unsigned char token = *in++;
        if (!copy_literals(&in, in_end, &out, out_end, token >> 4))
            return RILL_ERROR_INVALID_IMAGE;
        if (in == in_end) break; /* the last sequence has no match */
        if (!copy_match(&in, in_end, begin, &out, out_end, token & 15))
            return RILL_ERROR_INVALID_IMAGE;
    }
    return out == out_end ? RILL_SUCCESS : RILL_ERROR_INVALID_IMAGE;
}
