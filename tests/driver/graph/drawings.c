/* SPDX-License-Identifier: Apache-2.0
 *
 * Graphs: drawings in DOT.
 */
#include "graph_shapes.h"

static int count_of(const char *hay, const char *needle)
{
    int n = 0;
    for (const char *s = hay; (s = strstr(s, needle)); s += strlen(needle)) n++;
    return n;
}

/* Whole file as a string, NULL where it cannot be opened. */
static char *text(const char *path)
{
    FILE *f = fopen(path, "rb");
    if (!f) return NULL;
    char *b = calloc(1, 1 << 20);
    size_t n = fread(b, 1, (1 << 20) - 1, f);
    b[n] = 0;
    fclose(f);
    return b;
}

static void dot_say(T *t, const char *label, CUgraph g, unsigned flags)
{
    char path[64];
    snprintf(path, sizeof path, "/tmp/oracle_dot_%d", (int)getpid());
    unlink(path);
    CUresult r = cuGraphDebugDotPrint(g, path, flags);
    char *s = text(path);
    if (!s)
        say(t, " %s=%s:nofile", label, ename(r));
    else
        say(t, " %s=%s:%s,arrows=%d,braces=%d", label, ename(r),
            strncmp(s, "digraph", 7) ? "other" : "digraph", count_of(s, "->"),
            count_of(s, "{") == count_of(s, "}"));
    free(s);
    unlink(path);
}

/* Empty graph, graph with no edges, graph with a child of two nodes. */
CASE(graph, dot_shapes)
{
    CUgraph g, h, ch;
    CUgraphNode a, b, x;
    G0(g);
    dot_say(t, "empty", g, 0);
    ADD_ROOT(a, g);
    ADD_ROOT(b, g);
    dot_say(t, "no_edges", g, 0);
    G0(ch);
    ADD_ROOT(a, ch);
    ADD_AFTER(b, ch, a);
    G0(h);
    ADD_ROOT(a, h);
    OK(cuGraphAddChildGraphNode(&x, h, &a, 1, ch));
    dot_say(t, "child", h, 0);
    dot_say(t, "child_verbose", h, CU_GRAPH_DEBUG_DOT_FLAGS_VERBOSE);
}

/* Paths that cannot be written, an existing longer file, NULLs. */
CASE(graph, dot_paths)
{
    CUgraph g;
    CUgraphNode a;
    char path[64];
    risky();
    G0(g);
    ADD_ROOT(a, g);
    R("nodir", cuGraphDebugDotPrint(g, "/nonexistent_dir_oracle/x.dot", 0));
    R("isdir", cuGraphDebugDotPrint(g, "/tmp", 0));
    R("emptypath", cuGraphDebugDotPrint(g, "", 0));
    R("nullpath", cuGraphDebugDotPrint(g, NULL, 0));
    snprintf(path, sizeof path, "/tmp/oracle_dotn_%d", (int)getpid());
    R("nullgraph", cuGraphDebugDotPrint(NULL, path, 0));
    say(t, " file=%d", access(path, F_OK) == 0);
    FILE *f = fopen(path, "w");
    if (!f) return;
    for (int i = 0; i < 20000; i++) fputc('#', f);
    fclose(f);
    R("over", cuGraphDebugDotPrint(g, path, 0));
    char *s = text(path);
    say(t, " truncated=%d", s && !strchr(s, '#'));
    free(s);
    unlink(path);
}
