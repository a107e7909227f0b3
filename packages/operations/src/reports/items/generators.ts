import { generatorLimits, type GeneratorLimit, type ReportItem } from '@flamegate/loadtest'
import type { Buckets, SeriesAnswer, SeriesKind } from '@flamegate/series'
import { askSeries, metricIn, seriesKindOf } from '../../bench-runs/bench-metrics.ts'
import type { BenchResult, BenchShard } from '../../ports/index.ts'
import type { Reading } from '../../implement.ts'
import { secondsOf, type ItemValues } from './item-reading.ts'

/** Second by second for half an hour, and coarser beyond. */
const pointsMax = 2000
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the names of the object
const limits = Object.entries(generatorLimits) as [GeneratorLimit, number][]

type Generator = ItemValues<'generators'>['generators'][number]
type Answer = SeriesAnswer<Buckets[SeriesKind]> | undefined

export async function generatorValues(
  item: Pick<ReportItem, 'from_second' | 'to_second'>,
  run: BenchResult,
  reading: Reading,
): Promise<ItemValues<'generators'>> {
  const wanted = { ...secondsOf(item, run), pointsMax, time: 'service', apart: 'agent' } as const
  const gauges = await askSeries(reading, run, seriesKindOf('cpu_share'), wanted)
  const users = await askSeries(reading, run, seriesKindOf('users'), wanted)
  const shards = await reading.deps.stores.benchRuns.listShards(reading.caller, run.id)
  return {
    type: 'generators',
    generators: await Promise.all(
      shards.map(async (shard) => ({
        slot: shard.slot,
        agent_group: shard.agentGroup,
        name: await nameOf(shard, reading),
        state: shard.state,
        users_max: most(bucketsOf(users, shard.slot).map((bucket) => metricIn('users', bucket, 'service'))),
        ...gaugesOf(bucketsOf(gauges, shard.slot)),
        limited_seconds: limitedSeconds(bucketsOf(gauges, shard.slot)),
      })),
    ),
    events: run.events.map(({ at, kind, words }) => ({ at, kind, words })),
  }
}

function gaugesOf(
  buckets: readonly Buckets[SeriesKind][],
): Pick<Generator, 'cpu_share_max' | 'send_lag_max_ms' | 'event_loop_delay_max_ms'> {
  const mostOf = (metric: GeneratorLimit) =>
    most(buckets.map((bucket) => metricIn(metric, bucket, 'service')))
  return {
    cpu_share_max: mostOf('cpu_share'),
    send_lag_max_ms: mostOf('send_lag_max'),
    event_loop_delay_max_ms: mostOf('event_loop_delay_max'),
  }
}

/** For how many seconds a generator was at its limit. */
function limitedSeconds(buckets: readonly Buckets[SeriesKind][]): number {
  return buckets
    .filter((bucket) => limits.some(([metric, limit]) => (metricIn(metric, bucket, 'service') ?? 0) > limit))
    .reduce((sum, { seconds }) => sum + seconds, 0)
}

function bucketsOf(answer: Answer, slot: number): Buckets[SeriesKind][] {
  return answer?.groups.find(({ agent }) => agent === slot)?.buckets ?? []
}

async function nameOf({ loadGeneratorId: id, slot }: BenchShard, { caller, deps }: Reading): Promise<string> {
  const generator = id === null ? undefined : await deps.stores.loadGenerators.find(caller, id)
  return generator?.name ?? `agent ${slot}`
}

function most(values: readonly (number | null)[]): number | null {
  return values.reduce((max, value) => (value === null ? max : Math.max(max ?? value, value)), null)
}
