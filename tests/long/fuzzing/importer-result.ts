import { z } from 'zod'
import { finding } from './finding.ts'

/** What came of one importer. */
export const importerResult = z.object({
  format: z.string(),
  inputs: z.number(),
  /** Real files that its inputs were made of. */
  originals: z.number(),
  read: z.number(),
  refused: z.number(),
  /** Kinds of refusals. */
  refusals: z.number(),
  slowestMs: z.number(),
  slowestNumber: z.number(),
  largestBytes: z.number(),
  peakBytes: z.number(),
  peakNumber: z.number(),
  findings: z.array(finding),
})
export type ImporterResult = z.infer<typeof importerResult>
