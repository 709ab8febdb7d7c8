/* SPDX-License-Identifier: Apache-2.0 */
#include "standin/abi/version.h"

#include <stdio.h>

#include "base/thread.h"

/* Reads "12.4" as 12040; returns 0 if the text is no version. */
static int read_version(const char *text)
{
    int major = 0, minor = 0;
    char more;
    if (!text || sscanf(text, "%d.%d%c", &major, &minor, &more) != 2) return 0;
    return major > 0 && minor >= 0 && minor < 100 ? 1000 * major + 10 * minor : 0;
}

int si_profile = 13000;

/* RILL_SIM_DRIVER cannot ask for a newer version than the library plays. */
int si_version(void)
{
    int asked = read_version(rl_getenv("RILL_SIM_DRIVER"));
    return asked && asked < si_profile ? asked : si_profile;
}
