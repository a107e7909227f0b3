import { Problem } from '@flamegate/contract'
import { expect, test } from 'vitest'
import type { CallContext } from '../implement.ts'
import { plansWith } from '../limits/testing/plans-with.ts'
import type {
  Collector,
  JobQueue,
  McpRefusal,
  McpSession,
  McpTarget,
  OfferedMcpServer,
  Stores,
  Task,
} from '../ports/index.ts'
import { orderDueSessions } from './order-due-sessions.ts'

// What is not used is not there, and fails the test.
function onlyWith<T extends object>(part: Partial<T>): T {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return part as T
}

const names = ['full', 'other']
const collector = onlyWith<Collector>({
  id: 'col_1',
  name: 'here',
  mcpServers: names.map((name) =>
    onlyWith<OfferedMcpServer>({ name, commands: ['start'], secondsMax: 60, rpsMax: 10 }),
  ),
})
const due = names.map((name) =>
  onlyWith<McpTarget>({
    id: name,
    workspaceId: 'ws_1',
    projectId: 'prj_1',
    name,
    operations: [],
    arguments: {},
    monitor: { intervalSeconds: 60, retentionHours: 1, seconds: 5 },
  }),
)

/** Names of due targets that a session was ordered of, in a project of a plan without some features. */
async function ordered(
  order: (targetId: string) => McpRefusal | undefined,
  off: ('mcp_servers' | 'live')[] = [],
): Promise<{ asked: boolean; targets: string[]; tasks: number }> {
  const done = { asked: false, targets: new Array<string>(), tasks: 0 }
  await orderDueSessions(
    onlyWith<CallContext>({
      caller: onlyWith<CallContext['caller']>({}),
      requestId: 'req_1',
      concerns: () => undefined,
      deps: onlyWith<CallContext['deps']>({
        limits: undefined,
        queue: onlyWith<JobQueue>({ add: async () => undefined }),
        stores: onlyWith<Stores>({
          plans: plansWith({ features_off: off }),
          tasks: onlyWith<Stores['tasks']>({
            create: async (_caller, task) => {
              done.tasks += 1
              return onlyWith<Task>({ id: task.id })
            },
            remove: async () => void (done.tasks -= 1),
          }),
          mcp: onlyWith<Stores['mcp']>({
            takeDue: async () => {
              done.asked = true
              return due
            },
            order: async (_caller, { mcpTargetId }) => {
              const refusal = order(mcpTargetId)
              if (refusal === undefined) done.targets.push(mcpTargetId)
              return refusal
            },
            findSession: async (_caller, id) => onlyWith<McpSession>({ id }),
          }),
        }),
      }),
    }),
    { id: 'prj_1', workspaceId: 'ws_1' },
    collector,
  )
  return done
}

test('a target that has as many sessions as it may have keeps no other one waiting, and no collector away', async () => {
  const outcome = await ordered((id) => (id === 'full' ? { refused: 'too_many_sessions' } : undefined))
  expect(outcome).toEqual({ asked: true, targets: ['other'], tasks: 1 })
})

test('nothing is ordered, and no monitor has had its turn, while the plan does without MCP servers', async () => {
  const off = await ordered(() => undefined, ['mcp_servers'])
  expect(off).toEqual({ asked: false, targets: [], tasks: 0 })
  expect((await ordered(() => undefined, ['live'])).targets).toEqual(names)
})

test('a collector hears that something is away which comes back', async () => {
  const isAway = ordered(() => {
    throw new Problem('unavailable', 'It is away.')
  })
  await expect(isAway).rejects.toMatchObject({ code: 'unavailable' })
})
