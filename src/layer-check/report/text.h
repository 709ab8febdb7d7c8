/* SPDX-License-Identifier: Apache-2.0
 *
 * Text that grows, or that fills room it was given.
 *
 * With room that was given, all but ck_put_format() may be called in a handler of a signal.
 */
#ifndef CK_TEXT_H
#define CK_TEXT_H

#include <rill/types.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ck_text {
    char *bytes;  /* ends with a 0, once there is any */
    size_t size;  /* without the 0                    */
    size_t room;
    bool given;   /* the room is not to grow          */
    bool cut;     /* there was more than room         */
};

/* Makes an empty text of room that the caller keeps. */
struct ck_text ck_text_in(char *room, size_t size);

/* Frees what a text that grew has. */
void ck_text_fini(struct ck_text *text);

void ck_put(struct ck_text *text, const char *words);
void ck_put_bytes(struct ck_text *text, const char *bytes, size_t size);
void ck_put_blanks(struct ck_text *text, size_t count);
void ck_put_number(struct ck_text *text, uint64_t number);
void ck_put_format(struct ck_text *text, const char *format, ...) RILL_PRINTF_FORMAT(2, 3);

#endif
