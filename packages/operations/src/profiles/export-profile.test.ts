import type { Caller } from '@flamegate/contract'
import { expect, test } from 'vitest'
import type { CallContext, Deps } from '../implement.ts'
import { removeExport } from '../jobs/remove-export.ts'
import type { JobDeps } from '../jobs/job.ts'
import type { JobQueue, ObjectStorage, Profile, Stores } from '../ports/index.ts'
import { exportProfile } from './export-profile.ts'

// What a handler does not use is not there, and fails it.
function onlyWith<T extends object>(part: Partial<T>): T {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return part as T
}

const file = { bytes: new Uint8Array(3), contentType: 'text/plain', extension: '.collapsed.txt', notes: [] }

/** Exports a profile of a name, and tells in which order things were done to the storage. */
async function exported(
  name: string,
  outcome: Awaited<ReturnType<Deps['profileWriter']['write']>> = { file },
) {
  const done: string[] = []
  const storage = onlyWith<ObjectStorage>({
    write: async (key) => {
      done.push(`write ${key}`)
      return { sizeBytes: 3 }
    },
    remove: async (key) => void done.push(`remove ${key}`),
    presignDownload: async (key) => ({
      method: 'GET',
      url: `https://flamegate.example/${key}`,
      headers: {},
      expiresAt: '2026-11-20T10:05:00.000Z',
    }),
  })
  const record = onlyWith<Profile>({
    id: 'prf_1',
    workspaceId: 'ws_1',
    name,
    status: 'READY',
    sampleTypes: [{ type: 'cpu', unit: 'nanoseconds', total: 1 }],
    defaultSampleTypeIndex: 0,
  })
  const context = onlyWith<CallContext>({
    caller: onlyWith<Caller>({ roles: new Map([['ws_1', 'viewer']]) }),
    operation: exportProfile.operation,
    requestId: 'req_1',
    concerns: () => undefined,
    enterWorkspace: () => undefined,
    deps: onlyWith<Deps>({
      stores: onlyWith<Stores>({
        profiles: onlyWith<Stores['profiles']>({
          find: async () => record,
          readPart: async () => new Uint8Array(1),
        }),
      }),
      profileWriter: {
        write: async () => outcome,
      },
      storage,
      queue: onlyWith<JobQueue>({
        add: async (job, payload, options) => {
          done.push(`${job} ${payload.workspaceId}/${payload.taskId} in ${options?.delayMs} ms`)
          if (job === 'remove_export') later.push(() => removeExport(payload, onlyWith<JobDeps>({ storage })))
        },
      }),
    }),
  })
  const later: (() => Promise<void>)[] = []
  const answer = await exportProfile.handle({ profile_id: 'prf_1', format: 'collapsed' }, context)
  await Promise.all(later.map((job) => job()))
  return { answer, done }
}

test('a file is stored only when its removal is queued already, and that removes it', async () => {
  const { done } = await exported('cpu')
  const key = done[1]?.replace('write ', '')
  expect(key).toMatch(/^ws_1\/fil_/)
  expect(done).toEqual([`remove_export ${key} in 3600000 ms`, `write ${key}`, `remove ${key}`])
})

test.each([
  ['cpu.pb.gz', 'cpu.collapsed.txt'],
  ['checkout v1.2', 'checkout v1.2.collapsed.txt'],
  ['.json', '.json.collapsed.txt'],
])('the export of %s is named %s', async (name, expected) => {
  expect((await exported(name)).answer).toMatchObject({ file_name: expected })
})

test('what cannot be written is refused with what to do', async () => {
  await expect(exported('cpu', { refused: 'too_large', reason: 'it is' })).rejects.toMatchObject({
    code: 'too_large',
    message:
      'As collapsed this profile is too large: it is. Ask for a part of its samples, or for another format.',
  })
})
