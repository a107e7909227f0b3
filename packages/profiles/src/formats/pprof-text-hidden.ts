/** Frames whose names match the first, but not the second, are hidden with all they call. */
export interface HiddenFrames {
  drop: string
  keep: string
}

/** Of allocators, locks and the profiler itself, which say nothing about the program: those of google/pprof. */
export const hiddenFrames = {
  allocations: {
    drop: [
      'calloc|cfree|malloc|free|memalign|do_memalign|(__)?posix_memalign|pvalloc|valloc|realloc',
      'tcmalloc::.*|tc_calloc|tc_cfree|tc_malloc|tc_free|tc_memalign|tc_posix_memalign|tc_pvalloc|tc_valloc|tc_realloc',
      'tc_new|tc_delete|tc_newarray|tc_deletearray|tc_new_nothrow|tc_newarray_nothrow',
      'malloc_zone_malloc|malloc_zone_calloc|malloc_zone_valloc|malloc_zone_realloc|malloc_zone_memalign|malloc_zone_free',
      'runtime\\..*',
      'BaseArena::.*|(::)?do_malloc_no_errno|(::)?do_malloc_pages|(::)?do_malloc|DoSampledAllocation',
      'MallocedMemBlock::MallocedMemBlock|_M_allocate|__builtin_(vec_)?delete|__builtin_(vec_)?new',
      '__gnu_cxx::new_allocator::allocate|__libc_malloc|__malloc_alloc_template::allocate|allocate|cpp_alloc',
      'operator new(\\[\\])?|simple_alloc::allocate',
    ].join('|'),
    keep: 'runtime\\.panic|runtime\\.reflectcall|runtime\\.call[0-9]*',
  },
  locks: {
    drop: [
      'RecordLockProfileData|(base::)?RecordLockProfileData.*',
      '(base::)?SubmitMutexProfileData.*|(base::)?SubmitSpinLockProfileData.*',
      '(base::Mutex::)?AwaitCommon.*|(base::Mutex::)?Unlock.*|(base::Mutex::)?UnlockSlow.*',
      '(base::Mutex::)?ReaderUnlock.*|(base::MutexLock::)?~MutexLock.*',
      '(Mutex::)?AwaitCommon.*|(Mutex::)?Unlock.*|(Mutex::)?UnlockSlow.*|(Mutex::)?ReaderUnlock.*',
      '(MutexLock::)?~MutexLock.*|(SpinLock::)?Unlock.*|(SpinLock::)?SlowUnlock.*|(SpinLockHolder::)?~SpinLockHolder.*',
    ].join('|'),
    keep: '',
  },
  profiler: {
    drop: 'ProfileData::Add|ProfileData::prof_handler|CpuProfiler::prof_handler|__pthread_sighandler|__restore',
    keep: '',
  },
} satisfies Record<string, HiddenFrames>
