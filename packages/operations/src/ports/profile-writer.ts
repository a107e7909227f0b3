import type {
  DifferentialFlameGraph,
  ExportedFile,
  ExportFormat,
  OriginRule,
  PictureFormat,
  SampleFilter,
} from '@flamegate/profiles'
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
  /** Of a PNG. */
  widthPx?: number
}

/** Or why it cannot be written. */
export type ExportOutcome =
  | { file: ExportedFile }
  | { refused: 'cannot_filter' | 'too_large'; reason: string }

/** A comparison to be drawn. */
export interface DifferenceRequest {
  graph: DifferentialFlameGraph
  format: PictureFormat
  title: string
  facts: string[]
  unit: string
  /** Of a PNG. */
  widthPx: number
}

/**
 * Writes profiles as files, aside from what answers requests: a large one takes seconds. What a page waits for does not wait
 * for files of other tools.
 * @throws Problem `too_large`, `unavailable` when it takes too long, or many wait already
 */
export interface ProfileWriter {
  write(request: ExportRequest | DifferenceRequest): Promise<ExportOutcome>
}
