/* SPDX-License-Identifier: Apache-2.0
 *
 * The words of special registers until special.c brings what reads them.
 */
#include "ptx/special.h"

#include <string.h>

#define VECTOR(word) { word, PTX_U32, 4, NULL }
#define WORD(word) { word, PTX_U32, 1, NULL }
#define LONG(word) { word, PTX_U64, 1, NULL }

static const struct ptx_special_row rows[] = {
    VECTOR("%tid"), VECTOR("%ntid"), VECTOR("%ctaid"), VECTOR("%nctaid"), WORD("%laneid"),
    WORD("%warpid"), WORD("%nwarpid"), WORD("%smid"), WORD("%nsmid"), LONG("%gridid"),
    { "%is_explicit_cluster", PTX_PRED, 1, NULL }, VECTOR("%clusterid"), VECTOR("%nclusterid"),
    VECTOR("%cluster_ctaid"), VECTOR("%cluster_nctaid"), WORD("%cluster_ctarank"),
    WORD("%cluster_nctarank"), WORD("%lanemask_eq"), WORD("%lanemask_le"), WORD("%lanemask_lt"),
    WORD("%lanemask_ge"), WORD("%lanemask_gt"), WORD("%clock"), WORD("%clock_hi"),
    LONG("%clock64"), LONG("%globaltimer"), WORD("%globaltimer_lo"), WORD("%globaltimer_hi"),
    WORD("%total_smem_size"), WORD("%aggr_smem_size"), WORD("%dynamic_smem_size"),
    LONG("%current_graph_exec"),
};

#define ROWS (sizeof rows / sizeof *rows)

__attribute__((weak)) const struct ptx_special_row *ptx_special_row(uint8_t id)
{
    return id < ROWS ? &rows[id] : NULL;
}

__attribute__((weak)) bool ptx_find_special(const char *word, size_t bytes,
                                            struct ptx_special *special)
{
    for (size_t i = 0; i < ROWS; i++)
        if (strlen(rows[i].word) == bytes && memcmp(rows[i].word, word, bytes) == 0) {
            *special = (struct ptx_special){ .word = rows[i].word, .id = (uint8_t)i };
            return true;
        }
    return false;
}
