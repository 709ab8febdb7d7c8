/* SPDX-License-Identifier: Apache-2.0
 *
 * Call sites: which place of the program made the call that is going on, taken cheaply when
 * it is made and told as file and line when somebody reads of it.
 */
#ifndef CS_SITE_H
#define CS_SITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns the site of the innermost call of the program into the library: the address to
 * which that call returns, or one that stands for a line of Python.  Returns NULL if nobody
 * can tell.  Equal places of the program have equal sites, but for code that is inlined or
 * unrolled.  Takes some 40 instructions for each frame of the library; the first call of a place
 * takes microseconds and the loader's lock, so the caller should hold no lock. */
const void *cs_site_here(void);

/* A call of the program into the library. */
struct cs_call {
    const void *site; /* cs_site_here()                                                    */
    const char *name; /* "cudaMemcpyAsync", "cuMemcpyHtoDAsync": a call of the driver or of the
                         runtime; NULL for those of <rill/...>, and if nobody can tell; stays */
    const void *stack; /* where the frame of the function that called ends, and those of the
                          library begin; NULL if nobody can tell                           */
};
struct cs_call cs_call_here(void);

/* Returns the name of the call that a site made, or NULL, also if it has made several: a function
 * of the program may be told which one to call. */
const char *cs_call_name(const void *site);

enum { CS_CALLERS_MAX = 15 };

/* Has sites that are taken from now on stand for up to so many callers of their call as well; none
 * at first.  Such sites are equal if all of that is.  Taking one takes microseconds. */
void cs_keep_callers(unsigned count);

/* Returns the site of the call alone. */
const void *cs_site_alone(const void *site);

/* Where a site is.  All text stays until cs_forget_sources(). */
struct cs_source {
    const char *file;     /* "pipeline.c", "src/pipeline.c"; NULL if nobody can tell     */
    int line;             /* 0 without a file                                            */
    const char *function; /* that made the call, or NULL                                 */
    const char *module;   /* base name of the program or library; NULL: it is in neither */
    uint64_t offset;      /* of the address in the module, as addr2line takes it; without
                             a module, the address                                       */
};

/* Finds out where a site is.  The first time for an address, this reads the debug
 * information of its module, which may take a second.  Returns false, with the address
 * alone, for NULL, for an address that is in no module, and if memory is short. */
bool cs_find_source(const void *site, struct cs_source *source);

/* Copies the name of the function at an address as the linker has it, without debug information.
 * Returns false if nobody can tell. */
bool cs_find_function(uintptr_t address, char *name, size_t room);

/* Finds out where the callers of a site's call are, from the inside out, functions that the
 * compiler has inlined among them.  Returns how many there are, at most `room`. */
size_t cs_find_callers(const void *site, struct cs_source *callers, size_t room);

/* Tells whether two sites are one line of the program, of which the compiler has made copies, and
 * their callers are.  Finds both sources. */
bool cs_same_line(const void *a, const void *b);

/* Returns a sentence if some place could not be told as file and line for want of a library
 * that reads debug information, and what to install; or else NULL. */
const char *cs_source_hint(void);

/* Frees what cs_find_source() keeps.  Sites stay.  For tests, which count what is left: what is
 * told at the end of a process points there. */
void cs_forget_sources(void);

#endif
