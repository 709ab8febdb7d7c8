/* SPDX-License-Identifier: Apache-2.0 */
#include "conformance/graphs/drawing.h"

#include <stdio.h>
#include <string.h>

#define MANY 64

/* ---- Drawing ------------------------------------------------------------------------ */

rill_node node(const struct drawing *drawing, char letter)
{
    return drawing->nodes[letter - 'A'];
}

rill_graph *inside(rill_graph *graph, rill_node child)
{
    rill_graph *found = NULL;
    ok(rill_node_child_graph(graph, child, &found));
    assert_non_null(found);
    return found;
}

rill_node only(rill_graph *graph)
{
    rill_node found[2];
    size_t count = 2;
    ok(rill_graph_nodes(graph, found, &count));
    assert_int_equal(count, 1);
    return found[0];
}

/* "C:AB", without what follows. */
static const char *draw_one(struct drawing *drawing, const char *text)
{
    rill_node before[26], *made = &drawing->nodes[*text++ - 'A'];
    size_t count = 0;
    rill_op op = empty_op();
    if (*text == ':')
        for (text++; *text && *text != ' '; text++) before[count++] = node(drawing, *text);
    ok(rill_graph_add_node(drawing->graph, before, count, &op, made));
    return text;
}

void draw_into(struct drawing *drawing, const char *nodes)
{
    while (*nodes) nodes = *nodes == ' ' ? nodes + 1 : draw_one(drawing, nodes);
}

struct drawing draw(struct fixture *f, const char *nodes)
{
    struct drawing drawing = { .graph = new_graph(f) };
    draw_into(&drawing, nodes);
    return drawing;
}

struct ends {
    rill_node from[MANY], to[MANY];
    size_t count;
};

static struct ends read_edges(const struct drawing *drawing, const char *text)
{
    struct ends ends = { .count = 0 };
    for (; *text; text += text[3] == ' ' ? 4 : 3) {
        ends.from[ends.count] = node(drawing, text[0]);
        ends.to[ends.count++] = node(drawing, text[2]);
    }
    return ends;
}

rill_status join(struct drawing *drawing, const char *edges)
{
    struct ends ends = read_edges(drawing, edges);
    return rill_graph_add_edges(drawing->graph, ends.from, ends.to, NULL, ends.count);
}

rill_status part(struct drawing *drawing, const char *edges)
{
    struct ends ends = read_edges(drawing, edges);
    return rill_graph_remove_edges(drawing->graph, ends.from, ends.to, NULL, ends.count);
}

void erase(struct drawing *drawing, char letter)
{
    ok(rill_graph_remove_node(drawing->graph, node(drawing, letter)));
    drawing->nodes[letter - 'A'] = NULL;
}

/* ---- Reading ------------------------------------------------------------------------- */

static char letter_of(const struct drawing *drawing, rill_node wanted)
{
    for (int i = 0; wanted && i < 26; i++)
        if (drawing->nodes[i] == wanted) return (char)('A' + i);
    return wanted ? '?' : '-';
}

static void compare(const char *what, const char *got, const char *wanted, const char *file,
                    int line)
{
    if (!strcmp(got, wanted)) return;
    print_error("%s: \"%s\"\n    not \"%s\"\n", what, got, wanted);
    _fail(file, line);
}

static void compare_nodes(const struct drawing *drawing, const char *what, const rill_node *nodes,
                          size_t count, const char *wanted, const char *file, int line)
{
    char got[MANY + 1] = "";
    for (size_t i = 0; i < count; i++) got[i] = letter_of(drawing, nodes[i]);
    compare(what, got, wanted, file, line);
}

void drawing_nodes(const struct drawing *drawing, const char *text, const char *file, int line)
{
    rill_node nodes[MANY];
    size_t count = MANY;
    fixture_check(rill_graph_nodes(drawing->graph, nodes, &count), RILL_SUCCESS,
                  "rill_graph_nodes()", file, line);
    compare_nodes(drawing, "nodes", nodes, count, text, file, line);
}

void drawing_roots(const struct drawing *drawing, const char *text, const char *file, int line)
{
    rill_node nodes[MANY];
    size_t count = MANY;
    fixture_check(rill_graph_roots(drawing->graph, nodes, &count), RILL_SUCCESS,
                  "rill_graph_roots()", file, line);
    compare_nodes(drawing, "roots", nodes, count, text, file, line);
}

void drawing_edges(const struct drawing *drawing, const char *text, const char *file, int line)
{
    rill_node from[MANY], to[MANY];
    rill_edge edges[MANY];
    size_t count = MANY;
    char got[4 * MANY + 1] = "";
    fixture_check(rill_graph_edges(drawing->graph, from, to, edges, &count), RILL_SUCCESS,
                  "rill_graph_edges()", file, line);
    for (size_t i = 0; i < count; i++)
        snprintf(got + strlen(got), 5, "%s%c>%c", i ? " " : "", letter_of(drawing, from[i]),
                 letter_of(drawing, to[i]));
    compare("edges", got, text, file, line);
}

void drawing_side(const struct drawing *drawing, char letter, const char *text, bool before,
                  const char *file, int line)
{
    rill_node nodes[MANY];
    rill_edge edges[MANY];
    size_t count = MANY;
    rill_status (*list)(rill_graph *, rill_node, rill_node *, rill_edge *, size_t *) =
        before ? rill_node_dependencies : rill_node_dependents;
    fixture_check(list(drawing->graph, node(drawing, letter), nodes, edges, &count),
                  RILL_SUCCESS, "a list of one side", file, line);
    compare_nodes(drawing, before ? "dependencies" : "dependents", nodes, count, text, file,
                  line);
}

void drawing_counts(rill_graph *graph, const char *text, const char *file, int line)
{
    size_t nodes = 99, edges = 99, roots = 99;
    char got[64];
    fixture_check(rill_graph_nodes(graph, NULL, &nodes), RILL_SUCCESS, "nodes", file, line);
    fixture_check(rill_graph_edges(graph, NULL, NULL, NULL, &edges), RILL_SUCCESS, "edges", file,
                  line);
    fixture_check(rill_graph_roots(graph, NULL, &roots), RILL_SUCCESS, "roots", file, line);
    snprintf(got, sizeof got, "%zu/%zu/%zu", nodes, edges, roots);
    compare("nodes/edges/roots", got, text, file, line);
}
