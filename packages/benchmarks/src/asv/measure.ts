import { peakMemory, wallTime } from '../measure.ts'
import type { Measure } from '../measure.ts'

const memory = { ...peakMemory, metric: 'memory' }

/** What a benchmark of asv measures is told by the first word of its own name: `time_keys`, `track_size`. */
export function asvMeasure(name: string): { measure: Measure; factor: number } {
  const kind = /^[a-z]+/.exec(name.replace(/^.*\./, ''))?.[0]
  if (kind === 'time' || kind === 'timeraw') return { measure: wallTime, factor: 1e9 }
  if (kind === 'peakmem') return { measure: peakMemory, factor: 1 }
  if (kind === 'mem') return { measure: memory, factor: 1 }
  return { measure: { instrument: 'custom', metric: 'value', unit: '', betterWhen: 'lower' }, factor: 1 }
}
