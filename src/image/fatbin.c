/* SPDX-License-Identifier: Apache-2.0
 *
 * Fatbins: a head of 16 bytes, then members, each with a head of its own.  A member
 * is PTX or a cubin for one architecture.  As with the driver, the cubin that fits the
 * device is taken, or else the newest PTX.
 */
#include <string.h>

#include "base/alloc.h"
#include "image/bytes.h"

enum {
    KIND_PTX = 1,
    KIND_CUBIN = 2,
};

#define FATBIN_HEAD 16
#define MEMBER_HEAD 64
#define PACKED_LZ4 0x2000u
#define PACKED_ZSTD 0x8000u

/* More than either way of packing can save, and more than any program needs. */
#define RATIO_MAX 65536u
#define UNPACKED_MAX ((uint64_t)1 << 30)

struct member {
    uint32_t kind, architecture;
    uint64_t flags;
    const unsigned char *data;
    size_t bytes;
    uint64_t unpacked; /* bytes, if packed */
};

size_t image_fatbin_extent(const unsigned char *code)
{
    uint64_t body = image_u64(code + 8), head = image_u16(code + 6);
    return body > SIZE_MAX / 2 ? SIZE_MAX / 2 : (size_t)(head + body);
}

/* Reads the member at *at and moves *at past it.  Returns false if the member exceeds the
 * fatbin. */
static bool next_member(const unsigned char **at, const unsigned char *end, struct member *member)
{
    const unsigned char *head = *at;
    if (end - head < MEMBER_HEAD) return false;
    uint64_t head_bytes = image_u32(head + 4), bytes = image_u64(head + 8);
    uint64_t room = (uint64_t)(end - head);
    if (head_bytes < MEMBER_HEAD || head_bytes > room || bytes > room - head_bytes) return false;
    *member = (struct member){
        .kind = image_u16(head),
        .architecture = image_u32(head + 28),
        .flags = image_u64(head + 40),
        .data = head + head_bytes,
        .bytes = (size_t)bytes,
        .unpacked = image_u64(head + 56),
    };
    uint32_t packed = image_u32(head + 16);
    if (packed && packed < bytes) member->bytes = packed;
    *at = head + head_bytes + bytes;
    return true;
}

/* ---- Choice ------------------------------------------------------------------------- */

struct choice {
    struct member cubin, ptx; /* kind 0 if there is none */
    uint32_t seen;            /* members that are code */
};

/* Keeps the member if it fits the target better than those before it. */
static void consider_member(struct choice *choice, const struct member *member,
                            const struct image_target *target)
{
    uint32_t wanted = target->architecture, has = member->architecture;
    if (member->kind != KIND_PTX && member->kind != KIND_CUBIN) return;
    choice->seen++;
    if (has > wanted) return;
    if (member->kind == KIND_CUBIN && has / 10 != wanted / 10) return;
    struct member *best = member->kind == KIND_PTX ? &choice->ptx : &choice->cubin;
    if (!best->kind || has > best->architecture) *best = *member;
}

/* Reads all members and keeps the best cubin and the best PTX. */
static rill_status choose_members(const unsigned char *code, size_t bytes,
                                  const struct image_target *target, struct choice *choice,
                                  struct image_refusal *refusal)
{
    size_t head = bytes < FATBIN_HEAD ? 0 : image_u16(code + 6);
    size_t extent = head ? image_fatbin_extent(code) : 0;
    if (head < FATBIN_HEAD || extent > bytes || !image_can_be(code, extent))
        return image_refuse_for(refusal, RILL_ERROR_INVALID_IMAGE,
                                "the fatbin is cut off: it says that it has %zu bytes, and there "
                                "are %zu", extent, bytes);
    const unsigned char *at = code + head, *end = code + extent;
    struct member member;
    while (at < end) {
        if (!next_member(&at, end, &member))
            return image_refuse_for(refusal, RILL_ERROR_INVALID_IMAGE,
                                    "the member at byte %zu of the fatbin exceeds it",
                                    (size_t)(at - code));
        consider_member(choice, &member, target);
    }
    return RILL_SUCCESS;
}

/* ---- Members ------------------------------------------------------------------------ */

/* The bytes of a member, unpacked. */
struct unpacked {
    const unsigned char *data;
    size_t bytes;
    unsigned char *memory; /* to be freed; NULL if the member was not packed */
};

static rill_status unpack_member(const struct member *member, struct unpacked *unpacked,
                                 struct image_refusal *refusal)
{
    bool lz4 = member->flags & PACKED_LZ4, zstd = member->flags & PACKED_ZSTD;
    *unpacked = (struct unpacked){ member->data, member->bytes, NULL };
    if (!lz4 && !zstd) return RILL_SUCCESS;
    if (member->unpacked > UNPACKED_MAX || member->unpacked / RATIO_MAX > member->bytes)
        return image_refuse_for(refusal, RILL_ERROR_INVALID_IMAGE,
                                "a member of the fatbin says that it unpacks to %llu bytes",
                                (unsigned long long)member->unpacked);
    size_t size = (size_t)member->unpacked;
    unsigned char *out = rl_alloc(size);
    rill_status status = RILL_ERROR_OUT_OF_MEMORY;
    if (out)
        status = lz4 ? image_unfold_lz4(member->data, member->bytes, out, size)
                     : image_unfold_zstd(member->data, member->bytes, out, size);
    if (!status) {
        *unpacked = (struct unpacked){ out, size, out };
        return RILL_SUCCESS;
    }
    rl_free(out);
    if (status == RILL_ERROR_OUT_OF_MEMORY)
        return image_refuse_for(refusal, status, "no memory for what the image holds");
    return image_refuse_for(refusal, status,
                            "a member of the fatbin does not unpack: its %s data is damaged",
                            lz4 ? "LZ4" : "zstd");
}

static rill_status open_text(const struct member *member, struct image_content *content,
                             struct image_refusal *refusal)
{
    struct unpacked unpacked;
    rill_status status = unpack_member(member, &unpacked, refusal);
    if (status) return status;
    const char *text = (const char *)unpacked.data;
    status = image_keep_text(content, text, strnlen(text, unpacked.bytes), refusal);
    rl_free(unpacked.memory);
    return status;
}

/* Opens the cubin, and the PTX next to it, which is for a backend that cannot run the cubin.
 * The driver does not look at that PTX, so a mistake in it is no reason to refuse. */
static rill_status open_cubin(const struct choice *choice, struct image_content *content,
                              struct image_refusal *refusal)
{
    struct unpacked unpacked;
    rill_status status = unpack_member(&choice->cubin, &unpacked, refusal);
    if (status) return status;
    if (!unpacked.bytes) { /* a size of 0 would mean the one that the cubin states */
        rl_free(unpacked.memory);
        return image_refuse_for(refusal, RILL_ERROR_INVALID_IMAGE,
                                "the cubin in the fatbin is empty");
    }
    content->binary = unpacked.data;
    content->binary_bytes = unpacked.bytes;
    content->binary_memory = unpacked.memory;
    if (!choice->ptx.kind) return RILL_SUCCESS;
    status = open_text(&choice->ptx, content, refusal);
    if (status == RILL_ERROR_OUT_OF_MEMORY) return status;
    *refusal = (struct image_refusal){ RILL_SUCCESS, "" };
    return RILL_SUCCESS;
}

rill_status image_open_fatbin(const unsigned char *code, size_t bytes,
                              const struct image_target *target, struct image_content *content,
                              struct image_refusal *refusal)
{
    struct choice choice = { .seen = 0 };
    rill_status status = choose_members(code, bytes, target, &choice, refusal);
    if (status) return status;
    if (choice.cubin.kind) return open_cubin(&choice, content, refusal);
    if (choice.ptx.kind) return open_text(&choice.ptx, content, refusal);
    return image_refuse_for(refusal, RILL_ERROR_NO_BINARY_FOR_GPU,
                            "none of the %u members of the fatbin that are code is for sm_%u",
                            choice.seen, target->architecture);
}
