import type { InsightShape } from '@flamegate/contract'
import type { BenchReport, ReportItem } from '@flamegate/loadtest'
import { findInsights, type Evidence } from '@flamegate/reports'
import { rounded } from '../bench-runs/rounded.ts'
import type { Reading } from '../implement.ts'
import type { BenchResult } from '../ports/index.ts'
import { measuredRun } from './measured-run.ts'
import { runAt } from './reaching.ts'

/** What the numbers of a run of a report mean. Compared with the first run of the report; the first, with the baseline of its scenario. */
export async function insightsOfRun(
  reading: Reading,
  projectId: string,
  report: BenchReport,
  place: number,
): Promise<InsightShape[]> {
  const run = await runAt(reading, projectId, report, place)
  const before = await baselineOf(reading, { projectId, report, place, run })
  const insights = findInsights(await measuredRun(reading, run), {
    apdexTargetMs: report.apdex_target_ms,
    baseline: before === undefined ? undefined : await measuredRun(reading, before),
  })
  if (insights.length === 0) return [nothingMeasured(run)]
  return insights.map((insight) => ({
    ...insight,
    evidence: insight.evidence.map((each) => ({
      name: each.name,
      value: rounded(each.value),
      unit: each.unit,
      bench_result_id: each.runId,
      item_id: itemThatShows(each, report, place)?.id ?? null,
      second: each.second,
    })),
  }))
}

/** What a run is compared with; nothing when there is nothing, or when it was deleted. */
async function baselineOf(
  { caller, deps }: Reading,
  {
    projectId,
    report,
    place,
    run,
  }: { projectId: string; report: BenchReport; place: number; run: BenchResult },
): Promise<BenchResult | undefined> {
  const { benchRuns } = deps.stores
  const [firstId] = report.bench_result_ids
  if (place > 0 && firstId !== undefined) {
    const first = await benchRuns.find(caller, firstId)
    return first?.projectId === projectId ? first : undefined
  }
  const baseline = run.scenarioId === null ? undefined : await benchRuns.findBaseline(caller, run.scenarioId)
  return baseline?.id === run.id ? undefined : baseline
}

/** The item of the report that shows a number: a chart that has its metric, or the first one of its type. */
function itemThatShows({ shownBy }: Evidence, { items }: BenchReport, place: number): ReportItem | undefined {
  return items.find((item) => {
    const isOfRun = item.run === place || item.type === 'comparison'
    if (item.type !== 'chart') return item.type === shownBy && isOfRun
    return item.lines.some(({ metric, run }) => metric === shownBy && (run ?? item.run) === place)
  })
}

function nothingMeasured(run: BenchResult): InsightShape {
  return {
    kind: 'nothing_measured',
    level: 'info',
    title: 'Nothing was measured yet.',
    detail: run.message,
    evidence: [
      { name: 'requests', value: 0, unit: 'count', bench_result_id: run.id, item_id: null, second: null },
    ],
  }
}
