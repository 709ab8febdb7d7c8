# Writes what the linker is to be told of one library, whose number is `library`.  With
# `what=map`, its list of exports: what symbols.def has for it, under the node of its version.
# With `what=names`, an option for each exported name that is a function of another name.
BEGIN {
    FS = "[(), ]+"
    if (what == "map") printf "libcudart.so.%d {\n  global:\n", library
}
/^SYMBOL/ && ($4 == "BOTH" || $4 == library) {
    if (what == "map") print "    " $2 ";"
    else if ($2 != $3) print "-Wl,--defsym=" $2 "=" $3
}
END {
    if (what == "map") print "  local: *;\n};"
}
