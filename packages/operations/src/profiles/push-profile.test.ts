import type { Caller } from '@flamegate/contract'
import { expect, test } from 'vitest'
import type { CallContext, Deps } from '../implement.ts'
import { plansWith } from '../limits/testing/plans-with.ts'
import type { FileRecord, JobQueue, ObjectStorage, ProjectWithCounts, Stores } from '../ports/index.ts'
import { pushProfile } from './push-profile.ts'

// What a handler does not use is not there, and fails it.
function onlyWith<T extends object>(part: Partial<T>): T {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return part as T
}

test('a pushed profile is kept for as many days as the installation says', async () => {
  let kept: Date | null | undefined
  const context = onlyWith<CallContext>({
    caller: onlyWith<Caller>({ roles: new Map([['ws_1', 'member']]) }),
    operation: pushProfile.operation,
    requestId: 'req_1',
    concerns: () => undefined,
    enterWorkspace: () => undefined,
    deps: onlyWith<Deps>({
      pushedProfileDays: 30,
      stores: onlyWith<Stores>({
        projects: onlyWith<Stores['projects']>({
          find: async () => onlyWith<ProjectWithCounts>({ id: 'prj_1', workspaceId: 'ws_1' }),
        }),
        files: onlyWith<Stores['files']>({
          create: async () => onlyWith<FileRecord>({ id: 'fil_1', storageKey: 'ws_1/fil_1', sizeBytes: 10 }),
        }),
        profiles: onlyWith<Stores['profiles']>({
          create: async (_caller, { expiresAt, ...profile }) => {
            kept = expiresAt
            return onlyWith<Awaited<ReturnType<Stores['profiles']['create']>>>({ id: profile.id })
          },
        }),
        tasks: onlyWith<Stores['tasks']>({ create: async () => onlyWith({}) }),
        plans: plansWith(),
        usage: onlyWith<Stores['usage']>({ countUpload: async () => true }),
      }),
      queue: onlyWith<JobQueue>({ add: async () => undefined }),
      storage: onlyWith<ObjectStorage>({
        presignUpload: async () => ({ method: 'PUT', url: 'https://x.example', headers: {}, expiresAt: '' }),
      }),
    }),
  })
  const before = Date.now()
  const answer = await pushProfile.handle(
    { project_id: 'prj_1', file_name: 'a.pb.gz', size_bytes: 10, tags: [], notes: [] },
    context,
  )
  const days = (Date.parse(String(answer['expires_at'])) - before) / 86_400_000
  expect([kept?.toISOString(), Math.floor(days)]).toEqual([answer['expires_at'], 30])
})
