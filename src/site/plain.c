/* SPDX-License-Identifier: Apache-2.0 */
#include "site/plain.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- The C++ library's function ------------------------------------------------------------ */

typedef char *demangle_fn(const char *name, char *buffer, size_t *room, int *status);

static demangle_fn *demangle;

static void find_demangle(void)
{
    static const char *const libraries[] = { "libstdc++.so.6", "libc++abi.so.1" };
    void *found = dlsym(RTLD_DEFAULT, "__cxa_demangle");
    for (size_t i = 0; !found && i < sizeof libraries / sizeof *libraries; i++) {
        void *library = dlopen(libraries[i], RTLD_LAZY | RTLD_LOCAL);
        found = library ? dlsym(library, "__cxa_demangle") : NULL;
    }
    memcpy(&demangle, &found, sizeof demangle);
}

static bool is_of_cpp(const char *name)
{
    return !strncmp(name, "_Z", 2);
}

void cs_plain_prepare(const char *name)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (is_of_cpp(name)) pthread_once(&once, find_demangle);
}

/* ---- From a declaration to a name ------------------------------------------------------------ */

/* Returns how much deeper a character leads into brackets. */
static int step_in(char character)
{
    if (character == '(' || character == '<' || character == '[' || character == '{') return 1;
    if (character == ')' || character == '>' || character == ']' || character == '}') return -1;
    return 0;
}

/* Returns where the parameters end: before what is said of the object that a function is called
 * for, as "const". */
static size_t end_of_parameters(const char *declaration)
{
    static const char *const qualifiers[] = { " const", " volatile", " &", " &&" };
    size_t size = strlen(declaration), before;
    do {
        before = size;
        for (size_t i = 0; i < sizeof qualifiers / sizeof *qualifiers; i++) {
            size_t length = strlen(qualifiers[i]);
            if (size > length && !strncmp(declaration + size - length, qualifiers[i], length))
                size -= length;
        }
    } while (size != before);
    return size;
}

/* Returns where the parameters begin, which end the declaration of a function, or its end. */
static size_t find_parameters(const char *declaration)
{
    size_t size = end_of_parameters(declaration);
    if (!size || declaration[size - 1] != ')') return size;
    int depth = 0;
    for (size_t at = size; at-- > 0;) {
        depth -= step_in(declaration[at]);
        if (!depth) return at;
    }
    return size;
}

static bool ends_with_operator(const char *declaration, size_t end)
{
    static const char word[] = "operator";
    const size_t length = sizeof word - 1;
    return end >= length && !strncmp(declaration + end - length, word, length);
}

/* Returns where the name begins: behind the result, which only templates have. */
static size_t find_name(const char *declaration, size_t end)
{
    int depth = 0;
    for (size_t at = end; at-- > 0;) {
        depth -= step_in(declaration[at]);
        if (!depth && declaration[at] == ' ' && !ends_with_operator(declaration, at))
            return at + 1;
    }
    return 0;
}

/* Writes a name with "..." for the arguments of templates.  Returns false if it cannot be told
 * where these are, as with operators that have such brackets in their names. */
static bool put_short(const char *name, size_t size, char *text, size_t room)
{
    size_t used = 0;
    int depth = 0;
    for (size_t i = 0; i < size && used + 4 < room; i++) {
        if (name[i] == '<' && !depth++) {
            memcpy(text + used, "<...", 4);
            used += 4;
        } else if (name[i] == '>') {
            depth--;
        }
        if (depth < 0) return false;
        if (!depth) text[used++] = name[i];
    }
    text[used] = '\0';
    return !depth;
}

void cs_plain_name(const char *name, char *text, size_t room)
{
    cs_plain_prepare(name);
    int status = 0;
    char *whole = is_of_cpp(name) && demangle ? demangle(name, NULL, NULL, &status) : NULL;
    size_t end = whole ? find_parameters(whole) : strlen(name);
    size_t begin = whole ? find_name(whole, end) : 0, size = end - begin;
    const char *from = (whole ? whole : name) + begin;
    if (size <= CS_LONG_NAME || !put_short(from, size, text, room))
        snprintf(text, room, "%.*s", (int)size, from);
    free(whole);
}

/* ---- Names in a text ------------------------------------------------------------------------- */

/* Writes the plain form of what is in front of the next quote, and returns how much that is. */
static size_t put_quoted(const char *from, char *text, size_t room)
{
    size_t size = strcspn(from, "'");
    char *name = strndup(from, size);
    if (name) cs_plain_name(name, text, room);
    else *text = '\0';
    free(name);
    return size;
}

void cs_plain_text(const char *from, char *text, size_t room)
{
    while (*from && room > 1) {
        size_t used = 1;
        *text = *from++;
        text[1] = '\0';
        if (*text == '\'' && is_of_cpp(from)) {
            from += put_quoted(from, text + 1, room - 1);
            used = strlen(text);
        }
        text += used;
        room -= used;
    }
    *text = '\0';
}
