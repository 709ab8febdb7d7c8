# Writes what the linker is to be told of one library, whose number is `library`.  With
# `what=map`, its list of exports: what symbols.def has for it, under the node of its version,
# which is its file's name, `node`.  With `what=names`, an option for each exported name that is a
# function of another name.  With `what=list`, the exported names.
function has(libraries) {
    if (libraries == "UNTIL_12") return library <= 12
    if (libraries == "SINCE_12") return library >= 12
    return libraries == "ALL" || libraries == library
}
BEGIN {
    FS = "[(), ]+"
    if (what == "map") printf "%s {\n  global:\n", node
}
/^SYMBOL/ && has($4) {
    if (what == "map") print "    " $2 ";"
    else if (what == "list") print $2
    else if ($2 != $3) print "-Wl,--defsym=" $2 "=" $3
}
END {
    if (what == "map") print "  local: *;\n};"
}
