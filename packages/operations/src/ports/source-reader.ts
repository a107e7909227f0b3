import type { Imported, ImportOptions, RecordingIndex } from '@flamegate/loadtest'

/** A source that is to become virtual users. */
export interface SourceRequest {
  format: string
  options: ImportOptions
  content: AsyncIterable<Uint8Array>
  /** Whether requests may go to a host, as URL.host tells it. */
  isVerified: (host: string) => boolean
}

/** The exchanges that were in a source. */
export interface RecordedExchanges {
  index: RecordingIndex
  sizeBytes: number
  /** Base64. */
  md5: string
  open: () => AsyncIterable<Uint8Array>
}

export interface SourceReading {
  /** Or why it cannot be read: what is wrong, where, and what to do. */
  outcome: Imported | { refused: string }
  /** Null where the source is no recording. */
  recording: RecordedExchanges | null
  /** Lets go of what is kept of the recording. */
  release: () => Promise<void>
}

/**
 * Reads sources that anybody may have written, aside from everything else, with limits of memory and time. Reading ends with the
 * first error of the content.
 */
export interface SourceReader {
  read: (request: SourceRequest) => Promise<SourceReading>
}
