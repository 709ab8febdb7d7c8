/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_GLIBC_H
#define TEST_GLIBC_H

#include <limits.h> /* a header of the C library, for what it is */

/* The C library is glibc, of this version or a newer one.  Others do not have the question, either,
 * which the preprocessor has to read. */
#ifdef __GLIBC__
#define GLIBC_SINCE(major, minor) __GLIBC_PREREQ(major, minor)
#else
#define GLIBC_SINCE(major, minor) 0
#endif

#endif
