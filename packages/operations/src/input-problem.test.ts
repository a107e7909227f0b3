import { operations } from '@flamegate/contract'
import { expect, test } from 'vitest'
import { fieldWithNul, inputProblem, readInput } from './input-problem.ts'

test('a field that is not there is required, and one of another type is told what it should be', () => {
  const input = { workspace_id: 7, nme: 'Shop' }
  const { error } = operations.createProject.input.safeParse(input)
  if (!error) throw new TypeError('It is wrong')
  const { errors } = inputProblem(operations.createProject, input, error)
  const told = Object.fromEntries((errors ?? []).map(({ field, message }) => [field, message]))
  expect(told).toMatchObject({
    name: `Required. ${operations.createProject.input.shape.name.description}`,
    nme: expect.stringContaining('Unknown field. Known fields: '),
  })
  expect(told['workspace_id']).toMatch(/expected string, received number/)
})

test('of an id that is missing it is said what shows it', () => {
  const { error } = operations.listProjects.input.safeParse({})
  if (!error) throw new TypeError('It is wrong')
  const { errors } = inputProblem(operations.listProjects, {}, error)
  expect(errors?.[0]?.message).toMatch(/^Required\. Id of the workspace; list_workspaces shows them/)
})

test('what may be left out may be null as well', () => {
  const given = { repository: 'acme/checkout', branch: null, limit: null, cursor: '' }
  expect(readInput(operations.listRuns, given)).toEqual(
    readInput(operations.listRuns, { repository: 'acme/checkout' }),
  )
  expect(readInput(operations.callTool, { name: 'get_usage', arguments: null }).data).toEqual({
    name: 'get_usage',
    arguments: {},
  })
  expect(readInput(operations.listRuns, { repository: null }).success).toBe(false)
})

test('a zero character is found by its path', () => {
  expect(fieldWithNul({ logs: [{ text: ['fine', 'a\0'] }] })).toBe('logs.0.text.1')
  expect(fieldWithNul({ logs: [{ text: ['fine', 1] }] })).toBeUndefined()
})

test('so is what has a length of that kind where a text is asked for', () => {
  const length: unknown = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000))
  expect(() => readInput(operations.saveReportTemplate, { name: { length } })).toThrow(
    /nested more than 500 deep/,
  )
})

test.each([1000, 100_000])('what is nested %i deep is refused, and not the end of the stack', (depth) => {
  const nested: unknown = JSON.parse('[{"a":'.repeat(depth) + '1' + '}]'.repeat(depth))
  expect(() => fieldWithNul(nested)).toThrow(/nested more than 500 deep/)
})
