import { newId } from '@flamegate/contract'
import {
  hideSecrets,
  importers,
  RecordingWriter,
  SourceError,
  type Imported,
  type ImportOptions,
  type RecordingIndex,
} from '@flamegate/loadtest'

/** Where a recording is written. */
export interface RecordingFile {
  write: (bytes: Uint8Array) => void
  /** What was written so far; what is written from now on comes in its place. */
  startAnew: () => AsyncIterable<Uint8Array>
}

/** What a reader gives to where the source is read. */
export interface SourceSurroundings {
  content: AsyncIterable<Uint8Array>
  recording: RecordingFile
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
  { content, recording, isVerified }: SourceSurroundings,
): Promise<ReadOutcome> {
  const writer = new RecordingWriter(recording.write)
  const secrets = new Set<string>()
  const importer = importers.get(format)
  if (importer === undefined) return { refused: `${format} is no format that can be imported.` }
  try {
    const imported = await importer(content, options, {
      newId,
      keep: (exchange) => writer.keep(exchange),
      hide: (secret) => void secrets.add(secret),
      isVerified,
    })
    if (imported.virtualUsers.length === 0)
      return { refused: 'There is nothing in it to make a virtual user of.' }
    if (secrets.size === 0) return { imported, recordingIndex: writer.index }
    // Only now all of them are known.
    const hidden = new RecordingWriter(recording.write)
    await hideSecrets({ content: recording.startAnew(), index: writer.index }, secrets, hidden)
    return { imported, recordingIndex: hidden.index }
  } catch (error) {
    if (error instanceof SourceError) return { refused: error.message }
    throw error
  }
}
