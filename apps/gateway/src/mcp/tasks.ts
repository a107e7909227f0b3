import { operations } from '@flamegate/contract'
import type { AnswerOf, Operation } from '@flamegate/contract'
import {
  CLIENT_CAPABILITIES_META_KEY,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server'
import type { CallToolResult, Result, Server, ServerContext } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { ask } from './visit.ts'
import type { Visit } from './visit.ts'

/** https://modelcontextprotocol.io/seps/2663-tasks-extension */
export const tasksExtension = 'io.modelcontextprotocol/tasks'

/** What every answer about a task says. Times are ISO 8601, `ttlMs` is null when it is kept for good. */
export interface TaskSummary {
  taskId: string
  status: 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled'
  statusMessage?: string
  createdAt: string
  lastUpdatedAt: string
  ttlMs: number | null
  pollIntervalMs: number
}

/** A task with what came of it, or what it waits for. `failed` is for a protocol error, not for a tool's. */
export type TaskDetail = TaskSummary & {
  result?: CallToolResult
  error?: { code: number; message: string }
  inputRequests?: Record<string, unknown>
}

/** Where tasks are. What the visitor may not see is not there. */
export interface TaskBoard {
  find(taskId: string): Promise<TaskDetail | undefined>
  /** Hands over what a task asked for; keys that it did not ask for are ignored. False when there is no such task. */
  answer(taskId: string, responses: Readonly<Record<string, unknown>>): Promise<boolean>
  /** Asks a task to stop. It may end otherwise, or have ended. False when there is no such task. */
  cancel(taskId: string): Promise<boolean>
}

/** The tasks of the API. They ask for nothing. */
export function apiTasks(visit: Visit): TaskBoard {
  async function find(taskId: string): Promise<TaskDetail | undefined> {
    const answer = await ask(visit, operations.getTaskResult, { task_id: taskId })
    return answer && detailOf(answer)
  }
  const exists = async (taskId: string) => (await find(taskId)) !== undefined
  const cancel = async (taskId: string) =>
    (await ask(visit, operations.cancelTask, { task_id: taskId })) !== undefined
  return { find, answer: exists, cancel }
}

function detailOf(answer: AnswerOf<typeof operations.getTaskResult>): TaskDetail {
  const { task, next_poll_seconds: pollSeconds } = answer
  const summary = {
    taskId: task.id,
    statusMessage: task.message,
    createdAt: task.created_at,
    lastUpdatedAt: task.updated_at,
    ttlMs: null,
    pollIntervalMs: (pollSeconds ?? 1) * 1000,
  }
  if (task.status === 'PENDING' || task.status === 'RUNNING') return { ...summary, status: 'working' }
  if (task.status === 'CANCELLED') return { ...summary, status: 'cancelled' }
  const text = {
    type: 'text' as const,
    text: `${operations.getTaskResult.markdown(answer)}\n\n${answer.url}`,
  }
  const result: CallToolResult =
    task.status === 'FAILED'
      ? { content: [text], isError: true }
      : { content: [text], structuredContent: { ...answer } }
  return { ...summary, status: 'completed', result }
}

/** Whether a request's `_meta` says that the client can wait for tasks. */
export function declaresTasks(meta: Readonly<Record<string, unknown>> | undefined): boolean {
  return declaration.safeParse(meta?.[CLIENT_CAPABILITIES_META_KEY]).success
}

const declaration = z.object({ extensions: z.object({ [tasksExtension]: z.object({}) }) })

/** Whether the operation may answer with a task. */
export function givesTasks(operation: Operation): boolean {
  return 'task_id' in operation.output.shape && operation.id !== operations.getTaskResult.id
}

/**
 * The task that a tool's answer is about, when all that is left to do is to wait for it. An answer that asks the
 * client to upload first is no such answer: the client has to read it.
 */
export function awaitedTask({ structuredContent }: Result): string | undefined {
  const read = awaited.safeParse(structuredContent)
  return read.success ? read.data.task_id : undefined
}

const awaited = z.object({ task_id: z.string(), upload: z.null().optional() })

/** What a tool answers in place of its result while a task is on its way: a summary, and nothing of what came of it. */
export function createTaskResult(detail: TaskDetail): Result {
  const { result: _result, error: _error, inputRequests: _inputRequests, ...summary } = detail
  return { resultType: 'task', ...summary }
}

const aboutTask = z.object({ taskId: z.string() })

/** Serves `tasks/get`, `tasks/update` and `tasks/cancel`, to clients that declared the extension. */
export function serveTasks(server: Server, board: TaskBoard): void {
  server.setRequestHandler('tasks/get', { params: aboutTask }, async ({ taskId }, context) => {
    mustTakeTasks(context)
    const detail = await board.find(taskId)
    if (detail === undefined) throw unknownTask(taskId)
    return { ...detail }
  })
  server.setRequestHandler('tasks/update', { params: aboutTask }, async ({ taskId }, context) => {
    mustTakeTasks(context)
    // The SDK takes them out of the parameters, and leaves out those that are no responses.
    const { inputResponses } = context.mcpReq
    if (inputResponses === undefined) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'tasks/update needs inputResponses.')
    }
    if (!(await board.answer(taskId, inputResponses))) throw unknownTask(taskId)
    return {}
  })
  server.setRequestHandler('tasks/cancel', { params: aboutTask }, async ({ taskId }, context) => {
    mustTakeTasks(context)
    if (!(await board.cancel(taskId))) throw unknownTask(taskId)
    return {}
  })
}

function mustTakeTasks(context: ServerContext): void {
  if (declaresTasks(context.mcpReq.envelope)) return
  throw new MissingRequiredClientCapabilityError({
    requiredCapabilities: { extensions: { [tasksExtension]: {} } },
  })
}

function unknownTask(taskId: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no task ${taskId}.`)
}
