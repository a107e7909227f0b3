import type { operations, RawInputOf } from '@flamegate/contract'

type Stacks = NonNullable<RawInputOf<typeof operations.pushProfile>['stacks']>

/** What applications whose names end so count; all others count samples of the processor. */
const countedBy: Readonly<Record<string, { type: string; unit: string }>> = {
  inuse_objects: { type: 'inuse_objects', unit: 'count' },
  inuse_space: { type: 'inuse_space', unit: 'bytes' },
  alloc_objects: { type: 'alloc_objects', unit: 'count' },
  alloc_space: { type: 'alloc_space', unit: 'bytes' },
  goroutines: { type: 'goroutines', unit: 'count' },
  mutex_count: { type: 'contentions', unit: 'count' },
  mutex_duration: { type: 'delay', unit: 'nanoseconds' },
  block_count: { type: 'contentions', unit: 'count' },
  block_duration: { type: 'delay', unit: 'nanoseconds' },
  lock_count: { type: 'contentions', unit: 'count' },
  lock_duration: { type: 'delay', unit: 'nanoseconds' },
  exceptions: { type: 'exceptions', unit: 'count' },
}
/** These count samples, of which `sampleRate` are a second. */
const sampled: Readonly<Record<string, string>> = { cpu: 'cpu', itimer: 'cpu', wall: 'wall' }
const usualRate = 100

/**
 * What counted stacks of an application stand for: Pyroscope tells it by the end of the name, `checkout.alloc_space`, which
 * is then no part of the service's name.
 * @see https://github.com/grafana/pyroscope/blob/main/pkg/ingester/pyroscope/ingest_adapter.go
 */
export function countedStacks(
  application: string,
  layout: Stacks['layout'],
  sampleRate: number | undefined,
): { service: string; stacks: Stacks } {
  const dot = application.lastIndexOf('.')
  const ending = application.slice(dot + 1)
  const counted = Object.hasOwn(countedBy, ending) ? countedBy[ending] : undefined
  const isKnown = dot > 0 && (counted !== undefined || Object.hasOwn(sampled, ending))
  const service = isKnown ? application.slice(0, dot) : application
  if (isKnown && counted !== undefined) return { service, stacks: { layout, ...counted, scale: 1 } }
  const type = (isKnown ? sampled[ending] : undefined) ?? 'cpu'
  return {
    service,
    stacks: { layout, type, unit: 'nanoseconds', scale: Math.floor(1e9 / (sampleRate || usualRate)) },
  }
}
