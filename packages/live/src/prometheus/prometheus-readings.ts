import { boundedBuckets, bucketSlots } from '../bucket-slots.ts'
import { labelledName } from '../labelled-name.ts'
import { measuredUnit } from '../measured-unit.ts'
import { percentName } from '../percent-name.ts'
import type { Reading } from '../reading.ts'
import type { ExpositionSample } from './read-exposition.ts'

/** What the samples of one scrape say: a histogram or summary is one reading, everything else is one for each sample. */
export function prometheusReadings(samples: readonly ExpositionSample[], atMs: number): Reading[] {
  const alone: Reading[] = []
  const parts = new Map<string, ExpositionSample[]>()
  for (const sample of samples) {
    if (isPart(sample)) {
      const labels = sample.labels.filter(([name]) => name !== 'le' && name !== 'quantile')
      const name = labelledName(sample.family, labels)
      const known = parts.get(name)
      if (known === undefined) parts.set(name, [sample])
      else known.push(sample)
    } else {
      const said = saidAlone(sample)
      if (said === undefined) continue
      alone.push({ ...said, name: labelledName(sample.name, sample.labels), unit: '', atMs, isDelta: false })
    }
  }
  const together = Array.from(parts, ([name, of]): Reading[] => {
    const said = saidTogether(of)
    return said === undefined ? [] : [{ ...said, name, unit: '', atMs, isDelta: false }]
  })
  return [...alone, ...together.flat()]
}

const partEndings = new Set(['', '_bucket', '_sum', '_count'])

/** Another family without a type may follow, of which the name begins in the same way. */
function isPart({ name, family, type }: ExpositionSample): boolean {
  return (type === 'histogram' || type === 'summary') && partEndings.has(name.slice(family.length))
}

type Said = Pick<Reading, 'kind' | 'counters' | 'levels' | 'distributions'>

/** Of a family without a type, a name on _total says that it counts. */
function saidAlone({ name, family, type, value }: ExpositionSample): Said | undefined {
  // When it was made, and buckets of what falls again, say little one by one.
  if (name === `${family}_created` || (type === 'gaugehistogram' && name === `${family}_bucket`))
    return undefined
  const isCounting =
    type === 'counter' || ((type === 'untyped' || type === 'unknown') && name.endsWith('_total'))
  return isCounting ? { kind: 'counter', counters: { added: value } } : { kind: 'gauge', levels: { value } }
}

function saidTogether(samples: readonly ExpositionSample[]): Said | undefined {
  const [first] = samples
  if (first === undefined) return undefined
  const valueOf = (suffix: string) => samples.find(({ name }) => name === first.family + suffix)?.value
  const count = valueOf('_count')
  const sum = valueOf('_sum')
  if (count === undefined || count < 0) return undefined
  const kind = first.type === 'summary' ? 'summary' : 'histogram'
  const measured = measuredUnit(unitOf(first.family))
  if (measured === undefined || sum === undefined)
    return { kind, counters: { count, ...(sum === undefined ? {} : { sum }) } }
  const { name, factor } = measured
  const percentiles = samples.flatMap(({ labels, value }) => {
    const quantile = numberOf(labels, 'quantile')
    return quantile === undefined ? [] : [[percentName(quantile), value * factor]]
  })
  const histogram = histogramOf(samples, factor)
  return {
    kind,
    distributions: {
      [name]: {
        count,
        total: sum * factor,
        ...(percentiles.length === 0 ? {} : { percentiles: Object.fromEntries(percentiles) }),
        ...(histogram === undefined ? {} : { histogram }),
      },
    },
  }
}

/** The unit is the end of the name: https://prometheus.io/docs/practices/naming/#base-units */
function unitOf(family: string): string {
  if (family.endsWith('_seconds')) return 's'
  if (/_milliseconds$|_ms$/.test(family)) return 'ms'
  if (family.endsWith('_bytes')) return 'By'
  return ''
}

/** Buckets count all that is not above their bound. */
function histogramOf(samples: readonly ExpositionSample[], factor: number) {
  const buckets = samples
    .flatMap(({ labels, value }) => {
      const bound = numberOf(labels, 'le')
      return bound === undefined ? [] : [{ bound, value }]
    })
    .toSorted((a, b) => a.bound - b.bound)
  if (buckets.length === 0) return undefined
  const bounds = buckets.map(({ bound }) => bound * factor).filter((bound) => Number.isFinite(bound))
  const counts = buckets.map(({ value }, index) => value - (buckets[index - 1]?.value ?? 0))
  return bucketSlots(boundedBuckets(bounds, counts))
}

function numberOf(labels: ExpositionSample['labels'], name: string): number | undefined {
  const text = labels.find(([label]) => label === name)?.[1]
  if (text === undefined) return undefined
  const value = text === '+Inf' ? Infinity : Number(text)
  return Number.isNaN(value) ? undefined : value
}
