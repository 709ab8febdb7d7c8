if TESTS_ENABLED
check_PROGRAMS += \
  %D%/image/test_image \
  %D%/image/test_image_hostile \
  %D%/image/test_image_ptx
if STANDIN
check_PROGRAMS += \
  %D%/test_answers \
  %D%/test_batches \
  %D%/test_captures \
  %D%/test_clusters \
  %D%/test_context_answers \
  %D%/test_context_events \
  %D%/test_contexts \
  %D%/device/test_models \
  %D%/test_graph_contexts \
  %D%/test_graphs \
  %D%/test_handles \
  %D%/test_hostile \
  %D%/test_kernels \
  %D%/test_libraries \
  %D%/test_life \
  %D%/test_link_objects \
  %D%/test_links \
  %D%/memory/test_host_blocks \
  %D%/memory/test_ipc \
  %D%/memory/test_managed \
  %D%/memory/test_managed_variables \
  %D%/memory/test_pool_ipc \
  %D%/memory/test_refused \
  %D%/texture/test_arrays \
  %D%/texture/test_cubes \
  %D%/texture/test_life_of_references \
  %D%/texture/test_life_of_textures \
  %D%/texture/test_lookups \
  %D%/texture/test_mipmaps \
  %D%/texture/test_references \
  %D%/texture/test_columns \
  %D%/texture/test_depths \
  %D%/texture/test_formatted \
  %D%/texture/test_seldom_lookups \
  %D%/texture/test_tensor_maps \
  %D%/texture/test_textures \
  %D%/texture/test_ways \
  %D%/test_old_calls \
  %D%/test_primary_contexts \
  %D%/test_proc \
  %D%/test_profile \
  %D%/test_said \
  %D%/test_static_shared \
  %D%/memory/test_variables \
  %D%/memory/test_vmem \
  %D%/memory/test_vmem_answers
if HAVE_CUDA_13_H
check_PROGRAMS += %D%/test_abi
endif
if BACKEND_CUDA
check_DATA += %D%/suite_kernels.so
endif
endif

%C%_image_test_image_SOURCES = \
  %D%/image/images.h \
  %D%/image/samples.h \
  %D%/image/test_image.c
%C%_image_test_image_LDADD = librill-image.la $(LDADD)
%C%_image_test_image_hostile_SOURCES = \
  %D%/image/images.h \
  %D%/image/samples.h \
  %D%/image/test_image_hostile.c
%C%_image_test_image_hostile_LDADD = librill-image.la $(LDADD)
%C%_image_test_image_ptx_LDADD = librill-image.la $(LDADD)
# These load the library, and have none of it inside.
%C%_test_kernels_SOURCES = \
  %D%/image/images.h \
  %D%/library.h \
  %D%/modules.h \
  %D%/test_kernels.c
%C%_test_kernels_LDADD = $(CMOCKA_LIBS)
EXTRA_%C%_test_kernels_DEPENDENCIES = src/standin/libcuda.so.1 %D%/kernels.so
%C%_test_libraries_SOURCES = \
  %D%/image/images.h \
  %D%/library.h \
  %D%/modules.h \
  %D%/test_libraries.c
%C%_test_libraries_LDADD = $(CMOCKA_LIBS) $(PTHREAD_LIBS)
EXTRA_%C%_test_libraries_DEPENDENCIES = src/standin/libcuda.so.1 %D%/kernels.so
%C%_test_link_objects_SOURCES = \
  %D%/modules.h \
  %D%/library.h \
  %D%/test_link_objects.c
%C%_test_link_objects_LDADD = $(CMOCKA_LIBS) $(PTHREAD_LIBS)
EXTRA_%C%_test_link_objects_DEPENDENCIES = src/standin/libcuda.so.1 %D%/kernels.so
%C%_test_links_SOURCES = \
  %D%/image/images.h \
  %D%/library.h \
  %D%/modules.h \
  %D%/test_links.c
%C%_test_links_LDADD = $(CMOCKA_LIBS) $(PTHREAD_LIBS)
EXTRA_%C%_test_links_DEPENDENCIES = src/standin/libcuda.so.1 %D%/kernels.so
%C%_memory_test_ipc_SOURCES = %D%/library.h %D%/memory/processes.h %D%/memory/test_ipc.c
%C%_memory_test_ipc_LDADD = $(CMOCKA_LIBS)
EXTRA_%C%_memory_test_ipc_DEPENDENCIES = src/standin/libcuda.so.1
%C%_memory_test_pool_ipc_SOURCES = \
  %D%/library.h \
  %D%/memory/processes.h \
  %D%/memory/test_pool_ipc.c
%C%_memory_test_pool_ipc_LDADD = $(CMOCKA_LIBS)
EXTRA_%C%_memory_test_pool_ipc_DEPENDENCIES = src/standin/libcuda.so.1
%C%_memory_test_host_blocks_SOURCES = %D%/library.h %D%/modules.h \
  %D%/memory/test_host_blocks.c
%C%_memory_test_host_blocks_LDADD = $(CMOCKA_LIBS)
EXTRA_%C%_memory_test_host_blocks_DEPENDENCIES = src/standin/libcuda.so.1
%C%_memory_test_refused_SOURCES = %D%/library.h %D%/modules.h \
  %D%/memory/test_refused.c
%C%_memory_test_refused_LDADD = $(CMOCKA_LIBS)
EXTRA_%C%_memory_test_refused_DEPENDENCIES = src/standin/libcuda.so.1
%C%_memory_test_vmem_SOURCES = \
  %D%/library.h \
  %D%/modules.h \
  %D%/memory/test_vmem.c \
  %D%/memory/vmem.h
%C%_memory_test_vmem_LDADD = $(CMOCKA_LIBS)
EXTRA_%C%_memory_test_vmem_DEPENDENCIES = src/standin/libcuda.so.1 %D%/kernels.so
%C%_memory_test_vmem_answers_SOURCES = \
  %D%/library.h \
  %D%/modules.h \
  %D%/memory/test_vmem_answers.c \
  %D%/memory/vmem.h
%C%_memory_test_vmem_answers_LDADD = $(CMOCKA_LIBS)
EXTRA_%C%_memory_test_vmem_answers_DEPENDENCIES = src/standin/libcuda.so.1 %D%/kernels.so
%C%_test_old_calls_SOURCES = \
  %D%/library.h \
  %D%/modules.h \
  %D%/test_old_calls.c
%C%_test_old_calls_LDADD = $(CMOCKA_LIBS) $(PTHREAD_LIBS)
EXTRA_%C%_test_old_calls_DEPENDENCIES = src/standin/libcuda.so.1 %D%/kernels.so
%C%_test_batches_SOURCES = %D%/library.h %D%/test_batches.c
%C%_test_batches_LDADD = $(CMOCKA_LIBS)
EXTRA_%C%_test_batches_DEPENDENCIES = src/standin/libcuda.so.1
%C%_test_captures_SOURCES = %D%/library.h %D%/test_captures.c
%C%_test_captures_LDADD = $(CMOCKA_LIBS)
EXTRA_%C%_test_captures_DEPENDENCIES = src/standin/libcuda.so.1
%C%_memory_test_managed_SOURCES = %D%/library.h %D%/memory/managed.h %D%/memory/test_managed.c
%C%_memory_test_managed_LDADD = $(CMOCKA_LIBS)
EXTRA_%C%_memory_test_managed_DEPENDENCIES = src/standin/libcuda.so.1
%C%_memory_test_managed_variables_SOURCES = %D%/library.h %D%/memory/managed.h \
  %D%/memory/test_managed_variables.c
%C%_memory_test_managed_variables_LDADD = $(CMOCKA_LIBS)
EXTRA_%C%_memory_test_managed_variables_DEPENDENCIES = src/standin/libcuda.so.1
%C%_device_test_models_SOURCES = %D%/library.h %D%/device/test_models.c
%C%_device_test_models_LDADD = $(CMOCKA_LIBS)
EXTRA_%C%_device_test_models_DEPENDENCIES = src/standin/libcuda.so.1
%C%_texture_test_arrays_SOURCES = %D%/library.h %D%/texture/arrays.h %D%/texture/test_arrays.c
%C%_texture_test_arrays_LDADD = $(CMOCKA_LIBS) $(PTHREAD_LIBS)
EXTRA_%C%_texture_test_arrays_DEPENDENCIES = src/standin/libcuda.so.1
%C%_texture_test_lookups_SOURCES = %D%/library.h %D%/texture/arrays.h \
  %D%/texture/asking.h %D%/texture/lookups.h %D%/texture/test_lookups.c
%C%_texture_test_lookups_LDADD = $(CMOCKA_LIBS) -lm
EXTRA_%C%_texture_test_lookups_DEPENDENCIES = src/standin/libcuda.so.1
%C%_texture_test_columns_SOURCES = %D%/library.h %D%/texture/arrays.h \
  %D%/texture/asking.h %D%/texture/lookups.h %D%/texture/test_columns.c
%C%_texture_test_columns_LDADD = $(CMOCKA_LIBS) -lm
EXTRA_%C%_texture_test_columns_DEPENDENCIES = src/standin/libcuda.so.1
%C%_texture_test_depths_SOURCES = %D%/library.h %D%/texture/arrays.h \
  %D%/texture/asking.h %D%/texture/lookups.h %D%/texture/test_depths.c
%C%_texture_test_depths_LDADD = $(CMOCKA_LIBS) -lm
EXTRA_%C%_texture_test_depths_DEPENDENCIES = src/standin/libcuda.so.1
%C%_texture_test_formatted_SOURCES = %D%/library.h %D%/texture/arrays.h \
  %D%/texture/asking.h %D%/texture/lookups.h %D%/texture/test_formatted.c
%C%_texture_test_formatted_LDADD = $(CMOCKA_LIBS) -lm
EXTRA_%C%_texture_test_formatted_DEPENDENCIES = src/standin/libcuda.so.1
%C%_texture_test_seldom_lookups_SOURCES = %D%/library.h %D%/texture/arrays.h \
  %D%/texture/asking.h %D%/texture/lookups.h %D%/texture/test_seldom_lookups.c
%C%_texture_test_seldom_lookups_LDADD = $(CMOCKA_LIBS) -lm
EXTRA_%C%_texture_test_seldom_lookups_DEPENDENCIES = src/standin/libcuda.so.1
%C%_texture_test_tensor_maps_SOURCES = %D%/library.h %D%/texture/test_tensor_maps.c
%C%_texture_test_tensor_maps_LDADD = $(CMOCKA_LIBS)
EXTRA_%C%_texture_test_tensor_maps_DEPENDENCIES = src/standin/libcuda.so.1
%C%_texture_test_references_SOURCES = %D%/library.h %D%/texture/arrays.h \
  %D%/texture/references.h %D%/texture/test_references.c
%C%_texture_test_references_LDADD = $(CMOCKA_LIBS)
EXTRA_%C%_texture_test_references_DEPENDENCIES = src/standin/libcuda.so.1
%C%_texture_test_life_of_references_SOURCES = %D%/library.h %D%/texture/arrays.h \
  %D%/texture/references.h %D%/texture/test_life_of_references.c
%C%_texture_test_life_of_references_LDADD = $(CMOCKA_LIBS)
EXTRA_%C%_texture_test_life_of_references_DEPENDENCIES = src/standin/libcuda.so.1
%C%_texture_test_life_of_textures_SOURCES = %D%/library.h %D%/texture/arrays.h \
  %D%/texture/lookups.h %D%/texture/textures.h %D%/texture/test_life_of_textures.c
%C%_texture_test_life_of_textures_LDADD = $(CMOCKA_LIBS) $(PTHREAD_LIBS) -lm
EXTRA_%C%_texture_test_life_of_textures_DEPENDENCIES = src/standin/libcuda.so.1
%C%_texture_test_textures_SOURCES = %D%/library.h %D%/texture/arrays.h \
  %D%/texture/lookups.h %D%/texture/textures.h %D%/texture/test_textures.c
%C%_texture_test_textures_LDADD = $(CMOCKA_LIBS) -lm
EXTRA_%C%_texture_test_textures_DEPENDENCIES = src/standin/libcuda.so.1
%C%_texture_test_cubes_SOURCES = %D%/library.h %D%/texture/arrays.h \
  %D%/texture/lookups.h %D%/texture/textures.h %D%/texture/test_cubes.c
%C%_texture_test_cubes_LDADD = $(CMOCKA_LIBS) -lm
EXTRA_%C%_texture_test_cubes_DEPENDENCIES = src/standin/libcuda.so.1
%C%_texture_test_mipmaps_SOURCES = %D%/library.h %D%/texture/arrays.h \
  %D%/texture/lookups.h %D%/texture/textures.h %D%/texture/test_mipmaps.c
%C%_texture_test_mipmaps_LDADD = $(CMOCKA_LIBS) -lm
EXTRA_%C%_texture_test_mipmaps_DEPENDENCIES = src/standin/libcuda.so.1
%C%_texture_test_ways_SOURCES = %D%/library.h %D%/texture/arrays.h \
  %D%/texture/lookups.h %D%/texture/textures.h %D%/texture/test_ways.c
%C%_texture_test_ways_LDADD = $(CMOCKA_LIBS) -lm
EXTRA_%C%_texture_test_ways_DEPENDENCIES = src/standin/libcuda.so.1
EXTRA_DIST += %D%/texture/columns.txt %D%/texture/depths.txt %D%/texture/formatted.txt \
  %D%/texture/lookups.txt %D%/texture/seldom.txt
%C%_test_clusters_SOURCES = %D%/library.h %D%/modules.h \
  %D%/test_clusters.c
%C%_test_clusters_LDADD = $(CMOCKA_LIBS)
EXTRA_%C%_test_clusters_DEPENDENCIES = src/standin/libcuda.so.1
%C%_test_static_shared_SOURCES = %D%/library.h %D%/modules.h \
  %D%/test_static_shared.c
%C%_test_static_shared_LDADD = $(CMOCKA_LIBS)
EXTRA_%C%_test_static_shared_DEPENDENCIES = src/standin/libcuda.so.1
%C%_test_answers_SOURCES = %D%/answers.h %D%/library.h %D%/modules.h \
  %D%/test_answers.c
%C%_test_answers_LDADD = $(CMOCKA_LIBS)
EXTRA_%C%_test_answers_DEPENDENCIES = src/standin/libcuda.so.1

%C%_test_context_answers_SOURCES = %D%/answers.h %D%/library.h %D%/modules.h \
  %D%/test_context_answers.c
%C%_test_context_answers_LDADD = $(CMOCKA_LIBS)
EXTRA_%C%_test_context_answers_DEPENDENCIES = src/standin/libcuda.so.1
%C%_test_context_events_SOURCES = %D%/contexts.h %D%/library.h %D%/test_context_events.c
%C%_test_context_events_LDADD = $(CMOCKA_LIBS)
EXTRA_%C%_test_context_events_DEPENDENCIES = src/standin/libcuda.so.1
%C%_test_primary_contexts_SOURCES = %D%/contexts.h %D%/library.h %D%/test_primary_contexts.c
%C%_test_primary_contexts_LDADD = $(CMOCKA_LIBS) $(PTHREAD_LIBS)
EXTRA_%C%_test_primary_contexts_DEPENDENCIES = src/standin/libcuda.so.1
%C%_test_contexts_SOURCES = %D%/contexts.h %D%/library.h %D%/test_contexts.c
%C%_test_contexts_LDADD = $(CMOCKA_LIBS) $(PTHREAD_LIBS)
EXTRA_%C%_test_contexts_DEPENDENCIES = src/standin/libcuda.so.1
%C%_test_graph_contexts_SOURCES = %D%/graphs.h %D%/library.h %D%/test_graph_contexts.c
%C%_test_graph_contexts_LDADD = $(CMOCKA_LIBS) $(PTHREAD_LIBS)
EXTRA_%C%_test_graph_contexts_DEPENDENCIES = src/standin/libcuda.so.1
%C%_test_graphs_SOURCES = %D%/graphs.h %D%/library.h %D%/test_graphs.c
%C%_test_graphs_LDADD = $(CMOCKA_LIBS)
EXTRA_%C%_test_graphs_DEPENDENCIES = src/standin/libcuda.so.1
%C%_test_handles_SOURCES = %D%/kinds.h %D%/library.h %D%/test_handles.c
%C%_test_handles_LDADD = $(CMOCKA_LIBS) $(PTHREAD_LIBS)
EXTRA_%C%_test_handles_DEPENDENCIES = src/standin/libcuda.so.1
%C%_test_hostile_SOURCES = %D%/library.h %D%/test_hostile.c
%C%_test_hostile_LDADD = $(CMOCKA_LIBS)
EXTRA_%C%_test_hostile_DEPENDENCIES = src/standin/libcuda.so.1
%C%_test_life_SOURCES = %D%/library.h %D%/test_life.c
%C%_test_life_LDADD = $(CMOCKA_LIBS)
EXTRA_%C%_test_life_DEPENDENCIES = src/standin/libcuda.so.1
%C%_test_said_SOURCES = %D%/library.h %D%/test_said.c
%C%_test_said_LDADD = $(CMOCKA_LIBS)
EXTRA_%C%_test_said_DEPENDENCIES = src/standin/libcuda.so.1 %D%/tables.so
%C%_memory_test_variables_SOURCES = %D%/library.h %D%/memory/test_variables.c
%C%_memory_test_variables_LDADD = $(CMOCKA_LIBS)
EXTRA_%C%_memory_test_variables_DEPENDENCIES = src/standin/libcuda.so.1
%C%_test_proc_SOURCES = %D%/library.h %D%/test_proc.c
%C%_test_proc_LDADD = $(CMOCKA_LIBS)
EXTRA_%C%_test_proc_DEPENDENCIES = src/standin/libcuda.so.1
%C%_test_profile_SOURCES = %D%/library.h %D%/test_profile.c
%C%_test_profile_LDADD = $(CMOCKA_LIBS)
EXTRA_%C%_test_profile_DEPENDENCIES = src/standin/libcuda.so.1
%C%_test_abi_SOURCES = \
  %D%/layout.def \
  %D%/layout.h \
  %D%/layout_ours.c \
  %D%/layout_theirs.c \
  %D%/test_abi.c
%C%_test_abi_LDADD = $(CMOCKA_LIBS)

# Libraries of kernels that the tests have the stand-in load.
%D%/kernels.so: %D%/kernels.c $(KERNELS_LAYOUT)
	$(AM_V_CCLD)$(KERNELS_CC) $(srcdir)/%D%/kernels.c -o $@
%D%/tables.so: %D%/tables.c $(KERNELS_LAYOUT)
	$(AM_V_CCLD)$(KERNELS_CC) $(srcdir)/%D%/tables.c -o $@
%D%/suite_kernels.so: %D%/suite_kernels.c $(KERNELS_LAYOUT)
	$(AM_V_CCLD)$(KERNELS_CC) $(srcdir)/%D%/suite_kernels.c -o $@
CLEANFILES += %D%/kernels.so %D%/suite_kernels.so %D%/tables.so
endif

EXTRA_DIST += %D%/image/images.cu %D%/image/images.sh %D%/kernels.c \
  %D%/suite_kernels.c %D%/tables.c

noinst_HEADERS += \
  %D%/image/sample_cubin.h \
  %D%/image/sample_fatbins.h
