# The driver, loaded at run time. No sources yet; see RILL_BACKEND in configure.ac.
if BACKEND_CUDA
AM_CPPFLAGS += $(CUDA_CPPFLAGS)
librill_all_la_SOURCES +=
endif
