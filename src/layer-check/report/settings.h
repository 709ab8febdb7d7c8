/* SPDX-License-Identifier: Apache-2.0
 *
 * The settings in $RILL_CHECK: words between blanks, where a backslash keeps the blank or
 * backslash after it.
 */
#ifndef CK_SETTINGS_H
#define CK_SETTINGS_H

#include <rill/check.h>

#include <stdbool.h>
#include <stddef.h>

enum { CK_PATH_MAX = 4096, CK_WHY_MAX = CK_PATH_MAX + 256 };

/* Which pages of pinned memory are protected, so that the host is seen to touch them. */
enum ck_protection {
    CK_PROTECT_SAFELY, /* those that no right program hands to the system             */
    CK_PROTECT_NONE,
    CK_PROTECT_ALL     /* all that work touches, and all while a function of the host runs */
};

struct ck_settings {
    unsigned wanted;    /* a bit for each rill_finding_kind that is looked for            */
    int stack;          /* how many callers of a call are told                            */
    int quarantine;     /* MiB of addresses that were freed and are not used again yet    */
    int exitcode;       /* of a process with findings; 0: its own                         */
    bool list_unused;   /* say which suppressions nothing matched                         */
    enum ck_protection protection;
    char log[CK_PATH_MAX];          /* "": stderr                                         */
    char json[CK_PATH_MAX];         /* "": none                                           */
    char suppressions[CK_PATH_MAX]; /* "": none                                           */
};

/* Reads settings; NULL and "" are the defaults.  Returns false, with a sentence in `why`
 * that has the word at fault, if there is one. */
bool ck_settings_read(struct ck_settings *settings, const char *text, char why[CK_WHY_MAX]);

/* Tells whether a kind is looked for. */
static inline bool ck_wants(const struct ck_settings *settings, rill_finding_kind kind)
{
    return settings->wanted >> kind & 1;
}

#endif
