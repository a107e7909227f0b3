import { asReported, engineTitle, parseThreshold, scenario } from '@flamegate/loadtest'
import type { MeasuredRun } from '@flamegate/reports'
import type { Buckets, SeriesKind } from '@flamegate/series'
import { holdsOthers } from '../bench-runs/holds-others.ts'
import { measureActions } from '../bench-runs/measured-actions.ts'
import { lostLoads } from '../bench-runs/lost-load.ts'
import { drawnSeconds, lateSeconds, loadedUntil } from '../bench-runs/measured-seconds.ts'
import { pathOf } from '../bench-runs/names-in-plan.ts'
import type { Reading } from '../implement.ts'
import type { BenchPlan, BenchResult } from '../ports/index.ts'
import { generatorValues } from './items/generators.ts'
import { thresholdsOf } from './items/thresholds.ts'

/** As many as it takes to see what happened when, and few enough for each to have requests. */
const pointsMax = 120

/** A run with all that insights are found in. */
export async function measuredRun(reading: Reading, run: BenchResult): Promise<MeasuredRun> {
  const measured = await measureActions(reading, run, { fromSecond: 0, toSecond: null })
  const { generators } = await generatorValues({ from_second: 0, to_second: null }, run, reading)
  return {
    id: run.id,
    name: run.name,
    total: measured.total,
    requests: await blocksOf(reading, run, 'requests', pointsMax),
    users: await blocksOf(reading, run, 'users', pointsMax),
    actions: measured.actions.map(({ action, bucket }) => ({
      name: pathOf(measured.plan?.actions[action]).join(' / '),
      holdsOthers: holdsOthers(measured.plan?.actions[action] ?? { type: '' }),
      bucket,
    })),
    generators:
      generators.length === 0 || run.importedFrom !== null
        ? null
        : {
            limitedSeconds: Math.max(...generators.map((each) => each.limited_seconds)),
            cpuShareMax: Math.max(...generators.map((each) => each.cpu_share_max ?? 0)),
            sendLagMaxMs: Math.max(...generators.map((each) => each.send_lag_max_ms ?? 0)),
          },
    lostLoads: await lostLoadsOf(reading, run, measured.plan),
    thresholds: (await thresholdsOf(reading, run)).map(({ text, state, value }) => ({
      text,
      state,
      measured: value === null ? null : asReported(parseThreshold(text).metric, value),
    })),
  }
}

async function lostLoadsOf(
  { caller, deps }: Reading,
  { id, isDegraded, startedAt }: BenchResult,
  plan: BenchPlan | undefined,
): Promise<MeasuredRun['lostLoads']> {
  if (!isDegraded || startedAt === null || plan === undefined) return []
  const shards = await deps.stores.benchRuns.listShards(caller, id)
  return lostLoads(shards, scenario.parse(plan.scenario).on_agent_lost).map(
    ({ since, engines, ...lost }) => ({
      ...lost,
      engines: engines.map(engineTitle),
      second: since === null ? null : Math.max(0, Math.floor((since.getTime() - startedAt.getTime()) / 1000)),
    }),
  )
}

/** The seconds of a run under load, as buckets; without those at its end in which it only drained. */
export async function blocksOf<Kind extends SeriesKind>(
  { caller, deps }: Reading,
  run: BenchResult,
  kind: Kind,
  blocksMax: number,
): Promise<Buckets[Kind][]> {
  const told = drawnSeconds(run) - (run.endedAt === null ? lateSeconds : 0)
  const answer = await deps.stores.series.query(caller, run.id, {
    kind,
    from: 0,
    to: Math.max(1, loadedUntil(run, told)),
    pointsMax: blocksMax,
  })
  return answer?.groups[0]?.buckets ?? []
}
