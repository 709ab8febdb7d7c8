/* SPDX-License-Identifier: Apache-2.0 */
#include "conformance/captures/capturing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Doing ------------------------------------------------------------------------ */

rill_status begin_into(rill_stream *stream, rill_graph *graph, const rill_node *dependencies,
                       size_t count, rill_capture_mode mode)
{
    const rill_capture_options options = {
        .size = sizeof options, .mode = mode, .graph = graph, .dependencies = dependencies,
        .dependency_count = count,
    };
    return rill_stream_begin_capture(stream, &options);
}

rill_status begin(rill_stream *stream, rill_capture_mode mode)
{
    return begin_into(stream, NULL, NULL, 0, mode);
}

rill_status letter(struct fixture *f, rill_stream *stream, char letter)
{
    return rill_memset_d32_async(stream, address_of(f, f->words), (unsigned char)letter, 1);
}

void follow(struct fixture *f, rill_stream *from, rill_stream *to)
{
    rill_event *event = new_event(f);
    ok(rill_event_record(event, from, 0));
    ok(rill_stream_wait_event(to, event, 0));
}

void works_again(struct fixture *f, rill_stream *stream)
{
    atomic_uint *word = new_word(f);
    ok(rill_memset_d32_async(stream, address_of(f, word), 77, 1));
    ok(rill_stream_synchronize(stream));
    assert_int_equal(atomic_load(word), 77);
}

/* ---- Looking ---------------------------------------------------------------------- */

static rill_capture_info look(rill_stream *stream)
{
    rill_capture_info info = { .size = sizeof info };
    ok(rill_stream_capture_info(stream, &info));
    return info;
}

void capturing_state(rill_stream *stream, rill_capture_state state, const char *file, int line)
{
    rill_capture_info info = look(stream);
    if (info.state == state) return;
    print_error("its capture state is %d, not %d\n", (int)info.state, (int)state);
    _fail(file, line);
}

rill_graph *live_graph(rill_stream *stream)
{
    rill_capture_info info = look(stream);
    assert_int_equal(info.state, RILL_CAPTURE_ACTIVE);
    return info.graph;
}

rill_node last_node(rill_stream *stream)
{
    rill_capture_info info = look(stream);
    assert_int_equal(info.dependency_count, 1);
    return info.dependencies[0];
}

/* ---- Words ------------------------------------------------------------------------- */

static char name(rill_graph *graph, rill_node node)
{
    static const char kinds[] = "kcmhgewrssafvd";
    rill_op op;
    ok(rill_node_get_op(graph, node, &op));
    if (op.kind == RILL_OP_MEMSET && op.memset.value >= 'A' && op.memset.value <= 'Z')
        return (char)op.memset.value;
    return (size_t)op.kind < sizeof kinds - 1 ? kinds[op.kind] : '?';
}

static int by_text(const void *left, const void *right)
{
    return strcmp(left, right);
}

static void sort(char (*words)[4], size_t count)
{
    qsort(words, count, sizeof *words, by_text);
}

static void join_words(char *text, size_t room, char (*words)[4], size_t count, const char *between)
{
    size_t length = strlen(text);
    for (size_t i = 0; i < count && length < room; i++)
        length += (size_t)snprintf(text + length, room - length, "%s%s", i ? between : "",
                                   words[i]);
}

#define MANY 64

static void write_shape(rill_graph *graph, char *text, size_t room)
{
    static rill_node nodes[MANY], from[MANY], to[MANY];
    static rill_edge edges[MANY];
    static char words[MANY][4];
    size_t count = MANY, edge_count = MANY;
    ok(rill_graph_nodes(graph, nodes, &count));
    ok(rill_graph_edges(graph, from, to, edges, &edge_count));
    for (size_t i = 0; i < count; i++)
        snprintf(words[i], sizeof *words, "%c", name(graph, nodes[i]));
    sort(words, count);
    join_words(text, room, words, count, " ");
    if (!edge_count) return;
    snprintf(text + strlen(text), room - strlen(text), " | ");
    for (size_t i = 0; i < edge_count; i++)
        snprintf(words[i], sizeof *words, "%c>%c", name(graph, from[i]), name(graph, to[i]));
    sort(words, edge_count);
    join_words(text, room, words, edge_count, " ");
}

static void compare(const char *got, const char *wanted, const char *file, int line)
{
    if (!strcmp(got, wanted)) return;
    print_error("it is \"%s\", not \"%s\"\n", got, wanted);
    _fail(file, line);
}

void capturing_behind(rill_stream *stream, const char *letters, const char *file, int line)
{
    static char words[MANY][4];
    char text[256] = "";
    rill_capture_info info = look(stream);
    assert_int_equal(info.state, RILL_CAPTURE_ACTIVE);
    assert_true(info.dependency_count <= MANY);
    for (size_t i = 0; i < info.dependency_count; i++)
        snprintf(words[i], sizeof *words, "%c", name(info.graph, info.dependencies[i]));
    sort(words, info.dependency_count);
    join_words(text, sizeof text, words, info.dependency_count, ",");
    compare(text, letters, file, line);
}

void capturing_holds(rill_graph *graph, const char *shape, const char *file, int line)
{
    char text[1024] = "";
    write_shape(graph, text, sizeof text);
    compare(text, shape, file, line);
}

void capturing_gives(rill_stream *stream, const char *shape, const char *file, int line)
{
    rill_graph *graph = NULL;
    rill_status status = rill_stream_end_capture(stream, &graph);
    fixture_check(status, RILL_SUCCESS, "rill_stream_end_capture()", file, line);
    capturing_state(stream, RILL_CAPTURE_NONE, file, line);
    capturing_holds(graph, shape, file, line);
    ok(rill_graph_destroy(&graph));
}

rill_graph *ended(rill_stream *stream)
{
    rill_graph *graph = NULL;
    ok(rill_stream_end_capture(stream, &graph));
    return graph;
}

void capturing_fails(rill_status status, rill_stream *stream, const char *file, int line)
{
    static int word;
    rill_graph *graph = (rill_graph *)&word;
    rill_status got = rill_stream_end_capture(stream, &graph);
    fixture_check(got, status, "rill_stream_end_capture()", file, line);
    assert_null(graph);
    capturing_state(stream, RILL_CAPTURE_NONE, file, line);
}
