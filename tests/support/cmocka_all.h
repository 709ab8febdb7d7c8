/* SPDX-License-Identifier: Apache-2.0
 *
 * cmocka, after the headers that it needs and does not include.
 */
#ifndef CMOCKA_ALL_H
#define CMOCKA_ALL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#endif
