import type { Archive } from '@flamegate/loadtest'
import type { InputOf, operations } from '@flamegate/contract'

/** A file to be downloaded, and what is not in it. */
export interface WrittenExport {
  bytes: Uint8Array
  contentType: string
  extension: string
  notes: string[]
}

/** Those that are written of a virtual user with all it needs. */
export type VirtualUserFormat = Exclude<InputOf<typeof operations.exportVirtualUser>['format'], 'har'>

/**
 * Writes virtual users as files, aside from what answers requests: thousands of actions take seconds. Bytes of files in the
 * archive are given away.
 * @throws Problem `too_large`, `unavailable` when it takes too long, or many wait already
 */
export interface VirtualUserWriter {
  write(format: VirtualUserFormat, archive: Archive): Promise<WrittenExport>
}
