import type { Caller } from '@flamegate/contract'
import { expect, test } from 'vitest'
import type { ProjectWithCounts, Run, Stores } from '../ports/index.ts'
import { findOwnBaseline } from './baseline.ts'

// What a handler does not use is not there, and fails it.
function onlyWith<T extends object>(part: Partial<T>): T {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return part as T
}

interface Recorded {
  id: string
  branch?: string
  commit?: string
  /** Of what it measured. */
  job?: string
  /** After head. */
  isLater?: boolean
}

/** The baseline of a run of commit c9, job linux, among those that are recorded, oldest first. */
async function baselineOf(
  head: Partial<Run>,
  recorded: readonly Recorded[],
  pinned?: Run['status'],
): Promise<string | undefined> {
  const createdAt = new Date(1000)
  const run = onlyWith<Run>({
    id: 'run_head',
    projectId: 'prj_1',
    branch: 'fix',
    commitHash: 'c9',
    baseBranch: null,
    baseCommitHash: null,
    measurementId: null,
    createdAt,
    ...head,
  })
  const stores = onlyWith<Stores>({
    projects: onlyWith<Stores['projects']>({
      find: async () =>
        onlyWith<ProjectWithCounts>({
          id: 'prj_1',
          defaultBranch: 'main',
          baselineRunId: pinned === undefined ? null : 'pinned',
        }),
    }),
    runs: onlyWith<Stores['runs']>({
      find: async (_caller, id) => pinned && onlyWith<Run>({ id, status: pinned }),
      findLatest: async (_caller, filter) => {
        const found = recorded.findLast(
          ({ branch = 'main', commit = 'c1', job = 'linux', isLater = false }) =>
            branch === (filter.branch ?? branch) &&
            commit === (filter.commitHash ?? commit) &&
            commit !== filter.notCommitHash &&
            (filter.measuringLike === undefined || job === 'linux') &&
            (filter.before === undefined || !isLater),
        )
        return found && onlyWith<Run>({ id: found.id })
      },
    }),
  })
  const found = await findOwnBaseline({ caller: onlyWith<Caller>({}), deps: { stores } }, run)
  return found?.id
}

const onMain = { id: 'main' }

test('a baseline is the run of the merge base, else of the branch that head goes into, else of the default branch', async () => {
  const head = { baseCommitHash: 'c5', baseBranch: 'release' }
  const mergeBase = { id: 'merge base', branch: 'any', commit: 'c5' }
  const onRelease = { id: 'release', branch: 'release', commit: 'c4' }
  expect(await baselineOf(head, [mergeBase, onRelease, onMain])).toBe('merge base')
  expect(await baselineOf(head, [onRelease, onMain])).toBe('release')
  expect(await baselineOf(head, [onMain])).toBe('main')
  expect(await baselineOf(head, [])).toBeUndefined()
})

test('what is pinned goes before all of them, also while it is read, but not when it could not be', async () => {
  expect(await baselineOf({}, [onMain], 'COMPLETED')).toBe('pinned')
  expect(await baselineOf({}, [onMain], 'PENDING')).toBe('pinned')
  expect(await baselineOf({}, [onMain], 'FAILURE')).toBe('main')
})

test('the run of the merge base may have come after head; that of a branch may not', async () => {
  const late = { id: 'late', commit: 'c5', isLater: true }
  expect(await baselineOf({ baseCommitHash: 'c5' }, [onMain, late])).toBe('late')
  expect(await baselineOf({}, [onMain, late])).toBe('main')
})

test('of several jobs of a commit the one that measured the same is the baseline, and any is better than none', async () => {
  const otherJob = { id: 'other job', commit: 'c2', job: 'windows' }
  expect(await baselineOf({}, [onMain, otherJob])).toBe('main')
  expect(await baselineOf({}, [otherJob])).toBe('other job')
})

test('measured once more, a commit of the default branch is judged against the one before it', async () => {
  const first = { id: 'first try', commit: 'c9' }
  expect(await baselineOf({ branch: 'main' }, [onMain, first])).toBe('main')
  expect(await baselineOf({ branch: 'main' }, [first])).toBe('first try')
})
