import { operations } from '@flamegate/contract'
import { expect, test } from 'vitest'
import type { CallContext } from '../implement.ts'
import type { Project, ProjectWithCounts, Run, Stores } from '../ports/index.ts'
import { updateProject } from './update-project.ts'

// What is not used is not there, and fails the test.
function onlyWith<T extends object>(part: Partial<T>): T {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return part as T
}

const place = { workspaceId: 'ws_1', projectId: 'prj_1' }

/** What is pinned after somebody asked to pin a run of that state. */
async function pinned(status: Run['status']): Promise<string | null | undefined> {
  let baseline: string | null | undefined
  const at = new Date(0)
  const times = { alertsOffSince: null, createdAt: at, updatedAt: at }
  const project = onlyWith<ProjectWithCounts>({ ...place, ...times, id: 'prj_1' })
  const stores = onlyWith<Stores>({
    projects: onlyWith<Stores['projects']>({
      find: async () => project,
      findWithCounts: async () => project,
      findByRepository: async () => project,
      update: async (_caller, _id, { baselineRunId }) => {
        baseline = baselineRunId
        return onlyWith<Project>({})
      },
    }),
    runs: onlyWith<Stores['runs']>({
      find: async () => onlyWith<Run>({ ...place, id: 'run_1', status, warnings: ['No benchmarks'] }),
    }),
  })
  await updateProject.handle(
    operations.updateProject.input.parse({ project_id: 'prj_1', baseline_run_id: 'run_1' }),
    onlyWith<CallContext>({
      caller: onlyWith<CallContext['caller']>({ roles: new Map([['ws_1', 'member']]) }),
      operation: operations.updateProject,
      concerns: () => undefined,
      enterWorkspace: () => undefined,
      deps: onlyWith<CallContext['deps']>({ stores }),
    }),
  )
  return baseline
}

test('a run is pinned also while it is read, but not when it could not be', async () => {
  expect(await pinned('COMPLETED')).toBe('run_1')
  expect(await pinned('PENDING')).toBe('run_1')
  await expect(pinned('FAILURE')).rejects.toMatchObject({
    code: 'runs_not_comparable',
    message: expect.stringContaining('No benchmarks'),
  })
})
