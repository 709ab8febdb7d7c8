# What counts as the library's; site_frames.c at all levels of optimization, so these flags
# come last.
SITE_FRAMES = %D%/site_frames_0.o %D%/site_frames_1.o %D%/site_frames_2.o %D%/site_frames_3.o
SITE_CC = $(AM_V_CC)$(MKDIR_P) %D% && $(CC) $(DEFS) $(AM_CPPFLAGS) $(CPPFLAGS) $(OWN_CFLAGS) \
  $(CFLAGS) -fPIC -c
SITE_FRAMES_CC = $(SITE_CC) $(srcdir)/%D%/site_frames.c
SITE_FRAMES_NEED = %D%/site_frames.c %D%/site_frames.h src/base/text_mark.h

%D%/site_frames_0.o: $(SITE_FRAMES_NEED)
	$(SITE_FRAMES_CC) -DSITE_LEVEL=0 -O0 -o $@
%D%/site_frames_1.o: $(SITE_FRAMES_NEED)
	$(SITE_FRAMES_CC) -DSITE_LEVEL=1 -O1 -o $@
%D%/site_frames_2.o: $(SITE_FRAMES_NEED)
	$(SITE_FRAMES_CC) -DSITE_LEVEL=2 -O2 -fomit-frame-pointer -o $@
%D%/site_frames_3.o: $(SITE_FRAMES_NEED)
	$(SITE_FRAMES_CC) -DSITE_LEVEL=3 -O3 -fno-omit-frame-pointer -o $@
%D%/site_layer.o: %D%/site_layer.c %D%/site_layer.h src/base/text_mark.h
	$(SITE_CC) $(srcdir)/%D%/site_layer.c -o $@
%D%/site_python.so: %D%/site_python.c librill-all.la src/base/text_mark.h
	$(SITE_CC) $(srcdir)/%D%/site_python.c -o %D%/site_python.o && \
	  $(CC) -shared $(AM_CFLAGS) $(CFLAGS) $(AM_LDFLAGS) $(LDFLAGS) -Wl,-Bsymbolic -o $@ \
	    %D%/site_python.o .libs/librill-all.a $(PTHREAD_LIBS) $(LIBS)
check_DATA += %D%/site_python.so
CLEANFILES += $(SITE_FRAMES) %D%/site_layer.o %D%/site_python.o %D%/site_python.so
EXTRA_DIST += %D%/site_frames.c %D%/site_layer.c %D%/site_python.c %D%/site_python.py

if TESTS_ENABLED
check_PROGRAMS += \
  %D%/test_site_callers \
  %D%/test_site_calls \
  %D%/test_site_libdw \
  %D%/test_site_plain \
  %D%/test_site_source \
  %D%/test_site_walk

if HAVE_CXX17
check_PROGRAMS += %D%/test_site_cpp
endif
%C%_test_site_cpp_SOURCES = %D%/test_site_cpp.cpp
%C%_test_site_cpp_LDADD = %D%/site_layer.o $(LDADD)
%C%_test_site_callers_LDADD = %D%/site_layer.o $(LDADD)
%C%_test_site_calls_LDADD = %D%/site_layer.o $(LDADD)
%C%_test_site_source_LDADD = $(SITE_FRAMES) $(LDADD)
%C%_test_site_walk_LDADD = $(SITE_FRAMES) $(LDADD)
endif

noinst_HEADERS += \
  %D%/site_frames.h \
  %D%/site_layer.h
