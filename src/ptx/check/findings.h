/* SPDX-License-Identifier: Apache-2.0
 *
 * What is found wrong in a launch that goes on all the same.  Of what a place does wrong with
 * others that do the same there is one finding.  A place is a line of the source where that is
 * known, of which a compiler that unrolls a loop makes many lines of the text.
 */
#ifndef PTX_CHECK_FINDINGS_H
#define PTX_CHECK_FINDINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PTX_FINDINGS_MOST 256u
#define PTX_FINDING_LINES 8u
#define PTX_FINDING_PLACE 128u

enum ptx_wrong { PTX_WRONG_RACE, PTX_WRONG_UNWRITTEN, PTX_WRONG_BARRIER };

struct ptx_finding {
    struct ptx_finding *next;
    enum ptx_wrong wrong;
    uint32_t line;           /* of the module (text/source.h), the first at the place */
    uint32_t lines[PTX_FINDING_LINES]; /* others there, to be found sooner           */
    uint32_t line_count;
    char place[PTX_FINDING_PLACE]; /* as the sentence has it                         */
    uint32_t other;          /* the first line that it was met with, or 0             */
    unsigned does;           /* what is done there                                    */
    uint64_t address;        /* of global memory, or 0                                */
    uint32_t bytes;
    uint64_t count;          /* how often it was met                                  */
    char sentence[600];      /* without what changes from run to run                  */
};

/* Of a launch.  All zeros: nothing was found. */
struct ptx_findings {
    struct ptx_finding *first, *last; /* in the order in which they were found        */
    uint32_t count;
    uint64_t left_out;       /* findings beyond the most, or for lack of memory       */
    bool partial;            /* memory was short: not everything was looked at        */
};

/* Counts one more of what is known of a line.  Returns false if nothing is. */
bool ptx_findings_count(struct ptx_findings *findings, enum ptx_wrong wrong, uint32_t line,
                        unsigned does);

/* Counts one more of what is known of the line's place, or lists a new finding, whose sentence is
 * empty until the caller fills it in.  Returns NULL if it is left out. */
struct ptx_finding *ptx_findings_add(struct ptx_findings *findings, enum ptx_wrong wrong,
                                     uint32_t line, unsigned does, const char *place);

void ptx_findings_fini(struct ptx_findings *findings);

#endif
