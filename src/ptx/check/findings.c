/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx/check/findings.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"

static bool has_line(const struct ptx_finding *finding, uint32_t line)
{
    for (uint32_t i = 0; i < finding->line_count; i++)
        if (finding->lines[i] == line) return true;
    return finding->line == line;
}

bool ptx_findings_count(struct ptx_findings *findings, enum ptx_wrong wrong, uint32_t line,
                        unsigned does)
{
    for (struct ptx_finding *at = findings->first; at; at = at->next)
        if (at->wrong == wrong && at->does == does && has_line(at, line)) {
            at->count++;
            return true;
        }
    return false;
}

/* Returns what is known of a place, after the line was noted as one of it, or NULL. */
static struct ptx_finding *find_place(const struct ptx_findings *findings, enum ptx_wrong wrong,
                                      uint32_t line, unsigned does, const char *place)
{
    struct ptx_finding *at = findings->first;
    while (at && !(at->wrong == wrong && at->does == does && !strcmp(at->place, place)))
        at = at->next;
    if (at && at->line_count < PTX_FINDING_LINES) at->lines[at->line_count++] = line;
    return at;
}

struct ptx_finding *ptx_findings_add(struct ptx_findings *findings, enum ptx_wrong wrong,
                                     uint32_t line, unsigned does, const char *place)
{
    struct ptx_finding *finding = find_place(findings, wrong, line, does, place);
    if (finding) {
        finding->count++;
        return finding;
    }
    if (findings->count < PTX_FINDINGS_MOST) finding = rl_zalloc(sizeof *finding);
    if (!finding) {
        findings->left_out++;
        return NULL;
    }
    *finding = (struct ptx_finding){ .wrong = wrong, .line = line, .does = does, .count = 1 };
    snprintf(finding->place, sizeof finding->place, "%s", place);
    if (findings->last) findings->last->next = finding;
    else findings->first = finding;
    findings->last = finding;
    findings->count++;
    return finding;
}

void ptx_findings_fini(struct ptx_findings *findings)
{
    while (findings->first) {
        struct ptx_finding *next = findings->first->next;
        rl_free(findings->first);
        findings->first = next;
    }
    *findings = (struct ptx_findings){ .first = NULL };
}
