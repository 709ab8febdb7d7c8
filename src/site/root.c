/* SPDX-License-Identifier: Apache-2.0 */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "site/root.h"

#include <stdint.h>
#include <sys/auxv.h>

#ifdef RILL_HAVE_UNWINDER
#include <unwind.h>

/* The code at the entry of a program calls the C library, and is no longer than so many bytes up to
 * there. */
enum { ENTRY_BYTES = 128 };

static _Unwind_Reason_Code keep_address(struct _Unwind_Context *context, void *data)
{
    uintptr_t *outermost = data;
    if (_Unwind_GetIP(context)) *outermost = _Unwind_GetIP(context);
    return _URC_NO_REASON;
}

bool cs_leads_to_entry(void)
{
    uintptr_t outermost = 0, entry = getauxval(AT_ENTRY);
    _Unwind_Backtrace(keep_address, &outermost);
    return entry && outermost - entry <= ENTRY_BYTES;
}

#else

bool cs_leads_to_entry(void)
{
    return false;
}

#endif
