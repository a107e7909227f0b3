import { labelledName, readExposition, type ExpositionSample } from '@flamegate/live'
import type { Reading } from './reading.ts'

/** Every sample of the Prometheus text format, or OpenMetrics, as a counter of its own. @throws ExpositionError */
export function parseExposition(text: string): Reading[] {
  return readExposition(text).map((sample) => ({
    ...kindOf(sample),
    name: labelledName(sample.name, sample.labels),
    value: sample.value,
  }))
}

const rates = { kind: 'counter', unit: '/s' } as const
const levels = { kind: 'gauge', unit: '' } as const

/** What a sample is, by its family; of one without, a name on _total says that it counts. */
function kindOf({ name, family, type }: ExpositionSample): Pick<Reading, 'kind' | 'unit' | 'isUsual'> {
  const suffix = name.slice(family.length)
  if (suffix === '_created') return { ...levels, isUsual: false }
  if (type === 'counter') return { ...rates, isUsual: true }
  if (type === 'histogram' || type === 'summary') {
    // Buckets are many, and say little one by one.
    if (suffix === '_bucket') return { ...rates, isUsual: false }
    return suffix === '_sum' || suffix === '_count'
      ? { ...rates, isUsual: true }
      : { ...levels, isUsual: true }
  }
  if (type === 'info' || (type === 'gaugehistogram' && suffix === '_bucket'))
    return { ...levels, isUsual: false }
  const isCounting = (type === 'untyped' || type === 'unknown') && name.endsWith('_total')
  return { ...(isCounting ? rates : levels), isUsual: true }
}
