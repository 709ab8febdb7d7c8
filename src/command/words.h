/* SPDX-License-Identifier: Apache-2.0
 *
 * What the layers are told by the environment: which there are, and settings as words between
 * blanks, where a backslash keeps the blank or backslash after it.
 */
#ifndef COMMAND_WORDS_H
#define COMMAND_WORDS_H

#include <stdbool.h>
#include <stddef.h>

/* Has room for several names of files, each of which may double in length. */
enum { COMMAND_WORDS_ROOM = 65536 };

struct command_words {
    size_t size;
    bool cut;
    char text[COMMAND_WORDS_ROOM];
};

void command_put_letter(struct command_words *words, char letter);
void command_put_text(struct command_words *words, const char *text);

/* Puts a value as part of a word. */
void command_put_value(struct command_words *words, const char *value);

/* Puts the name of a file with the folder, since the program may go to another one before it
 * begins.  With `percent`, the layer takes "%%" for "%". */
void command_put_file(struct command_words *words, const char *path, bool percent);

/* Tells whether the file can be written as far as can be told before it is.  If not, errno says
 * why. */
bool command_is_writable(const char *path);

/* Makes an empty file of the user's own in the folder for temporary files, FAMILY-XXXXXX.  Returns
 * false, and "" as its name, if it cannot. */
bool command_make_file(const char *family, char *name, size_t room);

/* The words of what the stand-in writes, with commas between. */
#define COMMAND_LOG "RILL_LOG"

/* Tells whether the environment asks for the layer. */
bool command_has_layer(const char *layer);

/* Puts the layer over those that are asked for already.  Returns false if memory is short. */
bool command_add_layer(const char *layer);

#endif
