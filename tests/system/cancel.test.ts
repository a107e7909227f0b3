import { operations } from '@flamegate/contract'
import { beforeAll, expect, test } from 'vitest'
import { callRest, callTool } from './calls.ts'
import { apiToken, signUp, type Person } from './person.ts'

let ada: Person
let projectId: string

beforeAll(async () => {
  ada = await signUp('Ada')
  const created = await ada.client.call(operations.createProject, {
    workspace_id: ada.workspaceId,
    name: 'Called off',
  })
  projectId = created.project.id
})

function announce() {
  return ada.client.call(operations.createRunUpload, {
    repository: projectId,
    branch: 'main',
    commit_hash: 'abcdef1',
    file_name: 'bench.txt',
    size_bytes: 26,
  })
}

test.each([
  ['REST', callRest],
  ['MCP', callTool],
])(
  'an upload that is called off over %s has ended, and its bytes are not read any more',
  async (_how, call) => {
    const token = await apiToken(ada, ['write', 'read'])
    const { run_id, task_id, upload } = await announce()
    const outcome = await call(operations.cancelTask, { task_id }, { token })
    expect(outcome.answer).toMatchObject({ task: { id: task_id, status: 'CANCELLED' } })

    const headers = { ...upload.headers }
    await fetch(upload.url, { method: upload.method, headers, body: 'BenchmarkA-2 100 10 ns/op\n' })
    const { task, next_poll_seconds } = await ada.client.call(operations.getTaskResult, { task_id })
    expect([task.status, next_poll_seconds]).toEqual(['CANCELLED', null])
    const seen = await ada.client.call(operations.getRun, { run_id })
    expect(seen.run).toMatchObject({ status: 'FAILURE', result_count: 0 })
    expect(seen.run.warnings.join()).toContain('cancelled')
  },
)

test('who may only read calls nothing off', async () => {
  const token = await apiToken(ada, ['read'])
  const { task_id } = await announce()
  expect(await callRest(operations.cancelTask, { task_id }, { token })).toMatchObject({ status: 403 })
})
