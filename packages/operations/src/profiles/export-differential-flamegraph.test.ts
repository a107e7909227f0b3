import type { Caller } from '@flamegate/contract'
import { expect, test } from 'vitest'
import type { CallContext, Deps } from '../implement.ts'
import type { DifferenceRequest, ExportOutcome, Profile, Stores } from '../ports/index.ts'
import { exportDifferentialFlamegraph } from './export-differential-flamegraph.ts'

// What a handler does not use is not there, and fails it.
function onlyWith<T extends object>(part: Partial<T>): T {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return part as T
}

const file = { bytes: new Uint8Array(3), contentType: 'image/png', extension: '.png', notes: [] }
const names: Readonly<Record<string, string>> = {
  prf_1: 'before.heapsnapshot.gz',
  prf_2: 'between.heapsnapshot.gz',
  prf_3: 'after v1.2.heapsnapshot.gz',
}
const side = { warnings: [], sampleCount: 1 }

/** The picture of profiles by their ids, with the title that stands on it. */
async function exported(base: string[], head: string[], outcome: ExportOutcome = { file }) {
  const titles: string[] = []
  const context = onlyWith<CallContext>({
    caller: onlyWith<Caller>({ roles: new Map([['ws_1', 'viewer']]) }),
    operation: exportDifferentialFlamegraph.operation,
    requestId: 'req_1',
    concerns: () => undefined,
    enterWorkspace: () => undefined,
    deps: onlyWith<Deps>({
      stores: onlyWith<Stores>({
        profiles: onlyWith<Stores['profiles']>({
          find: async (_caller, id) =>
            onlyWith<Profile>({
              id,
              workspaceId: 'ws_1',
              name: names[id]!,
              status: 'READY',
              nodeCount: 1,
              sampleCount: 1,
              startedAt: null,
              createdAt: new Date(0),
            }),
        }),
      }),
      profileAnalysis: onlyWith<Deps['profileAnalysis']>({
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as much of an answer as is used
        ask: (async () => ({
          base: side,
          head: side,
          sampleType: 'retained',
          unit: 'bytes',
          baseTotal: 1,
          headTotal: 2,
          factors: { base: 1, head: 1 },
          graph: {},
        })) as unknown as Deps['profileAnalysis']['ask'],
      }),
      profileWriter: {
        write: async (request) => {
          // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nothing else is asked for
          titles.push((request as DifferenceRequest).title)
          return outcome
        },
      },
      storage: onlyWith<Deps['storage']>({
        write: async () => ({ sizeBytes: 3 }),
        presignDownload: async () => ({
          method: 'GET',
          url: 'https://flamegate.example/file',
          headers: {},
          expiresAt: '2026-11-20T10:05:00.000Z',
        }),
      }),
      queue: onlyWith<Deps['queue']>({ add: async () => undefined }),
    }),
  })
  const answer = await exportDifferentialFlamegraph.handle({ base, head, format: 'png' }, context)
  return { title: titles[0], file_name: answer['file_name'] }
}

test.each([
  {
    base: ['prf_1'],
    head: ['prf_3'],
    title: 'after v1.2.heapsnapshot.gz against before.heapsnapshot.gz',
    file_name: 'after v1.2 difference.png',
  },
  {
    base: ['prf_3'],
    head: ['prf_1', 'prf_2'],
    title: 'before.heapsnapshot.gz and 1 more against after v1.2.heapsnapshot.gz',
    file_name: 'before and 1 more difference.png',
  },
])('the picture of $head against $base is called $file_name', async ({ base, head, ...named }) => {
  expect(await exported(base, head)).toEqual(named)
})

test('what cannot be drawn is refused with what to do', async () => {
  await expect(
    exported(['prf_1'], ['prf_2'], { refused: 'too_large', reason: 'it is' }),
  ).rejects.toMatchObject({
    code: 'too_large',
    message: 'As png this is too large: it is. Compare fewer profiles, or ask for another format.',
  })
})
