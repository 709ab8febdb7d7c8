# Makes lines of what abidw tells about a library: an element of its XML is a line.
#   function rill_stream_query(rill_stream *) -> rill_status
#   struct rill_exec_options has 32 bytes
#   struct rill_exec_options 8 uint32_t flags
# Only names of rill's own are told, and types that a program can see inside. The number is
# where a member begins, or the value of a constant.

# The value of an attribute of the line, or "".
function value(name,    at, text) {
  at = index($0, " " name "='")
  if (!at) return ""
  text = substr($0, at + length(name) + 3)
  return substr(text, 1, index(text, "'") - 1)
}

/<(type|typedef)-decl / { name[value("id")] = value("name"); next }

/<(class|union|enum)-decl / {
  match($0, /<[a-z]+/)
  what = substr($0, RSTART + 1, RLENGTH - 1)
  if (what == "class") what = "struct"
  inside = value("id")
  kind[inside] = what
  hidden[inside] = value("is-anonymous") == "yes"
  name[inside] = value("name")
  if (hidden[inside] && (typedef = value("naming-typedef-id"))) named_by[inside] = typedef
  bytes[inside] = value("size-in-bits") / 8
  known[inside] = value("is-declaration-only") != "yes"
  members[inside] = 0
  if ($0 ~ /\/>$/) inside = ""
  next
}
/<\/(class|union|enum)-decl>/ { inside = ""; next }
/<enumerator / && inside { member[inside, ++members[inside]] = value("value") " " value("name"); next }
/<data-member / { offset = value("layout-offset-in-bits") / 8; next }
/<var-decl / && inside {
  at[inside, ++members[inside]] = offset
  called[inside, members[inside]] = value("name")
  type[inside, members[inside]] = value("type-id")
  next
}

/<pointer-type-def / { pointer[value("id")] = value("type-id"); next }
/<qualified-type-def / {
  qualified[value("id")] = value("type-id")
  if (value("const") == "yes") qualifier[value("id")] = "const"
  if (value("volatile") == "yes") qualifier[value("id")] = qualifier[value("id")] " volatile"
  next
}
/<array-type-def / { array = value("id"); element[array] = value("type-id"); next }
/<subrange / { if (array) extent[array] = extent[array] "[" value("length") "]"; next }
/<\/array-type-def>/ { array = ""; next }

/<elf-symbol / { if (value("type") == "func-type") exported[value("name")] = 1; next }
# A function may be told where a caller declares it, too, and then without its symbol, so its
# name decides.
/<function-decl / {
  function_id = value("name") in exported ? value("name") : ""
  parameters = 0
  if (function_id) called_functions[function_id] = 1
  next
}
/<function-type / { function_id = value("id"); is_function[function_id] = 1; parameters = 0; next }
/<parameter / && function_id {
  parameter[function_id, ++parameters] = value("is-variadic") == "yes" ? "..." : value("type-id")
  parameter_count[function_id] = parameters
  next
}
/<return / && function_id { result[function_id] = value("type-id"); function_id = ""; next }

# ---- Names of types ----------------------------------------------------------------

function spell(id,    to) {
  if (id in pointer) {
    to = pointer[id]
    if (to in is_function) return spell(result[to]) " (*)(" arguments(to) ")"
    to = spell(to)
    return to (to ~ /\*$/ ? "*" : " *")
  }
  if (id in qualified) {
    to = spell(qualified[id])
    return to ~ /\*$/ ? to qualifier[id] : qualifier[id] " " to
  }
  if (id in element) return spell(element[id]) extent[id]
  if (id in hidden && hidden[id] && !(id in named_by)) return kind[id] " { " inner(id) " }"
  if (id in named_by) return name[named_by[id]]
  if (id in kind) return kind[id] " " name[id]
  return id in name ? name[id] : "void"
}

function arguments(id,    i, text) {
  for (i = 1; i <= parameter_count[id]; i++)
    text = text (i > 1 ? ", " : "") (parameter[id, i] == "..." ? "..." : spell(parameter[id, i]))
  return text == "" ? "void" : text
}

function line_of(id, i) {
  if (kind[id] == "enum") return member[id, i]
  return at[id, i] " " spell(type[id, i]) (called[id, i] == "" ? "" : " " called[id, i])
}

function inner(id,    i, text) {
  for (i = 1; i <= members[id]; i++) text = text (i > 1 ? ", " : "") line_of(id, i)
  return text
}

END {
  for (id in called_functions)
    if (id ~ /^rill_/)
      print "function " id "(" arguments(id) ") -> " spell(result[id])
  for (id in kind) {
    own = id in named_by ? name[named_by[id]] : hidden[id] ? "" : name[id]
    if (own !~ /^rill_/ || !known[id]) continue
    if (kind[id] != "enum") print kind[id] " " own " has " bytes[id] " bytes"
    for (i = 1; i <= members[id]; i++) print kind[id] " " own " " line_of(id, i)
  }
}
