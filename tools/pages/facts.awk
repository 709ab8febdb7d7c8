# The fourth part of the tool that read.awk begins: sections that are made of lists beside the
# headers.  parameters.txt and calls.txt in the folder `facts` say what their lines mean, and
# programs are in its folder `examples`, named like the pages.  What has no line there is told of,
# but does not end the build: tests/reference.sh does not pass then.

BEGIN {
    read_parameters(facts "/parameters.txt")
    read_calls(facts "/calls.txt")
}

function read_parameters(path,    line, at) {
    while ((getline line < path) > 0) {
        if (line ~ /^(#.*)?$/) continue
        at = index(line, ": ")
        parameter_text[substr(line, 1, at - 1)] = substr(line, at + 2)
    }
    close(path)
}

function read_calls(path,    line, n, i, words) {
    while ((getline line < path) > 0) {
        if (line ~ /^(#.*)?$/) continue
        n = split(line, words, " ")
        waits_of[words[1]] = words[2]
        capture_of[words[1]] = words[3]
        host_of[words[1]] = words[4]
        since_of[words[1]] = words[5]
        for (i = 6; i <= n; i++) more_of[words[1]] = more_of[words[1]] " " words[i]
    }
    close(path)
}

# ---- Prototypes

function name_in(code) {
    sub(/\(.*/, "", code)
    sub(/.*[ *]/, "", code)
    return code
}

# Those of a function pointer's own belong to it.
function split_parameters(code, parts,    n, i, c, depth, text) {
    sub(/^[^(]*\(/, "", code)
    sub(/\);$/, "", code)
    split("", parts)
    if (code == "void") return 0
    for (i = 1; i <= length(code); i++) {
        c = substr(code, i, 1)
        depth += (c == "(") - (c == ")")
        if (c == "," && !depth) {
            parts[++n] = text
            text = ""
        } else if (text != "" || c != " ") {
            text = text c
        }
    }
    parts[++n] = text
    return n
}

# ---- PARAMETERS

function write_parameters(p,    i, k, n, parts, what, seen, begun) {
    for (i = 1; i <= prototypes[p]; i++) {
        n = split_parameters(prototype[p, i], parts)
        for (k = 1; k <= n; k++) {
            if (parts[k] in seen) continue
            seen[parts[k]] = 1
            what = page[p] " " parts[k]
            if (!(what in parameter_text)) what = parts[k]
            if (!(what in parameter_text)) {
                print page[p] ": nothing is said of the parameter " parts[k] | "cat >&2"
                continue
            }
            if (!begun++) {
                put(".Sh PARAMETERS")
                put(".Bl -tag -width 4n -compact")
            }
            put(".It Fa \"" parts[k] "\"")
            write_paragraph(parameter_text[what])
        }
    }
    if (begun) put(".El")
}

# ---- PROPERTIES: functions with the same have one entry

function write_properties(p,    i, f, text, of, order, n, begun) {
    for (i = 1; i <= prototypes[p]; i++) {
        f = name_in(prototype[p, i])
        if (!(f in since_of)) {
            print page[p] ": calls.txt has no line for " f | "cat >&2"
            continue
        }
        text = properties_of(p, prototype[p, i], f)
        if (!(text in of)) order[++n] = text
        of[text] = of[text] " " f
    }
    if (!n) return
    put(".Sh PROPERTIES")
    put("What happens in a capture is said of the thread that captures, in its default mode.")
    put("Statuses are those besides")
    put(".Dv RILL_SUCCESS ;")
    put("in front of their names is RILL_ERROR_, and calls that need a device")
    put("return also what it failed with earlier.")
    put(".Pp")
    put(".Bl -tag -width 4n -compact")
    for (i = 1; i <= n; i++) write_property(order[i], of[order[i]])
    put(".El")
}

function write_property(text, functions,    n, i, words) {
    n = split(functions, words, " ")
    for (i = 1; i <= n; i++) put(".It Fn " words[i])
    n = split(text, words, "\n")
    for (i = 1; i < n; i++) put(words[i])
}

function properties_of(p, code, f,    text, list) {
    text = waiting(waits_of[f]) capturing(capture_of[f]) hosting(host_of[f])
    text = text threads(code, f) "Since " since_of[f] ".\n"
    list = statuses_of(p, code, f)
    if (list != "") text = text "Statuses: " list ".\n"
    return text
}

function waiting(word) {
    if (word == "no") return "Does not wait.\n"
    if (word == "yes") return "Waits for work.\n"
    return "Whether it waits depends on the memory: DESCRIPTION tells.\n"
}

function capturing(word,    broken) {
    if (word == "node") return "A capture makes it a node.\n"
    if (word == "order") return "A capture orders later nodes by it.\n"
    if (word == "free") return "A capture takes no notice.\n"
    if (word == "kernel") return ""
    if (word == "free!") return "A capture ends with it.\n"
    broken = sub(/!$/, "", word)
    return "A capture refuses it" (broken ? ", and is broken" : "") ".\n"
}

function hosting(word) {
    if (word == "kernel") return "Called by kernels.\n"
    return word == "free" ? "Allowed in host functions.\n" : "Refused in host functions.\n"
}

# Graphs, execs and replays are one thread's at a time.
function threads(code, f) {
    if (page_of[f] ~ /^rill_(backend|layer)$/) return ""
    if (code ~ /[(,] *(const )?rill_(graph|exec|replay) \*[a-z]/ ||
        code ~ /_destroy\(rill_(graph|exec|replay) \*\*/)
        return "One thread at a time on one object.\n"
    return "Any number of threads at once.\n"
}

# ---- Statuses: what follows from the parameters, then what is listed, then what the text names

function statuses_of(p, code, f,    n, i, k, parts, found, list, words, text) {
    if (code !~ /^rill_status / && f !~ /^rill_(stream_legacy|stream_per_thread|capture_relax)$/)
        return ""
    if (page_of[f] ~ /^rill_(backend|layer)$/) return ""
    if (f !~ /_destroy$|_close$|_unload$|_release$/) {
        n = split_parameters(code, parts)
        for (i = 1; i <= n; i++) {
            if (parts[i] ~ /^rill_platform \*[a-z]/) found["NOT_INITIALIZED"]
            else if (parts[i] ~ /^rill_context \*[a-z]/) found["INVALID_CONTEXT"]
            else if (parts[i] ~ /^rill_(stream|event|module|kernel) \*[a-z]/) found["INVALID_HANDLE"]
            else if (parts[i] ~ /^rill_(pool|graph|exec|replay|user_object) \*[a-z]/) {
                found["INVALID_HANDLE"]
                found["INVALID_VALUE"]
            } else found["INVALID_VALUE"]
            if (parts[i] ~ /^int (device|peer)$/) found["INVALID_DEVICE"]
        }
    } else {
        found["INVALID_HANDLE"]
    }
    if (capture_of[f] ~ /^[A-Z_]+!?$/) {
        text = capture_of[f]
        sub(/!$/, "", text)
        found[text]
    }
    if (host_of[f] ~ /^[A-Z_]+$/) found[host_of[f]]
    n = split(more_of[f], words, " ")
    for (i = 1; i <= n; i++) found[words[i]]
    if (page[p] ~ /^rill_(pool|vmem|capture|graph|exec|replay)$/) found["NOT_SUPPORTED"]
    for (i = 1; i <= entries[p]; i++)
        for (k = 1; k <= entry_functions[p, i]; k++)
            if (entry_function[p, i, k] == f) text_statuses(entry_text[p, i], found)
    return in_order(found)
}

function text_statuses(text, found) {
    while (match(text, /RILL_ERROR_[A-Z0-9_]+/)) {
        found[substr(text, RSTART + 11, RLENGTH - 11)]
        text = substr(text, RSTART + RLENGTH)
    }
}

function in_order(found,    list, s, n, i, k, names, word) {
    for (s in found) {
        for (i = ++n; i > 1 && names[i - 1] > s; i--) names[i] = names[i - 1]
        names[i] = s
    }
    for (i = 1; i <= n; i++) list = list (i > 1 ? ", " : "") "\\%" names[i]
    return list
}

# ---- EXAMPLES

function write_example(p,    path, line, begun) {
    path = facts "/examples/" page[p] ".c"
    while ((getline line < path) > 0) {
        if (!begun++) {
            getline line < path # behind the license
            put(".Sh EXAMPLES")
            put(".Bd -literal")
        }
        put(code_text(line))
    }
    close(path)
    if (begun) put(".Ed")
}
