/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx/check/findings.h"

#include "base/alloc.h"

static struct ptx_finding *find_known(const struct ptx_findings *findings, enum ptx_wrong wrong,
                                      uint32_t line, unsigned does)
{
    struct ptx_finding *at = findings->first;
    while (at && !(at->wrong == wrong && at->line == line && at->does == does)) at = at->next;
    return at;
}

struct ptx_finding *ptx_findings_add(struct ptx_findings *findings, enum ptx_wrong wrong,
                                     uint32_t line, unsigned does, uint32_t other)
{
    struct ptx_finding *finding = find_known(findings, wrong, line, does);
    if (finding) {
        finding->count++;
        return finding;
    }
    if (findings->count < PTX_FINDINGS_MOST) finding = rl_zalloc(sizeof *finding);
    if (!finding) {
        findings->left_out++;
        return NULL;
    }
    *finding = (struct ptx_finding){ .wrong = wrong, .line = line, .other = other, .does = does,
                                     .count = 1 };
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
