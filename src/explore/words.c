/* SPDX-License-Identifier: Apache-2.0 */
#include "explore/words.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/alloc.h"

/* Three numbers, and what is between them. */
#define NAME_MOST 48u

char *xp_words_of(const struct xp_name *names, size_t count)
{
    size_t room = count * NAME_MOST + sizeof "order:", used = 0;
    char *words = rl_alloc(room);
    if (!words) return NULL;
    used += (size_t)snprintf(words, room, "order");
    for (size_t i = 0; i < count; i++) {
        used += (size_t)snprintf(words + used, room - used, "%c%u.%" PRIu64, i ? ',' : ':',
                                 names[i].stream, names[i].number);
        if (names[i].place != XP_WHOLE)
            used += (size_t)snprintf(words + used, room - used, ".%u", names[i].place);
    }
    return words;
}
