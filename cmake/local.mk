# The package for find_package(rill CONFIG). Made here and not by configure, since make has
# the folders with their variables replaced.
cmakedir = $(libdir)/cmake/rill
cmake_DATA = %D%/rill-config.cmake %D%/rill-config-version.cmake
CMAKE_WORDS = sed -e 's|@cmakedir''@|$(cmakedir)|g' -e 's|@libdir''@|$(libdir)|g' \
  -e 's|@includedir''@|$(includedir)|g' -e 's|@bindir''@|$(bindir)|g' \
  -e 's|@version''@|$(VERSION)|g' -e 's|@private''@|$(LIBS)|g' \
  -e 's|@soversion''@|$(SOVERSION)|g' -e 's|@pointer''@|$(POINTER_BYTES)|g'
$(cmake_DATA): Makefile
	$(AM_V_GEN)$(MKDIR_P) %D% && $(CMAKE_WORDS) $(srcdir)/$@.in >$@.tmp && mv $@.tmp $@
%D%/rill-config.cmake: $(srcdir)/%D%/rill-config.cmake.in
%D%/rill-config-version.cmake: $(srcdir)/%D%/rill-config-version.cmake.in
CLEANFILES += $(cmake_DATA)
EXTRA_DIST += %D%/rill-config.cmake.in %D%/rill-config-version.cmake.in
