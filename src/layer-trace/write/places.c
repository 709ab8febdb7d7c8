/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-trace/write/places.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "layer-trace/record/names.h"
#include "site/site.h"

enum { TEXT_MOST = 256, JSON_MOST = 2 * 6 * TEXT_MOST + 64 };

/* Puts the end of a text, where a path has its file. */
static size_t put_text(char *json, const char *words, const char *text)
{
    size_t length = strlen(text), skip = length < TEXT_MOST ? 0 : length - TEXT_MOST;
    size_t used = (size_t)sprintf(json, ",\"%s\":\"", words);
    used += tr_escape(json + used, text + skip, length - skip);
    json[used++] = '"';
    return used;
}

/* Writes where a site is, as far as is known.  Returns how long that is. */
static size_t describe_site(const void *site, char json[JSON_MOST])
{
    struct cs_source source;
    char line[TEXT_MOST];
    size_t used = 0;
    if (!cs_find_source(site, &source)) return 0;
    if (source.file) snprintf(line, sizeof line, "%s:%d", source.file, source.line);
    else if (source.module)
        snprintf(line, sizeof line, "%s+0x%" PRIx64, source.module, source.offset);
    if (source.file || source.module) used += put_text(json, "line", line);
    if (source.function) used += put_text(json + used, "function", source.function);
    return used;
}

const struct tr_place *tr_place_of(struct tr_places *places, const void *site)
{
    char json[JSON_MOST];
    uintptr_t number = (uintptr_t)site;
    struct tr_place **bucket = &places->buckets[(number ^ number >> 8) % TR_PLACE_BUCKETS];
    struct tr_place *place = *bucket;
    while (place && place->site != site) place = place->next;
    if (place) return place;
    size_t length = describe_site(site, json);
    place = rl_alloc(sizeof *place + length);
    if (!place) return NULL;
    *place = (struct tr_place){ .next = *bucket, .site = site, .length = length };
    memcpy(place->json, json, length);
    return *bucket = place;
}

void tr_places_fini(struct tr_places *places)
{
    for (size_t i = 0; i < TR_PLACE_BUCKETS; i++)
        while (places->buckets[i]) {
            struct tr_place *place = places->buckets[i];
            places->buckets[i] = place->next;
            rl_free(place);
        }
}
