import { importers } from '../../../packages/loadtest/src/import/importers.ts'
import type { Subject } from '../fuzzing/subject.ts'
import { makeSourceInput, type SourceInput } from './make-input.ts'
import { importOriginals } from './originals.ts'
import { sourceOutcome } from './outcome-of.ts'

/** More than a process that reads had at its start. */
export const moreBytesMax = 512 * 1024 * 1024

/** The importers of virtual users. */
export const sourceImporters: Subject<SourceInput> = {
  formats: [...importers.keys()],
  folder: import.meta.dirname,
  originals: importOriginals,
  makeInput: makeSourceInput,
  outcomeOf: sourceOutcome,
  processBytesMax: (bytesAtStart) => bytesAtStart + moreBytesMax,
}
