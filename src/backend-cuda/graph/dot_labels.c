/* SPDX-License-Identifier: Apache-2.0
 *
 * Labels in Graphviz text.  The label of a node is an "xlabel" next to what the driver wrote
 * into the node.
 */
#include "backend-cuda/graph/dot.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static void put_text(struct cuda_dot *dot, const char *text)
{
    cuda_dot_put(dot, text, strlen(text));
}

/* Writes a quoted string on one line, and escapes what would end it. */
static void put_quoted(struct cuda_dot *dot, const char *text)
{
    put_text(dot, "\"");
    for (;;) {
        size_t plain = strcspn(text, "\"\\\n");
        cuda_dot_put(dot, text, plain);
        text += plain;
        if (!*text) break;
        put_text(dot, *text == '\n' ? "\\n" : *text == '"' ? "\\\"" : "\\\\");
        text++;
    }
    put_text(dot, "\"");
}

/* ---- What the driver calls a node ------------------------------------------------ */

static bool is_digit(char c)
{
    return isxdigit((unsigned char)c) != 0;
}

/* Returns where the handle stands as a number of its own, leading zeros aside, or NULL. */
static const char *find_handle(const char *names, CUgraphNode raw)
{
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%llX", (unsigned long long)(uintptr_t)raw);
    for (const char *at = names; (at = strstr(at, digits)); at++) {
        const char *front = at;
        while (front > names && front[-1] == '0') front--;
        if (front - names >= 2 && front[-1] == 'x' && !is_digit(at[length])) return at;
    }
    return NULL;
}

/* Finds the name of a node: it is quoted, at the begin of the line of the statement that has
 * the handle. */
static bool find_name(const char *names, CUgraphNode raw, const char **name, size_t *bytes)
{
    const char *at = names ? find_handle(names, raw) : NULL;
    for (; at && at > names; at--) {
        if (at[0] != '"' || at[-1] != '\n') continue;
        const char *end = strchr(at + 1, '"');
        if (!end || end[1] != '[') continue;
        *name = at;
        *bytes = (size_t)(end + 1 - at);
        return true;
    }
    return false;
}

/* ---- Statements ------------------------------------------------------------------ */

static void put_label(struct cuda_dot *dot, const char *names, CUgraphNode raw, const char *label)
{
    const char *name;
    size_t bytes;
    if (!find_name(names, raw, &name, &bytes)) {
        put_text(dot, "// ");
        put_quoted(dot, label);
        put_text(dot, "\n");
        return;
    }
    cuda_dot_put(dot, name, bytes);
    put_text(dot, "[xlabel=");
    put_quoted(dot, label);
    put_text(dot, "];\n");
}

static void put_nodes(struct cuda_dot *dot, const struct cuda_graph *graph, const char *names)
{
    for (size_t i = 0; graph->nodes.notes && i < graph->nodes.room; i++) {
        const struct cuda_slot *slot = &graph->nodes.slots[i];
        if (slot->raw && slot->note && slot->note->label)
            put_label(dot, names, slot->raw, slot->note->label);
    }
    for (const struct cuda_graph *inner = graph->inner; inner; inner = inner->sibling)
        put_nodes(dot, inner, names);
}

void cuda_dot_labels(struct cuda_dot *dot, const struct cuda_graph *graph, const char *names)
{
    const char *label = rill_graph_label(graph->handle);
    if (label) {
        put_text(dot, "label=");
        put_quoted(dot, label);
        put_text(dot, ";\n");
    }
    if (names) put_nodes(dot, graph, names);
}
