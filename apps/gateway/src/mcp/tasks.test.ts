import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ApiAnswer } from '../api-caller.ts'
import { startTestGateway } from '../test-gateway.ts'
import type { TestGateway } from '../test-gateway.ts'
import { apiThatAnswers, legacy, modern, send, structured, tasksExtension } from './test-requests.ts'
import type { Json } from './test-requests.ts'

let gateway: TestGateway
const answers: Record<string, ApiAnswer> = {}
const api = apiThatAnswers(answers)

beforeAll(async () => {
  gateway = await startTestGateway('http://localhost', { apiCaller: api })
})
afterAll(() => gateway.close())
beforeEach(() => {
  answers['create_profile_upload'] = structured({ ...started, upload: null })
  answers['get_task_result'] = structured(task())
  answers['cancel_task'] = structured({
    task: { id: 'tsk_1', status: 'RUNNING' },
    page: '/profiles/prf_1',
    url: 'http://localhost/profiles/prf_1',
  })
})

const started = { profile_id: 'prf_1', task_id: 'tsk_1', next_poll_seconds: 1, url: 'http://localhost/' }

function task(changes: Json = {}): Json {
  return {
    task: {
      id: 'tsk_1',
      kind: 'import_profile',
      status: 'RUNNING',
      progress_percent: 40,
      message: 'Reading the profile',
      result: null,
      problem: null,
      created_at: '2026-11-20T10:00:00.000Z',
      updated_at: '2026-11-20T10:00:02.000Z',
      finished_at: null,
      ...changes,
    },
    next_poll_seconds: 1,
    page: '/profiles/prf_1',
    url: 'http://localhost/profiles/prf_1',
  }
}

const upload = { name: 'create_profile_upload', arguments: { content: 'main 1' } }
const ask = (method: string, params: Json = {}) =>
  send(gateway, modern(method, { taskId: 'tsk_1', ...params }, tasksExtension))

describe('a tool that leaves work to be waited for', () => {
  test('answers a client that takes tasks with a task', async () => {
    const { result } = await send(gateway, modern('tools/call', upload, tasksExtension))
    expect(result).toEqual({
      resultType: 'task',
      taskId: 'tsk_1',
      status: 'working',
      statusMessage: 'Reading the profile',
      createdAt: '2026-11-20T10:00:00.000Z',
      lastUpdatedAt: '2026-11-20T10:00:02.000Z',
      ttlMs: null,
      pollIntervalMs: 1000,
      _meta: expect.anything(),
    })
  })

  test.each([
    ['of 2026-07-28 that does not', modern('tools/call', upload)],
    ['of 2025-11-25', legacy('tools/call', upload)],
  ])('answers a client %s with the id of the job', async (_who, request) => {
    const { result } = await send(gateway, request)
    expect(result).toMatchObject({ structuredContent: { task_id: 'tsk_1' }, content: [{ type: 'text' }] })
  })

  test('answers with what the client has to do first, if there is something', async () => {
    answers['create_profile_upload'] = structured({ ...started, upload: { method: 'PUT', url: 'http://x/' } })
    const { result } = await send(gateway, modern('tools/call', upload, tasksExtension))
    expect(result).toMatchObject({ resultType: 'complete', structuredContent: { upload: { method: 'PUT' } } })
  })

  test('answers with its error, if it has one', async () => {
    answers['create_profile_upload'] = {
      status: 400,
      body: '{"content":[{"type":"text","text":"no"}],"isError":true}',
    }
    const { result } = await send(gateway, modern('tools/call', upload, tasksExtension))
    expect(result).toMatchObject({ resultType: 'complete', isError: true })
  })
})

describe('tasks/get', () => {
  test('tells how far it is', async () => {
    const { result } = await ask('tasks/get')
    expect(result).toMatchObject({ resultType: 'complete', taskId: 'tsk_1', status: 'working' })
    expect(result).not.toHaveProperty('result')
    expect(api.inputs.at(-1)).toEqual({ task_id: 'tsk_1' })
  })

  test('has the result of one that is done', async () => {
    answers['get_task_result'] = structured(task({ status: 'SUCCESS', result: { profile_id: 'prf_1' } }))
    const { result } = await ask('tasks/get')
    expect(result).toMatchObject({
      status: 'completed',
      result: {
        content: [{ type: 'text', text: expect.stringContaining('prf_1') }],
        structuredContent: { task: { result: { profile_id: 'prf_1' } } },
      },
    })
  })

  test('has the error of one that could not be done, as of a tool', async () => {
    const problem = { code: 'upload_unreadable', detail: 'That is no profile.' }
    answers['get_task_result'] = structured(task({ status: 'FAILED', problem }))
    const { result } = await ask('tasks/get')
    expect(result).toMatchObject({
      status: 'completed',
      result: { isError: true, content: [{ text: expect.stringContaining('That is no profile.') }] },
    })
  })
})

test.each(['tasks/update', 'tasks/cancel'])('%s is acknowledged', async (method) => {
  const { result } = await ask(method, { inputResponses: {} })
  expect(result).toEqual({ resultType: 'complete', _meta: expect.anything() })
})

test('tasks/cancel calls the work off, which tasks/get tells', async () => {
  await ask('tasks/cancel')
  expect(api.operations.at(-1)).toBe('cancel_task')
  answers['get_task_result'] = structured(task({ status: 'CANCELLED', message: 'Cancelled' }))
  const { result } = await ask('tasks/get')
  expect(result).toMatchObject({ status: 'cancelled', statusMessage: 'Cancelled' })
  expect(result).not.toHaveProperty('result')
})

describe.each(['tasks/get', 'tasks/update', 'tasks/cancel'])('%s', (method) => {
  test('does not know a task that is not the caller’s', async () => {
    delete answers['get_task_result']
    delete answers['cancel_task']
    const { status, error } = await ask(method, { inputResponses: {} })
    expect([status, error?.code]).toEqual([200, -32_602])
  })

  test('needs the extension', async () => {
    const { status, error } = await send(gateway, modern(method, { taskId: 'tsk_1', inputResponses: {} }))
    expect([status, error?.code]).toEqual([400, -32_021])
    expect(error?.data).toEqual({ requiredCapabilities: tasksExtension })
  })

  test('is checked against its header', async () => {
    const { message, headers } = modern(method, { taskId: 'tsk_1', inputResponses: {} }, tasksExtension)
    const { status, error } = await send(gateway, {
      message,
      headers: { ...headers, 'mcp-name': 'tsk_2' },
    })
    expect([status, error?.code]).toEqual([400, -32_020])
  })

  test('is not there before 2026-07-28', async () => {
    const { error } = await send(gateway, legacy(method, { taskId: 'tsk_1' }))
    expect(error?.code).toBe(-32_601)
  })
})

test('the extension is offered to clients of 2026-07-28 only', async () => {
  const { result } = await send(gateway, modern('server/discover'))
  expect(result?.['capabilities']).toMatchObject(tasksExtension)
  const initialize = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'x', version: '1' },
  }
  const { result: old } = await send(gateway, legacy('initialize', initialize))
  expect(old?.['capabilities']).toEqual({
    tools: {},
    resources: {},
    prompts: {},
    completions: {},
    logging: {},
  })
})
