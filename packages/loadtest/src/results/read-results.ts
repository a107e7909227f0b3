import { SourceError } from '../import/importer.ts'
import { recogniseResults, type RecognisedResults, type ResultFormat } from './recognise-results.ts'
import type { ResultSink } from './result-sink.ts'
import { unpackResults, type StartedFile } from './unpack-results.ts'

/**
 * Reads the results of a load test that another tool made, whatever its format, packed or not. A ZIP file may hold several files of
 * one test.
 * @throws SourceError when there are none
 */
export async function readResults(
  content: AsyncIterable<Uint8Array>,
  sink: ResultSink,
): Promise<ResultFormat> {
  let format: ResultFormat | undefined
  let refusal: SourceError | undefined
  for await (const file of unpackResults(content)) {
    const recognised = recognise(file)
    if (recognised instanceof SourceError) {
      // What is no archive has nothing else in it.
      if (file.name === '') throw recognised
      refusal ??= recognised
      sink.note(`${file.name} was not read: ${recognised.message}`)
      continue
    }
    if (format !== undefined && format !== recognised.format)
      throw new SourceError(
        `It has results of ${format} and of ${recognised.format}. Import them one by one.`,
        file.name,
      )
    format = recognised.format
    await readFile(file, recognised, sink)
  }
  if (format === undefined) throw refusal ?? new SourceError('The archive is empty.')
  return format
}

function recognise({ start }: StartedFile): RecognisedResults | SourceError {
  try {
    return recogniseResults(start)
  } catch (error) {
    if (error instanceof SourceError) return error
    throw error
  }
}

async function readFile(
  { name, content }: StartedFile,
  { format, read }: RecognisedResults,
  sink: ResultSink,
): Promise<void> {
  if (name === '') return read(content, sink)
  await read(content, {
    ...sink,
    skip: (place, why) => sink.skip(`${name}: ${place}`, why),
    // JMeter counts the users of all its files together, and tells of which machine they are; others count their own.
    users: (source, atMs, users) => sink.users(format === 'jtl' ? source : `${name} ${source}`, atMs, users),
  })
}
