import { newId } from '@flamegate/contract'
import { newReport, standardItems, type BenchReport } from '@flamegate/loadtest'
import type { Reading } from '../implement.ts'
import { Conflict, type BenchResult, type DesignChange, type DesignObject } from '../ports/index.ts'
import { freeName } from '../design/free-name.ts'
import { summaryOf } from './summary.ts'

/** @throws Conflict `name` */
export function addReport(
  { caller, deps }: Reading,
  { workspaceId, projectId }: { workspaceId: string; projectId: string },
  document: BenchReport,
  words: string,
  { id = newId('benchReport'), author }: { id?: string; author?: DesignChange['author'] } = {},
): Promise<DesignObject> {
  return deps.stores.designs.create(
    caller,
    { workspaceId, projectId },
    { id, kind: 'bench_report', name: document.name, document, summary: summaryOf(document) },
    { words, author },
  )
}

/** How often a name is looked for anew that another run took meanwhile. */
const triesMax = 5

/** Makes the report that a run names, with the name of the run, or one like it; nothing happens when it was made before. */
export async function addReportOfRun(
  reading: Reading,
  run: Pick<BenchResult, 'id' | 'workspaceId' | 'projectId' | 'name' | 'benchReportId'>,
  author?: DesignChange['author'],
): Promise<void> {
  const { designs } = reading.deps.stores
  if (run.benchReportId === null) return
  const monitors = await designs.listNames(reading.caller, run.projectId, 'monitor')
  const plan = await reading.deps.stores.benchRuns.findPlan(reading.caller, run.id)
  const items = standardItems({
    hasMonitors: monitors.size > 0,
    hasBrowsers: plan?.actions.some(({ type }) => type === 'page') ?? false,
  })
  for (let left = triesMax; ; left--) {
    // oxlint-disable-next-line no-await-in-loop -- one try after the other
    const known = await designs.find(reading.caller, run.benchReportId, { evenDeleted: true })
    if (known !== undefined) return
    // oxlint-disable-next-line no-await-in-loop -- see above
    const taken = await designs.listNames(reading.caller, run.projectId, 'bench_report')
    try {
      const document = newReport(freeName(run.name, taken), [run.id], items)
      // oxlint-disable-next-line no-await-in-loop -- see above
      await addReport(reading, run, document, 'Made with the run', { id: run.benchReportId, author })
      return
    } catch (error) {
      if (!(error instanceof Conflict) || left === 0) throw error
    }
  }
}
