/* SPDX-License-Identifier: Apache-2.0 */
#include "image/object.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "image/bytes.h"

/* A walk over a file. */
struct walk {
    image_take_fatbin *take;
    void *data;
    struct image_refusal *refusal;
};

static rill_status refuse_file(const struct walk *walk, const char *why)
{
    return image_refuse_for(walk->refusal, RILL_ERROR_INVALID_IMAGE, "%s", why);
}

/* ---- One object ---------------------------------------------------------------------------- */

#define FATBIN_MAGIC 0xba55ed50u
#define FATBIN_HEAD 16
#define FATBIN_ALIGNMENT 8
#define SECTION_BYTES 64

/* Fat binaries lie one after the other, with zeros up to where the next one may begin. */
static rill_status take_section(const struct walk *walk, const unsigned char *at, size_t bytes)
{
    rill_status status = RILL_SUCCESS;
    while (!status && bytes >= FATBIN_HEAD) {
        size_t step = FATBIN_ALIGNMENT;
        if (image_u32(at) == FATBIN_MAGIC) {
            const size_t extent = image_fatbin_extent(at);
            if (extent > bytes) return refuse_file(walk, "a fat binary exceeds its object");
            if (extent < FATBIN_HEAD) return refuse_file(walk, "a fat binary has no head");
            status = walk->take(walk->data, at, extent);
            step = (extent + FATBIN_ALIGNMENT - 1) & ~(size_t)(FATBIN_ALIGNMENT - 1);
        }
        if (step > bytes) break;
        at += step;
        bytes -= step;
    }
    return status;
}

static bool is_within(uint64_t offset, uint64_t count, size_t bytes)
{
    return offset <= bytes && count <= bytes - offset;
}

/* Code that is to be linked is in a section of its own. */
static bool has_fatbins(const char *name, size_t room)
{
    static const char *const names[] = { ".nv_fatbin", "__nv_relfatbin" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i]) < room && !strcmp(name, names[i])) return true;
    return false;
}

static rill_status walk_sections(const struct walk *walk, const unsigned char *file, size_t bytes)
{
    const uint64_t table = image_u64(file + 40);
    const uint32_t count = image_u16(file + 60), names = image_u16(file + 62);
    if (image_u16(file + 58) != SECTION_BYTES || names >= count ||
        !is_within(table, (uint64_t)count * SECTION_BYTES, bytes))
        return refuse_file(walk, "the object has no table of sections");
    const unsigned char *sections = file + table;
    const uint64_t texts = image_u64(sections + names * SECTION_BYTES + 24);
    const uint64_t text_bytes = image_u64(sections + names * SECTION_BYTES + 32);
    if (!text_bytes || !is_within(texts, text_bytes, bytes) || file[texts + text_bytes - 1])
        return refuse_file(walk, "the sections of the object have no names");
    rill_status status = RILL_SUCCESS;
    for (uint32_t i = 0; i < count && !status; i++) {
        const unsigned char *section = sections + i * SECTION_BYTES;
        const uint64_t name = image_u32(section), at = image_u64(section + 24);
        const uint64_t length = image_u64(section + 32);
        if (name >= text_bytes ||
            !has_fatbins((const char *)file + texts + name, (size_t)(text_bytes - name)))
            continue;
        if (!is_within(at, length, bytes)) return refuse_file(walk, "a section exceeds the object");
        status = take_section(walk, file + at, (size_t)length);
    }
    return status;
}

static bool is_object(const unsigned char *file, size_t bytes)
{
    return bytes >= 64 && !memcmp(file, ELFMAG, SELFMAG) && file[EI_CLASS] == ELFCLASS64 &&
           file[EI_DATA] == ELFDATA2LSB;
}

/* ---- Archives ------------------------------------------------------------------------------ */

static const char archive_mark[8] = { '!', '<', 'a', 'r', 'c', 'h', '>', '\n' };

#define MEMBER_HEAD 60

/* Reads a number of up to 10 digits, with blanks after it. */
static uint64_t read_size(const unsigned char *digits)
{
    char text[11];
    memcpy(text, digits, 10);
    text[10] = 0;
    return strtoull(text, NULL, 10);
}

/* Members that are no objects are lists of names and the like. */
static rill_status walk_archive(const struct walk *walk, const unsigned char *file, size_t bytes)
{
    rill_status status = RILL_SUCCESS;
    for (size_t at = sizeof archive_mark; !status && bytes - at >= MEMBER_HEAD;) {
        const uint64_t length = read_size(file + at + 48);
        at += MEMBER_HEAD;
        if (length > bytes - at) return refuse_file(walk, "a member exceeds its archive");
        if (is_object(file + at, (size_t)length))
            status = walk_sections(walk, file + at, (size_t)length);
        at += (size_t)length;
        if (at < bytes) at += at & 1;
    }
    return status;
}

rill_status image_each_fatbin(const unsigned char *file, size_t bytes, image_take_fatbin *take,
                              void *data, struct image_refusal *refusal)
{
    const struct walk walk = { take, data, refusal };
    if (bytes >= sizeof archive_mark && !memcmp(file, archive_mark, sizeof archive_mark))
        return walk_archive(&walk, file, bytes);
    if (is_object(file, bytes)) return walk_sections(&walk, file, bytes);
    return refuse_file(&walk, "the file is neither an object of the host nor an archive of them");
}
