/* SPDX-License-Identifier: Apache-2.0
 *
 * A backend around another one, whose calls can be made to fail: the Nth of
 * all, or of some.  There is one at a time.
 *
 * Slots go by the names in core/contract.c, "backend->stream->submit", and a set
 * of them by what their names begin with: "backend->stream->", or "" for all.
 */
#ifndef SHIM_BACKEND_H
#define SHIM_BACKEND_H

#include <rill/backend.h>

/* The tables around `inner`, under a name of their own.  A slot that `inner`
 * lacks is lacking here. */
const struct rill_backend *shim_backend(const struct rill_backend *inner, const char *name);

/* From now on the Nth call of a slot in the set fails with `status`, and none
 * after it; 0: no call fails.  Counts from here.  What must happen although a
 * call fails still happens: a destroy gives back, a capture ends, a host
 * function's data is destroyed. */
void shim_fail(const char *set, long nth, rill_status status);

/* The same for the Nth call and all after it. */
void shim_fail_from(const char *set, long nth, rill_status status);

/* Calls in the set since then, whether they failed or not. */
long shim_calls(void);

/* Whether a call was made to fail since then. */
int shim_failed(void);

/* The slot that was called last; NULL after shim_forget(). */
const char *shim_last(void);
void shim_forget(void);

/* Takes a slot or a table away, by name, until it is put back. */
void shim_lack(const char *name);
void shim_restore(void);

#endif
