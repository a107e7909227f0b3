import { operations, Problem } from '@flamegate/contract'
import type { BenchReport, ReportItem } from '@flamegate/loadtest'
import { parseDesign } from '../design/parse-design.ts'
import type { CallContext } from '../implement.ts'

/**
 * A report out of what a caller gave, of runs and scenarios that the project has.
 * @param from What it was made of: runs of that may have been deleted since, and its items may name runs that were taken out when
 *   nobody looked at it
 * @param fieldOf The field of the input that a place in the document comes from
 * @throws Problem `invalid_input`, `bench_result_not_found`
 */
export async function parseReport(
  context: CallContext,
  projectId: string,
  value: unknown,
  {
    from = [],
    fieldOf = (pointer) => pointer,
  }: { from?: readonly BenchReport[]; fieldOf?: (pointer: string) => string } = {},
): Promise<BenchReport> {
  const { caller, deps } = context
  const report = parseDesign(context, 'bench_report', value, fieldOf)
  for (const [index, id] of report.bench_result_ids.entries()) {
    const field = fieldOf(`/bench_result_ids/${index}`)
    if (report.bench_result_ids.indexOf(id) !== index)
      throw invalid(field, `${id} is among the runs already.`)
    if (from.some(({ bench_result_ids: known }) => known.includes(id))) continue
    // oxlint-disable-next-line no-await-in-loop -- ten at most, and the first that is missing is told
    const run = await deps.stores.benchRuns.find(caller, id)
    if (run?.projectId === projectId) continue
    throw new Problem('bench_result_not_found', `This project has no run ${id}.`, {
      errors: [{ field, message: 'No such run in this project.' }],
      hint: [operations.listBenchReports, 'names the runs that there are'],
    })
  }
  const runCount = report.bench_result_ids.length
  // Both were read by one schema, so that their fields come in one order.
  const isAsBefore = (item: ReportItem) =>
    from.some(
      ({ items, bench_result_ids: runs }) =>
        runs.length === runCount && items.some((before) => JSON.stringify(before) === JSON.stringify(item)),
    )
  const named = report.items.flatMap((item, index) => (isAsBefore(item) ? [] : otherRunsOf(item, index)))
  for (const { pointer, run } of named)
    if (run >= runCount)
      throw invalid(fieldOf(pointer), `The report has ${runCount} runs, counted from 0: there is no ${run}.`)
  const scenarioId = report.trend?.scenario_id ?? null
  const scenario =
    scenarioId === null ? null : await deps.stores.designs.find(caller, scenarioId, { evenDeleted: true })
  if (scenario !== null && (scenario?.kind !== 'scenario' || scenario.projectId !== projectId))
    throw invalid(fieldOf('/trend/scenario_id'), `This project has no scenario ${scenarioId}.`)
  return report
}

/**
 * The runs that an item names beside its own, by their places. Looked at here and not by the schema, so that reports are read whose
 * runs were taken out when nobody looked at it.
 */
function otherRunsOf(item: ReportItem, index: number): { pointer: string; run: number }[] {
  if (item.type === 'chart')
    return item.lines.flatMap(({ run }, line) =>
      run === null ? [] : [{ pointer: `/items/${index}/lines/${line}/run`, run }],
    )
  return item.type === 'distribution'
    ? item.runs.map((run, place) => ({ pointer: `/items/${index}/runs/${place}`, run }))
    : []
}

function invalid(field: string, message: string): Problem {
  return new Problem('invalid_input', message, { errors: [{ field, message }] })
}
