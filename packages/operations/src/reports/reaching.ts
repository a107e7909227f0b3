import { operations, Problem } from '@flamegate/contract'
import type { BenchReport, ReportItem } from '@flamegate/loadtest'
import type { CallContext, Reading } from '../implement.ts'
import type { BenchResult, DesignObject } from '../ports/index.ts'
import { reach } from '../targets.ts'
import { nameApart } from './name-apart.ts'

/** A report among those that the caller may read; also one that was deleted, when asked for. */
export async function getReport(
  context: CallContext,
  id: string,
  options?: { evenDeleted: boolean },
): Promise<DesignObject> {
  const object = await context.deps.stores.designs.find(context.caller, id, options)
  if (object?.kind !== 'bench_report') {
    throw new Problem('bench_report_not_found', 'No such report in your workspaces.', {
      hint: [operations.listBenchReports, 'shows the ones there are'],
    })
  }
  await reach(context, object.workspaceId, object.id)
  return object
}

export async function getTemplate(context: CallContext, id: string): Promise<DesignObject> {
  const object = await context.deps.stores.designs.find(context.caller, id)
  if (object?.kind !== 'report_template') {
    throw new Problem('report_template_not_found', 'No such template in your workspaces.', {
      hint: [operations.listReportTemplates, 'shows the ones there are'],
    })
  }
  await reach(context, object.workspaceId, object.id)
  return object
}

/** @throws Problem `report_item_not_found` */
export function itemOf({ items }: BenchReport, id: string): ReportItem {
  const item = items.find((each) => each.id === id)
  if (item === undefined) {
    const ids = items.map((each) => each.id).join(', ')
    throw new Problem(
      'report_item_not_found',
      `This report has no item ${id}. It has ${ids === '' ? 'none yet' : ids}.`,
    )
  }
  return item
}

/** The run at a place of a report. @throws Problem `bench_result_not_found` when it was deleted, `invalid_input` */
export async function runAt(
  reading: Reading,
  projectId: string,
  report: BenchReport,
  place: number,
): Promise<BenchResult> {
  const [[, run]] = await runsAt(reading, projectId, report, [place])
  return run
}

/**
 * Those of the runs at places of a report that are still there, each with its place.
 * @throws Problem `bench_result_not_found` when all of them were deleted, `invalid_input`
 */
export async function runsAt(
  reading: Reading,
  projectId: string,
  report: BenchReport,
  places: readonly number[],
): Promise<[PlacedRun, ...PlacedRun[]]> {
  const ids = report.bench_result_ids
  if (places.some((place) => place >= ids.length)) {
    const message = `The report has ${ids.length} runs, counted from 0.`
    throw new Problem('invalid_input', message, { errors: [{ field: 'run', message }] })
  }
  const runs = await runsOf(reading, projectId, report)
  const [first, ...others] = places.flatMap((place): PlacedRun[] => {
    const run = runs[place] ?? null
    return run === null ? [] : [[place, run]]
  })
  if (first === undefined) {
    const deleted = places.map((place) => ids[place]).join(', ')
    const words =
      places.length === 1
        ? `The run ${deleted} was deleted. Give the items that are of it another run`
        : `The runs ${deleted} were deleted. Give the items that are of them other runs`
    throw new Problem('bench_result_not_found', `${words}, or take them out.`, {
      hint: [operations.patchBenchReport, 'changes the runs and items of a report'],
    })
  }
  return [first, ...others]
}

type PlacedRun = [place: number, run: BenchResult]

/** All runs of a report in their order, told apart where they have one name; null stands for one that was deleted. */
export async function runsOf(
  { caller, deps }: Reading,
  projectId: string,
  { bench_result_ids: ids }: BenchReport,
): Promise<(BenchResult | null)[]> {
  const runs = await Promise.all(ids.map((id) => deps.stores.benchRuns.find(caller, id)))
  const taken = new Set<string>()
  return runs.map((run) => {
    if (run?.projectId !== projectId) return null
    const name = nameApart(run.name, taken)
    taken.add(name)
    return { ...run, name }
  })
}
