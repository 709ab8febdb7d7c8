/* SPDX-License-Identifier: Apache-2.0
 *
 * Where instructions come from: the files and lines that .file and .loc tell of.
 *
 * In a module made of several texts each has its own numbers of files.  So that a line of the
 * module belongs to one text, those of a text are counted on from the texts before it.
 */
#ifndef PTX_TEXT_SOURCE_H
#define PTX_TEXT_SOURCE_H

#include "ptx/text/module.h"

struct ptx_source_file {
    uint32_t number;
    const char *name;        /* without its folders; all characters are printable     */
};

/* A place in a source file; line 0 if there is none. */
struct ptx_spot {
    uint32_t file, line, column;
};

/* Instructions from a line on, up to that of the next location, come from there. */
struct ptx_location {
    uint32_t line;           /* of the text                                           */
    struct ptx_spot spot;
    struct ptx_spot caller;  /* that a compiler put the spot's function into          */
};

/* A text of the module. */
struct ptx_source {
    uint32_t before;         /* lines of the texts before it                          */
    uint32_t lines;          /* of its own                                            */
    struct ptx_source_file *files;
    uint32_t file_count;
    struct ptx_location *locations; /* by line                                        */
    uint32_t location_count;
};

/* Describes a line of a module, in words that follow "in": "line 12", or if the text says so
 * "sum.cu:31" or "sum.h:4 (called from sum.cu:31)".  Returns the line of its text. */
#define PTX_PLACE_WORDS 128
uint32_t ptx_describe_line(const struct ptx_module *module, uint32_t line,
                           char words[PTX_PLACE_WORDS]);

#endif
