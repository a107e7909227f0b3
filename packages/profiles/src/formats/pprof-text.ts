import type { Importer } from '../importer.ts'
import type { ProfileFile } from '../profile-file.ts'
import { isContentionText, readContention } from './pprof-text-contention.ts'
import { isCountText, readCounts } from './pprof-text-count.ts'
import { cpuHeader, readCpu } from './pprof-text-cpu.ts'
import { isHeapText, readHeap } from './pprof-text-heap.ts'
import { isJavaText, readJava } from './pprof-text-java.ts'
import { format, LineCursor } from './pprof-text-lines.ts'
import { toProfile, type AddressProfile } from './pprof-text-profile.ts'
import { isThreadText, readThreads } from './pprof-text-threads.ts'
import { FormatError } from '../format-error.ts'

/**
 * The profiles that Go, gperftools and Google's Java agent wrote before there was a protocol buffer for it, and that Go
 * still writes with `?debug=1`: heap and allocations, goroutines, created threads, mutexes and blocking; heaps and growth of
 * tcmalloc; `contentionz`; `threadz`; heaps and contention of Java; and CPU profiles, which are binary.
 *
 * Read by the rules of google/pprof, which has no other description of them:
 * https://github.com/google/pprof/blob/main/profile/legacy_profile.go
 * What was sampled is scaled up to what there was; addresses of calls are one lower than where they return to. Names and
 * lines that Go writes as comments are the stacks, which google/pprof does not read. Numbers of `runtime.MemStats` at the
 * end of a heap of Go are skipped.
 */
export const pprofText: Importer = {
  format,
  recognizes: (file) => readerOf(file) !== undefined,
  read(file, options) {
    const read = readerOf(file)
    if (read === undefined) throw new FormatError('the file is not of this format', { format })
    return toProfile(read(), options)
  },
}

/** What reads the file; told by its first lines, or words. */
export function readerOf({ bytes, head }: ProfileFile): (() => AddressProfile) | undefined {
  const header = cpuHeader(bytes)
  if (header !== undefined) return () => readCpu(bytes, header)
  const forms: [isForm: (head: string) => boolean, read: (cursor: LineCursor) => AddressProfile][] = [
    [isHeapText, readHeap],
    [isCountText, readCounts],
    [isThreadText, readThreads],
    [isJavaText, readJava],
    [isContentionText, readContention],
  ]
  const read = forms.find(([isForm]) => isForm(head))?.[1]
  return read && (() => read(new LineCursor(bytes)))
}
