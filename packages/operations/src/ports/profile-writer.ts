import type { ExportedFile, ExportFormat, OriginRule, SampleFilter } from '@flamegate/profiles'
import type { ProfileParts } from './stores.ts'

/** Samples of a stored profile. */
interface StoredSamples {
  parts: Pick<ProfileParts, 'tree' | 'detail'>
  sampleTypeIndex: number
  /** Only these samples; all when absent. */
  filter?: SampleFilter
  /** Of the project. */
  originRules?: readonly OriginRule[] | undefined
}

/** A file to be written of a stored profile. */
export interface ExportRequest extends StoredSamples {
  format: ExportFormat
  /** As the file tells what it shows. */
  name: string
}

/** Or why it cannot be written. */
export type ExportOutcome =
  | { file: ExportedFile }
  | { refused: 'cannot_filter' | 'too_large'; reason: string }

/** A whole call tree to be drawn. */
export interface ColumnsRequest extends StoredSamples {
  /** Only below this function. */
  rootFunctionName: string | undefined
  /** Callers below callees. */
  inverted: boolean
}

/** Or why there is none. */
export type ColumnsOutcome =
  | { columns: Uint8Array }
  | { refused: 'cannot_filter'; reason: string }
  | { refused: 'function_not_found'; reason: string; nearestNames: string[] }

/**
 * Writes profiles as files, aside from what answers requests: a large one takes seconds. What a page waits for does not wait
 * for files of other tools.
 * @throws Problem `too_large`, `unavailable` when it takes too long, or many wait already
 */
export interface ProfileWriter {
  write(request: ExportRequest): Promise<ExportOutcome>
  writeColumns(request: ColumnsRequest): Promise<ColumnsOutcome>
}
