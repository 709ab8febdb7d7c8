/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-check/report/place.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "layer-check/report/kind.h"

const char *ck_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

bool ck_put_caller(struct ck_text *text, const rill_finding_caller *caller)
{
    if (caller->file)
        ck_put_format(text, "%s:%d", ck_base_name(caller->file), caller->line);
    else if (caller->module)
        ck_put_format(text, "%s+0x%" PRIx64, ck_base_name(caller->module), caller->offset);
    return caller->file || caller->module;
}

bool ck_put_place(struct ck_text *text, const rill_finding_place *place)
{
    const rill_finding_caller call = {
        .file = place->file, .line = place->line, .module = place->module,
        .offset = place->offset,
    };
    return ck_put_caller(text, &call);
}

/* ---- Ids ------------------------------------------------------------------------------- */

static uint64_t hash_byte(uint64_t hash, unsigned char byte)
{
    return (hash ^ byte) * 1099511628211u;
}

uint64_t ck_hash_text(uint64_t hash, const char *text)
{
    for (; text && *text; text++) hash = hash_byte(hash, (unsigned char)*text);
    return hash_byte(hash, 0);
}

uint64_t ck_hash_number(uint64_t hash, uint64_t number)
{
    for (int i = 0; i < 8; i++) hash = hash_byte(hash, (unsigned char)(number >> 8 * i));
    return hash;
}

static uint64_t hash_line(uint64_t hash, const char *file, int line)
{
    return ck_hash_number(ck_hash_text(hash, ck_base_name(file)), (uint64_t)line);
}

static uint64_t hash_offset(uint64_t hash, const char *module, uint64_t offset)
{
    return ck_hash_number(ck_hash_text(hash, ck_base_name(module)), offset);
}

static uint64_t hash_callers(uint64_t hash, const rill_finding_place *place)
{
    for (size_t i = 0; i < place->caller_count; i++) {
        const rill_finding_caller *caller = &place->callers[i];
        if (caller->file) hash = hash_line(hash, caller->file, caller->line);
        else if (caller->module) hash = hash_offset(hash, caller->module, caller->offset);
    }
    return hash;
}

uint64_t ck_identity(const rill_finding *finding, const char *cause)
{
    uint64_t hash = ck_hash_text(CK_HASH_START, ck_kinds[finding->kind].word);
    hash = ck_hash_text(hash, cause);
    for (size_t i = 0; i < finding->place_count; i++) {
        const rill_finding_place *place = &finding->place[i];
        hash = ck_hash_text(hash, place->what);
        if (place->launch_file) hash = hash_line(hash, place->launch_file, place->launch_line);
        if (place->file) hash = hash_line(hash, place->file, place->line);
        else if (place->module) hash = hash_offset(hash, place->module, place->offset);
        else hash = ck_hash_text(hash, place->stream);
        hash = hash_callers(hash, place);
    }
    return hash;
}

void ck_write_id(char id[CK_ID_MAX], rill_finding_kind kind, uint64_t identity)
{
    unsigned folded = (identity ^ identity >> 24 ^ identity >> 48) & 0xffffff;
    snprintf(id, CK_ID_MAX, "%s-%06x", ck_kinds[kind].word, folded);
}
