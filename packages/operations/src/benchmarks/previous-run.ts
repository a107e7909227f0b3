import type { Reading } from '../implement.ts'
import type { Run } from '../ports/index.ts'

/** The run before on the same branch that measured the same, whose environment tells what has changed. */
export function previousRun({ caller, deps }: Reading, run: Run): Promise<Run | undefined> {
  return deps.stores.runs.findLatest(caller, {
    projectId: run.projectId,
    branch: run.branch,
    before: run.createdAt,
    measuringLike: run,
  })
}
