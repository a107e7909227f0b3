import { operations, Problem } from '@flamegate/contract'
import { expect, test } from 'vitest'
import { readProblem } from './api-problem.ts'

const answered = (body: unknown) => readProblem(new Response(JSON.stringify(body), { status: 404 }))

test('a problem names the operation that helps as people know it, not as a tool', async () => {
  const problem = new Problem('run_not_found', 'No such run in your workspaces.', {
    hint: [operations.listRuns, 'shows the ones there are'],
  })
  const { message, code } = await answered(problem.toDetails('/v1/docs'))
  expect(code).toBe('run_not_found')
  expect(message).toBe('No such run in your workspaces. “List runs” shows the ones there are.')
})

test.each([undefined, 'list_runs', { operation: 'list_runs' }, { operation: 1, title: 2, text: 3 }])(
  'a hint that is none is not believed: %j',
  async (hint) => {
    expect((await answered({ detail: 'No such run.', hint })).message).toBe('No such run.')
  },
)
