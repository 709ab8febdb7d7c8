# The interface for C++, with nothing but the library: these need no cmocka.
CXX_TESTS = \
  %D%/test_calls \
  %D%/test_captures \
  %D%/test_functions \
  %D%/test_memory \
  %D%/test_owners \
  %D%/test_work
CXX_SUPPORT = %D%/scene.hpp %D%/tap.hpp
if HAVE_CXX17
check_PROGRAMS += $(CXX_TESTS)
endif
%C%_test_calls_SOURCES = %D%/test_calls.cpp $(CXX_SUPPORT)
%C%_test_calls_LDADD = librill-all.la
%C%_test_captures_SOURCES = %D%/test_captures.cpp $(CXX_SUPPORT)
%C%_test_captures_LDADD = librill-all.la
%C%_test_functions_SOURCES = %D%/test_functions.cpp $(CXX_SUPPORT)
%C%_test_functions_LDADD = librill-all.la
%C%_test_memory_SOURCES = %D%/test_memory.cpp $(CXX_SUPPORT)
%C%_test_memory_LDADD = librill-all.la
%C%_test_owners_SOURCES = %D%/test_owners.cpp $(CXX_SUPPORT)
%C%_test_owners_LDADD = librill-all.la
%C%_test_work_SOURCES = %D%/test_work.cpp $(CXX_SUPPORT)
%C%_test_work_LDADD = librill-all.la
