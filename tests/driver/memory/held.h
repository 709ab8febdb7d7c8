/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls while a stream is held.
 */
#ifndef ORACLE_MEMORY_HELD_H
#define ORACLE_MEMORY_HELD_H

#include "../streams.h"

/* Makes the call while stream s is held: does it return at once, or only after
 * the stream was let go? */
#define WHILE_HELD(label, s, expr)                                                                 \
    do {                                                                                           \
        static Later o_;                                                                           \
        shut(t);                                                                                   \
        OK(gate(t, s));                                                                            \
        open_later(&o_, t, 300);                                                                   \
        CUresult r_ = (expr);                                                                      \
        int w_ = opened(&o_);                                                                      \
        open_join(&o_);                                                                            \
        say(t, " %s=%s/%s", label, ename(r_), w_ ? "waited" : "at_once");                          \
        OK(cuCtxSynchronize());                                                                    \
    } while (0)

#endif
