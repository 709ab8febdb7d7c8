/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-trace/record/names.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "site/plain.h"

enum { LENGTH_MOST = 512 };

/* ---- JSON ------------------------------------------------------------------------------ */

/* Returns how many bytes of UTF-8 the character at `text` has, or 0 if it is none. */
static size_t utf8_length(const unsigned char *text)
{
    size_t length = *text < 0x80 ? 1 : *text >= 0xc2 && *text < 0xe0 ? 2 : *text >= 0xe0 &&
                    *text < 0xf0 ? 3 : *text >= 0xf0 && *text < 0xf5 ? 4 : 0;
    for (size_t i = 1; i < length; i++)
        if ((text[i] & 0xc0) != 0x80) return 0;
    return length;
}

size_t tr_escape(char *out, const char *text, size_t length)
{
    size_t used = 0;
    for (size_t i = 0; i < length;) {
        const unsigned char *at = (const unsigned char *)text + i;
        size_t whole = utf8_length(at);
        if (whole > length - i) whole = 0;
        if (!whole || *at < 0x20) {
            used += (size_t)sprintf(out + used, "\\u%04x", whole ? *at : 0xfffd);
            i++;
            continue;
        }
        if (*at == '"' || *at == '\\') out[used++] = '\\';
        memcpy(out + used, at, whole);
        used += whole;
        i += whole;
    }
    out[used] = 0;
    return used;
}

/* ---- Names ----------------------------------------------------------------------------- */

static unsigned bucket_of(const char *text, size_t length)
{
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < length; i++) hash = (hash ^ (unsigned char)text[i]) * 16777619u;
    return hash % TR_NAME_BUCKETS;
}

static struct tr_name *make_name(const char *text, size_t length)
{
    char given[LENGTH_MOST + 1], plain[LENGTH_MOST + 1];
    memcpy(given, text, length);
    given[length] = 0;
    cs_plain_name(given, plain, sizeof plain);
    size_t shown = strlen(plain);
    struct tr_name *name = rl_alloc(sizeof *name + length + 1 + shown + 1 + 6 * shown + 1);
    if (!name) return NULL;
    char *behind = name->given + length + 1, *json = behind + shown + 1;
    memcpy(name->given, given, length + 1);
    memcpy(behind, plain, shown + 1);
    name->text = behind;
    name->json = json;
    name->length = tr_escape(json, plain, shown);
    return name;
}

static bool has_text(const struct tr_name *name, const char *text, size_t length)
{
    return !strncmp(name->given, text, length) && !name->given[length];
}

static const struct tr_name *find_name(struct tr_name *name, const char *text, size_t length)
{
    while (name && !has_text(name, text, length)) name = name->next;
    return name;
}

static const struct tr_name *name_of(struct tr_names *names, const char *text)
{
    static const struct tr_name none = { .length = 1, .json = "?", .text = "?" };
    size_t length = strnlen(text, LENGTH_MOST);
    _Atomic(struct tr_name *) *bucket = &names->buckets[bucket_of(text, length)];
    const struct tr_name *found = find_name(atomic_load(bucket), text, length);
    if (found) return found;
    struct tr_name *made = make_name(text, length);
    if (!made) return &none;
    rl_lock(&names->lock);
    made->next = atomic_load(bucket);
    found = find_name(made->next, text, length);
    if (!found) atomic_store(bucket, made);
    rl_unlock(&names->lock);
    if (!found) return made;
    rl_free(made);
    return found;
}

const struct tr_name *tr_name_of(struct tr_names *names, struct tr_recent_names *recent,
                                 const char *text)
{
    size_t at = ((uintptr_t)text >> 4 ^ (uintptr_t)text >> 10) % TR_NAMES_RECENT;
    const struct tr_name *name = recent->items[at].name;
    if (recent->items[at].text == text && !strcmp(name->given, text)) return name;
    name = name_of(names, text);
    if (strnlen(text, LENGTH_MOST) < LENGTH_MOST) {
        recent->items[at].text = text;
        recent->items[at].name = name;
    }
    return name;
}

void tr_names_fini(struct tr_names *names)
{
    for (size_t i = 0; i < TR_NAME_BUCKETS; i++) {
        struct tr_name *name = atomic_load(&names->buckets[i]);
        atomic_store(&names->buckets[i], NULL);
        while (name) {
            struct tr_name *next = name->next;
            rl_free(name);
            name = next;
        }
    }
}
