import type { SourceRequest } from '@flamegate/operations/ports'
import type { ReadOutcome } from '@flamegate/operations/read-source'

/** What the process is told first. The content comes by its standard input. */
export interface ProcessStart extends Pick<SourceRequest, 'format' | 'options'> {
  /** Where it writes the exchanges of a recording. */
  recordingFile: string
}

/** What it says at last. */
export interface ProcessDone {
  done: ReadOutcome
  recording: { sizeBytes: number; md5: string }
}

/**
 * The file descriptor by which it asks whether hosts are verified, a line for each; a byte answers. It waits for that, as importers
 * do not: so it is a stream of its own, which can be read at once.
 */
export const askDescriptor = 4

export const answers = { yes: 'y', no: 'n' } as const
