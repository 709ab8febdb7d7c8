/* SPDX-License-Identifier: Apache-2.0
 *
 * Random sequences of driver calls.  A seed fixes what is called with what; each call
 * is a line of text with everything that came back.  The same program runs over a real
 * libcuda.so.1 and over a stand-in, and two texts of one seed are compared.
 *
 * Nothing here depends on time or on addresses: a pointer is printed as the number of the
 * object that it is, "null" or "other".
 */
#ifndef RANDOM_H
#define RANDOM_H

#include "../oracle.h"
#include <stdbool.h>

/* ---- Objects, by number --------------------------------------------------- */

enum kind { GRAPH, NODE, EXEC, STREAM, EVENT, HANDLE, USER, MEMORY, POOL, CONTEXT, MODULE, KINDS };

struct object {
    enum kind kind;
    bool live;
    int number;      /* among those of its kind: g0, n17                         */
    uintptr_t value; /* the driver's handle                                      */
    int owner;       /* a node's graph, the node that a nested graph is in, the context
                        of what ends with it; or -1                              */
    int type;        /* a node's, as CUgraphNodeType                             */
    unsigned flags;  /* an area's own                                            */
    size_t size;     /* of memory                                                */
};

enum { OBJECTS = 4096, SLOTS = 256, SLOT_WORDS = 8, TEXT = 1 << 20 };

/* ---- A seed's world ------------------------------------------------------- */

struct peer;

struct world {
    T t;              /* kernels and the context, as the cases have them */
    CUcontext second; /* another context of the device                   */
    CUfunction functions[2][4];
    const struct area *area;
    unsigned long seed;
    int step;

    uint64_t dice;
    struct object objects[OBJECTS];
    int count;
    int numbers[KINDS];

    /* Each drawn operation writes to a slot of its own, so that what is in the slots
     * afterwards does not depend on the order of operations without an order. */
    CUdeviceptr slots;
    uint32_t *host_slots; /* pinned, for copies to the host             */
    CUdeviceptr source;   /* a slot's worth of words that nobody writes */
    uint32_t *host_source;
    uint32_t calls[SLOTS]; /* how often a host function was called for a slot */
    int next_slot;
    int target; /* index of the graph that parameters are drawn for, or -1 */

    struct peer *peer; /* the second thread */
    char who;          /* 'A' or 'B': the thread of the step */

    bool gated; /* some stream waits for the gate to open */

    bool over;     /* an error that stays: the seed ends                    */
    bool unclean;  /* something is left that only a new process gets rid of */
    char text[TEXT];
    size_t length;
};

/* What can be tested on its own. */
struct area {
    const char *name;
    void (*open)(struct world *);
    void (*step)(struct world *);
    void (*close)(struct world *);
    bool bare; /* begins without a context, and contexts end in it */
};

extern const struct area graph_area, capture_area, exec_area, memory_area, stream_area,
    conditional_area, context_area;

/* ---- Dice (dice.c) --------------------------------------------------------- */

void dice_seed(struct world *, unsigned long seed, int step);
unsigned dice(struct world *, unsigned sides); /* 0..sides-1           */
bool chance(struct world *, unsigned in);      /* true once in so many */

struct choice {
    unsigned weight;
    void (*run)(struct world *);
};

void choose(struct world *, const struct choice *choices, size_t count);
#define CHOOSE(w, choices) choose(w, choices, sizeof(choices) / sizeof *(choices))

/* ---- Objects (objects.c) --------------------------------------------------- */

struct object *object_add(struct world *, enum kind, const void *value, int owner);
struct object *object_of(struct world *, enum kind, const void *value);
struct object *object_pick(struct world *, enum kind);
struct object *object_pick_if(struct world *, enum kind, bool (*fits)(const struct object *));
/* The graph that no graph is around, of this one. */
int outermost(const struct world *, int graph);
int object_index(const struct world *, const struct object *);
int object_live(const struct world *, enum kind);
/* It is gone, and what it owned with it. */
void object_forget(struct world *, struct object *);
#define HANDLE_OF(o, type) ((type)((o) ? (o)->value : 0))

char letter_of(enum kind);
/* Text that lasts for a line. */
const char *name_of(struct world *, enum kind, const void *value);
const char *name_address(struct world *, CUdeviceptr);
const char *name_stream(struct world *, CUstream);
const char *name_context(struct world *, CUcontext);

/* Out-parameters start as this. */
#define UNTOUCHED ((void *)(uintptr_t)0x5a5a5a50)

/* ---- Lines (lines.c) ------------------------------------------------------- */

/* "12 A cuGraphClone(g0) = SUCCESS g1": before the call, after it, what was seen, the end. */
void line_call(struct world *, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
CUresult line_result(struct world *, CUresult);
void line_see(struct world *, const char *format, ...) __attribute__((format(printf, 2, 3)));
void line_end(struct world *);
/* The whole of it, for calls that have nothing to show but their result. */
#define CALL(w, call, name, ...)                                                                   \
    (line_call(w, name, __VA_ARGS__), line_result(w, call), line_end(w))
/* Text that lasts for a line. */
char *note(struct world *, const char *format, ...) __attribute__((format(printf, 2, 3)));
void line_out(struct world *, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- Nodes (node_draw.c, node_text.c, node_calls.c) ------------------------ */

/* Parameters of a node, and where they point to. */
struct drawn {
    CUgraphNodeParams params;
    CUdeviceptr address;
    uint32_t words[4];
    void *arguments[4];
    CUstreamBatchMemOpParams batch[4];
    CUmemAccessDesc access;
    const char *text;
};

int draw_type(struct world *);
void draw_params(struct world *, int type, struct drawn *);
/* The same, and never wrong. */
void draw_good_params(struct world *, int type, struct drawn *);
/* A batch for a stream; where there is no array, the driver crashes. */
void draw_batch(struct world *, struct drawn *);
/* Parameters that an exec may take for a node that has these now: another slot. */
void draw_like(struct world *, const CUgraphNodeParams *now, struct drawn *);
int draw_slot(struct world *);
CUdeviceptr slot_address(const struct world *, int slot);
CUfunction draw_kernel(struct world *, struct drawn *);
void CUDA_CB count_call(void *);

/* The kernels in both contexts (functions.c). */
enum { PUT, FILL, DIMS, NOP, FUNCTIONS };
void functions_load(struct world *);
/* Which it is, FUNCTIONS if none; and in which context. */
int function_find(const struct world *, CUfunction, int *context);

const char *params_text(struct world *, const CUgraphNodeParams *);
const char *function_text(struct world *, CUfunction);

/* What each kind's own call takes. */
CUresult add_typed(struct world *, CUgraphNode *, CUgraph, const CUgraphNode *, size_t,
                   struct drawn *);
CUresult set_typed(struct world *, CUgraphNode, struct drawn *);
CUresult set_exec_typed(struct world *, CUgraphExec, CUgraphNode, struct drawn *);
bool get_typed(struct world *, CUgraphNode, int type, CUgraphNodeParams *, CUresult *);
const char *add_name(int type);
const char *set_name(int type);
const char *get_name(int type);
const char *set_exec_name(int type);

/* ---- Graphs (graphs.c) ----------------------------------------------------- */

struct object *graph_new(struct world *);
/* Gives numbers to nodes that have none. */
void graph_adopt(struct world *, struct object *graph);
/* Nodes with what they wait for, as the driver lists them. */
void graph_show(struct world *, struct object *graph);
void graphs_close(struct world *);
/* A list of nodes as "[n1,n2]". */
const char *nodes_text(struct world *, const CUgraphNode *, size_t);
const char *edge_text(struct world *, const CUgraphEdgeData *, size_t);
size_t draw_nodes(struct world *, struct object *graph, CUgraphNode *, size_t most);
CUgraphEdgeData draw_edge(struct world *);
struct object *node_in(struct world *, struct object *graph);
void add_node_step(struct world *);
void build_graph(struct world *, struct object *graph, int nodes);

/* ---- What ran (slots.c) ---------------------------------------------------- */

void slots_open(struct world *);
void slots_clear(struct world *);
/* Slots that are not as they were, with what is in them. */
void slots_show(struct world *);

/* ---- The second thread (peer.c) --------------------------------------------- */

void peer_open(struct world *);
/* Calls it there, and waits until it has returned. */
void peer_do(struct world *, void (*)(struct world *));
void peer_close(struct world *);

/* ---- Seeds (world.c, batch.c) ------------------------------------------------ */

/* Once a process. */
void world_start(struct world *, const struct area *);
void world_run(struct world *, const struct area *, unsigned long seed, int calls);
uint64_t text_hash(const char *, size_t);

struct orders {
    const struct area *area;
    unsigned long first, last;
    int calls, jobs, limit; /* limit: seconds for a seed */
    bool hash;
    FILE *output;
};

int batches_run(const struct orders *);
int digest_print(const char *path); /* digest.c */

#endif
