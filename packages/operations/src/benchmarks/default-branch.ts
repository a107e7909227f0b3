import type { Caller } from '@flamegate/contract'
import type { Project, Stores } from '../ports/index.ts'

// Until a project names its default branch, the two that forges create.
const usualNames = ['main', 'master']

/** The branch that runs are judged by: the one the project names, else the one of the usual names that has runs. */
export async function defaultBranchOf(
  { runs }: Pick<Stores, 'runs'>,
  caller: Caller,
  project: Pick<Project, 'id' | 'defaultBranch'>,
): Promise<string> {
  if (project.defaultBranch !== null) return project.defaultBranch
  for (const branch of usualNames) {
    // oxlint-disable-next-line no-await-in-loop -- the first one that is there decides
    if ((await runs.findLatest(caller, { projectId: project.id, branch })) !== undefined) return branch
  }
  return 'main'
}
