import { operations, type InsightShape } from '@flamegate/contract'
import { parseDocument } from '@flamegate/loadtest'
import { insightLevels } from '@flamegate/reports'
import { implement } from '../implement.ts'
import { insightsOfRun } from './insights-of-run.ts'
import { getReport, runsOf } from './reaching.ts'

export const getReportInsights = implement(operations.getReportInsights)(async (input, context) => {
  const object = await getReport(context, input.bench_report_id)
  const report = parseDocument('bench_report', object.document)
  const runs = await runsOf(context, object.projectId, report)
  const places =
    input.run === undefined ? runs.flatMap((run, place) => (run === null ? [] : [place])) : [input.run]
  const insights: InsightShape[] = []
  for (const place of places) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other, for each reads all that a run measured
    const found = await insightsOfRun(context, object.projectId, report, place)
    const name = runs[place]?.name ?? ''
    insights.push(
      ...(places.length > 1 ? found.map((each) => ({ ...each, title: `${name}: ${each.title}` })) : found),
    )
  }
  return {
    bench_report_id: object.id,
    project_id: object.projectId,
    insights: insights.toSorted((a, b) => insightLevels.indexOf(b.level) - insightLevels.indexOf(a.level)),
  }
})
