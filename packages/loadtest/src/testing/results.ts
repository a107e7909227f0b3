import { readResults } from '../results/read-results.ts'
import type { ResultFormat } from '../results/recognise-results.ts'
import type { ResultBand, ResultSample, ResultSink } from '../results/result-sink.ts'
import { piecesOf } from './har.ts'

export interface CollectedResults {
  format: ResultFormat
  samples: ResultSample[]
  bands: ResultBand[]
  users: { source: string; atMs: number; users: number }[]
  iterations: number
  skipped: string[]
  notes: string[]
}

/** All that results tell, in pieces of a size. */
export async function collected(content: string | Uint8Array, size = 65_536): Promise<CollectedResults> {
  const all: Omit<CollectedResults, 'format'> = {
    samples: [],
    bands: [],
    users: [],
    iterations: 0,
    skipped: [],
    notes: [],
  }
  const sink: ResultSink = {
    sample: (sample) => void all.samples.push(sample),
    band: (band) => void all.bands.push(band),
    users: (source, atMs, users) => void all.users.push({ source, atMs, users }),
    iterations: (_endMs, count) => (all.iterations += count),
    skip: (place, why) => void all.skipped.push(`${place}: ${why}`),
    note: (words) => void all.notes.push(words),
  }
  const format = await readResults(piecesOf(Buffer.from(content), size), sink)
  return { ...all, format }
}
