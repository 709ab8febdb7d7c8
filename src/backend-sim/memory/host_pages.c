/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading /proc/self/maps, where each line begins "7f00-7f08 rw-p" and the lines are in
 * the order of the addresses.  This does without stdio, which allocates.
 */
#include "backend-sim/memory/host_pages.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

struct reader {
    int file;
    char text[4096];
    ssize_t at, length;
};

/* Returns the next character, or -1 at the end. */
static int next_character(struct reader *reader)
{
    if (reader->at == reader->length) {
        do {
            reader->length = read(reader->file, reader->text, sizeof reader->text);
        } while (reader->length < 0 && errno == EINTR);
        reader->at = 0;
        if (reader->length <= 0) {
            reader->length = 0;
            return -1;
        }
    }
    return (unsigned char)reader->text[reader->at++];
}

/* Reads a number in hexadecimal digits.  Returns the character after it. */
static int read_number(struct reader *reader, uint64_t *number)
{
    *number = 0;
    for (;;) {
        int c = next_character(reader), digit;
        if (c >= '0' && c <= '9') digit = c - '0';
        else if (c >= 'a' && c <= 'f') digit = c - 'a' + 10;
        else return c;
        *number = *number << 4 | (uint64_t)digit;
    }
}

/* Tells whether all memory from `base` to `end` can be read, or with `write` written, by
 * going through the lines. */
static bool is_covered(struct reader *reader, uint64_t base, uint64_t end, bool write)
{
    for (;;) {
        uint64_t first, last;
        if (read_number(reader, &first) != '-' || read_number(reader, &last) != ' ') return false;
        bool readable = next_character(reader) == 'r', writable = next_character(reader) == 'w';
        for (int c = next_character(reader); c != '\n';)
            if ((c = next_character(reader)) < 0) return false;
        if (last <= base) continue;
        if (first > base || !(write ? writable : readable)) return false;
        base = last;
        if (base >= end) return true;
    }
}

bool sim_host_is_there(uint64_t base, uint64_t bytes, bool write)
{
    struct reader reader = { .file = open("/proc/self/maps", O_RDONLY | O_CLOEXEC) };
    if (reader.file < 0) return true;
    bool covered = is_covered(&reader, base, base + bytes, write);
    close(reader.file);
    return covered;
}
