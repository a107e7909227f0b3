import { readResults, SourceError } from '@flamegate/loadtest/results'
import type { ReadResultsOutcome } from '../ports/index.ts'
import { ResultSums } from './measured-results.ts'

/**
 * Reads results of another tool into seconds of a run, which are written as frames. Whatever is wrong with the file itself is an
 * outcome, and no error.
 */
export async function readBenchResults(
  content: AsyncIterable<Uint8Array>,
  write: (frame: Uint8Array) => void,
): Promise<ReadResultsOutcome> {
  const sums = new ResultSums(write)
  try {
    const format = await readResults(content, sums)
    return { format, results: sums.end() }
  } catch (error) {
    if (error instanceof SourceError) return { refused: error.message }
    throw error
  }
}
