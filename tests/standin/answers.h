/* SPDX-License-Identifier: Apache-2.0
 *
 * Short forms of tests of single answers that an H200 gave (driver 580.159.04).
 */
#ifndef STANDIN_ANSWERS_H
#define STANDIN_ANSWERS_H

#include "standin/modules.h"

#define ANSWERS(expected, name, parameters, arguments) \
    assert_int_equal(CALL(name, parameters, arguments), expected)

static inline int begin_with_two_devices(void **state)
{
    setenv("RILL_SIM_DEVICES", "2", 1);
    return library_setup(state);
}

static inline CUstream new_stream(void)
{
    CUstream stream;
    OK(CALL(cuStreamCreate, (CUstream *, unsigned), (&stream, CU_STREAM_NON_BLOCKING)));
    return stream;
}

#endif
