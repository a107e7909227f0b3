import { rowMetrics, type ReportItem, type RowMetric } from '@flamegate/loadtest'
import { blocksOf, compareMetric, type Blocks } from '@flamegate/reports'
import { counterOf } from '@flamegate/series'
import { holdsOthers } from '../../bench-runs/holds-others.ts'
import { loadedUntil } from '../../bench-runs/measured-seconds.ts'
import { pathOf } from '../../bench-runs/names-in-plan.ts'
import { rounded } from '../../bench-runs/rounded.ts'
import type { Reading } from '../../implement.ts'
import type { BenchResult } from '../../ports/index.ts'
import { nameApart } from '../name-apart.ts'
import { reportRunOnWire } from '../on-wire.ts'
import { runsOf } from '../reaching.ts'
import { secondsOf, type ItemReading, type ItemValues } from './item-reading.ts'

type ComparisonItem = ReportItem & { type: 'comparison' }
type Compared = ItemValues<'comparison'>['rows'][number]['metrics'][number]

/** Of a run; some of them are put together, until they are nearly independent. */
const bucketsMax = 24
/** Rows of actions, at most: those that were done most often in the first run. */
const rowsMax = 100
const allRequests = 'All requests'

/** The metrics of all runs that are left of a report beside those of the first of them. */
export async function comparisonValues(
  item: ComparisonItem,
  at: ItemReading,
): Promise<ItemValues<'comparison'>> {
  const { reading, projectId, report } = at
  const runs = (await runsOf(reading, projectId, report)).filter((run) => run !== null)
  const blocks = await Promise.all(runs.map((run) => blocksByName(item, run, reading)))
  const [first] = blocks
  const names = [...new Set(blocks.flatMap((each) => [...each.keys()]))]
  // In the order of the first run: what it has not comes last.
  const ordered = names.toSorted((a, b) => countIn(first, b) - countIn(first, a)).slice(0, rowsMax)
  return {
    type: 'comparison',
    runs: runs.map(reportRunOnWire),
    rows: ordered.map((name) => ({
      name,
      metrics: item.metrics.map((metric) =>
        compared(
          metric,
          blocks.map((each) => each.get(name)),
          report.apdex_target_ms,
        ),
      ),
    })),
  }
}

/** The blocks of a run, in total or of each action, by the names that other runs may have too. */
async function blocksByName(
  item: ComparisonItem,
  run: BenchResult,
  { caller, deps }: Reading,
): Promise<Map<string, Blocks>> {
  const { from, to } = secondsOf(item, run)
  const answer = await deps.stores.series.query(caller, run.id, {
    kind: 'requests',
    from,
    // What only drains at the end is no part of the load.
    to: Math.max(from + 1, loadedUntil(run, to)),
    pointsMax: bucketsMax,
    ...(item.rows === 'all' ? {} : { apart: 'action' as const }),
  })
  const plan = await deps.stores.benchRuns.findPlan(caller, run.id)
  const blocks = new Map<string, Blocks>()
  for (const { action, buckets } of answer?.groups ?? []) {
    const known = plan?.actions[action]
    if (item.rows === 'all') blocks.set(allRequests, blocksOf(buckets))
    // Actions of the same name are told apart by their order, which is the same in all runs of a scenario.
    else if (known !== undefined && holdsOthers(known) === (item.rows === 'containers'))
      blocks.set(nameApart(pathOf(known).join(' / '), blocks), blocksOf(buckets))
  }
  return blocks
}

function compared(
  metric: RowMetric,
  ofRuns: readonly (Blocks | undefined)[],
  apdexTargetMs: number,
): Compared {
  const [first] = ofRuns
  const changes = ofRuns.map((blocks) =>
    first === undefined || blocks === undefined
      ? null
      : compareMetric(metric, first, blocks, { apdexTargetMs }),
  )
  return {
    metric,
    unit: rowMetrics[metric],
    values: changes.map((change, index) =>
      change === null ? valueOf(metric, ofRuns[index], apdexTargetMs) : rounded(change.values[1]),
    ),
    changes: changes.map((change, index) =>
      change === null || index === 0
        ? null
        : {
            share: roundedOrNull(change.share),
            low: roundedOrNull(change.low),
            high: roundedOrNull(change.high),
            verdict: change.verdict,
          },
    ),
  }
}

/** Of what the first run has not. */
function valueOf(metric: RowMetric, blocks: Blocks | undefined, apdexTargetMs: number): number | null {
  const change = blocks === undefined ? null : compareMetric(metric, blocks, blocks, { apdexTargetMs })
  return change === null ? null : rounded(change.values[1])
}

function countIn(blocks: ReadonlyMap<string, Blocks> | undefined, name: string): number {
  const total = blocks?.get(name)?.total
  return total === undefined ? 0 : counterOf(total, 'count')
}

function roundedOrNull(value: number | null): number | null {
  return value === null ? null : rounded(value)
}
