/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-trace/trace/settings.h"

#include <stdio.h>
#include <string.h>

/* Copies the next word without its backslashes.  Returns what follows it, or NULL if the
 * word is too long. */
static const char *take_word(const char *text, char word[TR_PATH_MAX])
{
    size_t length = 0;
    for (; *text && *text != ' ' && *text != '\t' && *text != '\n'; text++) {
        if (*text == '\\' && text[1]) text++;
        if (length + 1 == TR_PATH_MAX) return NULL;
        word[length++] = *text;
    }
    word[length] = 0;
    return text;
}

static bool read_word(struct tr_settings *settings, const char *word)
{
    if (!strncmp(word, "file=", 5) && word[5]) strcpy(settings->file, word + 5);
    else if (!strncmp(word, "graphs=", 7) && word[7]) strcpy(settings->graphs, word + 7);
    else if (!strcmp(word, "timeline")) settings->timeline = true;
    else if (!strncmp(word, "drawn=", 6) && word[6]) strcpy(settings->drawn, word + 6);
    else return false;
    return true;
}

bool tr_settings_read(struct tr_settings *settings, const char *text, char why[TR_WHY_MAX])
{
    char word[TR_PATH_MAX];
    settings->file[0] = settings->graphs[0] = settings->drawn[0] = 0;
    settings->timeline = false;
    for (text = text ? text : ""; *(text += strspn(text, " \t\n"));) {
        text = take_word(text, word);
        if (text && read_word(settings, word)) continue;
        if (text)
            snprintf(why, TR_WHY_MAX, "$RILL_TRACE: there is no setting \"%s\"; there are "
                     "file=FILE, graphs=FOLDER and timeline", word);
        else
            snprintf(why, TR_WHY_MAX, "$RILL_TRACE: a word is longer than %d bytes",
                     TR_PATH_MAX - 1);
        return false;
    }
    return true;
}
