import { newId } from '@flamegate/contract'
import {
  importers,
  RecordingWriter,
  SourceError,
  type Imported,
  type ImportOptions,
  type RecordingIndex,
} from '@flamegate/loadtest'

/** What a reader gives to where the source is read. */
export interface SourceSurroundings {
  content: AsyncIterable<Uint8Array>
  /** Appends to the recording. */
  write: (bytes: Uint8Array) => void
  isVerified: (host: string) => boolean
}

export type ReadOutcome =
  | { imported: Imported; recordingIndex: RecordingIndex }
  | {
      /** What is wrong, where, and what to do. */
      refused: string
    }

/** Reads a source into what is to be stored of it; whatever is wrong with the source itself is an outcome, and no error. */
export async function readSource(
  { format, options }: { format: string; options: ImportOptions },
  { content, write, isVerified }: SourceSurroundings,
): Promise<ReadOutcome> {
  const recording = new RecordingWriter(write)
  const importer = importers.get(format)
  if (importer === undefined) return { refused: `${format} is no format that can be imported.` }
  try {
    const imported = await importer(content, options, {
      newId,
      keep: (exchange) => recording.keep(exchange),
      isVerified,
    })
    if (imported.virtualUsers.length === 0)
      return { refused: 'There is nothing in it to make a virtual user of.' }
    return { imported, recordingIndex: recording.index }
  } catch (error) {
    if (error instanceof SourceError) return { refused: error.message }
    throw error
  }
}
