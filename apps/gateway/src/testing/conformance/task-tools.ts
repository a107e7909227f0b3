import { randomUUID } from 'node:crypto'
import { declaresTasks, tasksExtension } from '../../mcp/tasks.ts'
import type { TaskBoard, TaskDetail } from '../../mcp/tasks.ts'
import { accepted, askFor, elicit, textIn } from './asking-tools.ts'
import { delay, missingCapability, textAnswer } from './fixture.ts'
import type { Answer, CallContext, FixtureTool } from './fixture.ts'

type Outcome = Pick<TaskDetail, 'status' | 'result' | 'error'>

/** Tools that start tasks (SEP-2663), and where these are: in memory, for good. */
export function taskTools(): { tools: FixtureTool[]; tasks: TaskBoard } {
  const board = new Map<string, TaskDetail>()

  function start(inputRequests?: Record<string, unknown>): TaskDetail {
    const now = new Date().toISOString()
    const task: TaskDetail = {
      taskId: randomUUID(),
      status: inputRequests ? 'input_required' : 'working',
      createdAt: now,
      lastUpdatedAt: now,
      ttlMs: 3_600_000,
      pollIntervalMs: 100,
      ...(inputRequests ? { inputRequests } : {}),
    }
    board.set(task.taskId, task)
    return task
  }

  function finish({ taskId }: TaskDetail, outcome: Outcome): void {
    const task = board.get(taskId)
    if (task === undefined || isOver(task)) return
    const { inputRequests: _answered, ...rest } = task
    board.set(taskId, { ...rest, ...outcome, lastUpdatedAt: new Date().toISOString() })
  }

  /** Does `work` as a task where the client takes one, and while it waits where not. */
  async function asTask(
    context: CallContext,
    work: () => Promise<Outcome>,
    { isRequired }: { isRequired: boolean },
  ): Promise<Answer> {
    if (!declaresTasks(context.mcpReq.envelope)) {
      if (isRequired) throw missingCapability({ extensions: { [tasksExtension]: {} } })
      return { ...(await work()).result }
    }
    const task = start()
    work().then(
      (outcome) => finish(task, outcome),
      (error: unknown) =>
        finish(task, { status: 'failed', error: { code: -32_603, message: String(error) } }),
    )
    return { resultType: 'task', ...task }
  }

  function asking(context: CallContext, inputRequests: Record<string, unknown>): Answer {
    if (!declaresTasks(context.mcpReq.envelope))
      throw missingCapability({ extensions: { [tasksExtension]: {} } })
    const { inputRequests: _later, ...summary } = start(inputRequests)
    return { resultType: 'task', ...summary }
  }

  const tools: FixtureTool[] = [
    {
      name: 'greet',
      description: 'Greets at once',
      inputSchema: { type: 'object', properties: { name: { type: 'string' } } },
      call: ({ name }) => textAnswer(`Hello, ${String(name)}!`),
    },
    {
      name: 'slow_compute',
      description: 'Takes as long as it is told to',
      inputSchema: {
        type: 'object',
        properties: { seconds: { type: 'number' }, label: { type: 'string' } },
      },
      call: ({ seconds, label }, context) =>
        asTask(
          context,
          async () => {
            await delay(Number(seconds) * 1000)
            return completed(`Computed ${String(label)}.`)
          },
          { isRequired: false },
        ),
    },
    {
      name: 'failing_job',
      description: 'Fails as a tool does',
      call: (_input, context) =>
        asTask(
          context,
          async () => {
            await delay(1_000)
            const { status, result } = completed('It did not work.')
            return { status, result: { ...result, isError: true } }
          },
          { isRequired: true },
        ),
    },
    {
      name: 'protocol_error_job',
      description: 'Fails as the protocol does',
      call: (_input, context) =>
        asTask(context, () => Promise.reject(new Error('It broke.')), { isRequired: true }),
    },
    {
      name: 'confirm_delete',
      description: 'Asks once while it is a task',
      inputSchema: { type: 'object', properties: { filename: { type: 'string' } } },
      call: ({ filename }, context) =>
        asking(context, {
          confirm: elicit(`Delete ${String(filename)}?`, { confirm: { type: 'boolean' } }),
        }),
    },
    {
      name: 'multi_input',
      description: 'Asks for two things while it is a task',
      call: (_input, context) =>
        asking(context, {
          first: elicit('First?', { name: { type: 'string' } }),
          second: elicit('Second?', { name: { type: 'string' } }),
        }),
    },
    {
      name: 'test_tool_with_task',
      description: 'Asks for a name, and greets as a task',
      call: async (_input, context) => {
        const name = textIn(accepted(context, 'user_name'), 'name')
        if (name === undefined) {
          return askFor({ user_name: elicit('What is your name?', { name: { type: 'string' } }) })
        }
        return asTask(context, async () => completed(`Hello, ${name}!`), { isRequired: true })
      },
    },
  ]

  const tasks: TaskBoard = {
    find: async (taskId) => board.get(taskId),
    async answer(taskId, responses) {
      const task = board.get(taskId)
      if (task === undefined) return false
      const left = Object.entries(task.inputRequests ?? {}).filter(([key]) => !(key in responses))
      if (task.status !== 'input_required') return true
      if (left.length > 0) board.set(taskId, { ...task, inputRequests: Object.fromEntries(left) })
      else finish(task, completed('Thank you.'))
      return true
    },
    async cancel(taskId) {
      const task = board.get(taskId)
      if (task !== undefined) finish(task, { status: 'cancelled' })
      return task !== undefined
    },
  }
  return { tools, tasks }
}

function completed(text: string) {
  return { status: 'completed' as const, result: { content: [{ type: 'text' as const, text }] } }
}

function isOver({ status }: TaskDetail): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled'
}
