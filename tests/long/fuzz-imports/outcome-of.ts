import { type ImportContext, SourceError } from '../../../packages/loadtest/src/import/importer.ts'
import { importers } from '../../../packages/loadtest/src/import/importers.ts'
import { RecordingWriter } from '../../../packages/loadtest/src/recording/recording-writer.ts'
import { piecesOf } from '../../../packages/loadtest/src/testing/har.ts'
import { asWords, refused } from '../fuzzing/measured.ts'
import type { Outcome } from '../fuzzing/subject.ts'
import { countElements } from './count-elements.ts'
import type { SourceInput } from './make-input.ts'
import { unsoundness } from './unsoundness.ts'

/** Reads a source as the worker does: there must be sound documents with a report of every element, or a SourceError. */
export async function sourceOutcome(input: SourceInput, format: string): Promise<Outcome> {
  const importer = importers.get(format)
  if (importer === undefined) throw new RangeError(`There is no importer of ${format}`)
  const recording = new RecordingWriter(() => {})
  let ids = 0
  const context: ImportContext = {
    newId: (kind) => `${kind}_${++ids}`,
    keep: (exchange) => recording.keep(exchange),
    hide: () => undefined,
    isVerified,
  }
  try {
    const imported = await importer(piecesOf(input.bytes, input.pieceBytes), input.options, context)
    const problem = unsoundness(imported, isVerified) ?? miscount(imported.report.elements.length)
    return { isRead: true, ...(problem === undefined ? {} : { problem }) }
  } catch (error) {
    return error instanceof SourceError ? refused(error.message) : { isRead: false, problem: asWords(error) }
  }

  function miscount(told: number): string | undefined {
    const there = countElements(input.bytes, format)
    return there === undefined || there === told
      ? undefined
      : `the report tells of ${told} elements of ${there}`
  }
}

function isVerified(host: string): boolean {
  return /(?:^|\.)example\.com(?::\d+)?$|^127\.0\.0\.1(?::\d+)?$/.test(host)
}
