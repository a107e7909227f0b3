import { expect, test } from 'vitest'
import {
  allows,
  cell,
  defineOperation,
  formatChangePercent,
  formatQuantity,
  newId,
  parseScopes,
  Problem,
  problemDetailForPeople,
  problemText,
  roleAtLeast,
  table,
} from './index.ts'
import { z } from 'zod'

test('newId() sorts by time and never repeats', () => {
  const ids = Array.from({ length: 2000 }, () => newId('run'))
  expect(new Set(ids).size).toBe(ids.length)
  expect(newId('run', 1000) < newId('run', 2000)).toBe(true)
  expect(ids[0]).toMatch(/^run_[0-9a-hjkmnp-tv-z]{26}$/)
})

test('write covers read and upload; read covers nothing else', () => {
  expect(allows(['write'], ['read'])).toBe(true)
  expect(allows(['write'], ['upload'])).toBe(true)
  expect(allows(['admin'], ['write'])).toBe(true)
  expect(allows(['read'], ['write', 'upload'])).toBe(false)
  expect(allows(['upload'], ['read'])).toBe(false)
  expect(allows(['admin'], ['run'])).toBe(false)
  expect(allows([], ['read'])).toBe(false)
})

test('parseScopes() keeps the known words', () => {
  expect(parseScopes('openid write  read nonsense')).toEqual(['read', 'write'])
})

test('roles are ordered', () => {
  expect(roleAtLeast('admin', 'member')).toBe(true)
  expect(roleAtLeast('viewer', 'member')).toBe(false)
})

test('a cell cannot break its table', () => {
  expect(cell('a|b\nc')).toBe(String.raw`a\|b c`)
  expect(table(['A'], [], 'nothing')).toBe('nothing')
  expect(table(['A', { title: 'B', right: true }], [['x', 1]], '')).toBe(
    '| A | B |\n| --- | ---: |\n| x | 1 |',
  )
})

test('quantities carry their unit', () => {
  expect(formatQuantity(12_345, 'ns')).toBe('12.35 µs')
  expect(formatQuantity(2_100_000_000, 'nanoseconds')).toBe('2.1 s')
  expect(formatQuantity(1536, 'bytes')).toBe('1.5 KiB')
  expect(formatQuantity(42, 'count')).toBe('42')
  expect(formatChangePercent(-3.14)).toBe('−3.1 %')
})

test('a problem tells status, place and what to do, in one form everywhere', () => {
  const problem = new Problem('invalid_input', 'Look at limit.', {
    errors: [{ field: 'limit', message: 'Too big.' }],
  })
  const details = problem.toDetails('https://flamegate.example/v1/docs', 'req-1')
  expect(details).toMatchObject({
    status: 400,
    code: 'invalid_input',
    type: 'https://flamegate.example/v1/docs#invalid_input',
  })
  expect(problemText(details)).toBe(
    'The input is not valid (invalid_input). Look at limit.\n- limit: Too big.',
  )
})

test('a problem names what helps as its reader knows it: the tool to agents, the title to people', () => {
  const hint = [{ id: 'list_runs', title: 'List runs' }, 'shows the ones there are'] as const
  const details = new Problem('run_not_found', 'No such run.', { hint }).toDetails('/docs')
  expect(details).toMatchObject({ detail: 'No such run.', hint: { operation: 'list_runs' } })
  expect(problemText(details)).toBe(
    'No such run (run_not_found). No such run. list_runs shows the ones there are.',
  )
  expect(problemDetailForPeople(details)).toBe('No such run. “List runs” shows the ones there are.')
  expect(problemDetailForPeople({ detail: 'Look at limit.' })).toBe('Look at limit.')
})

function define(http: { method: 'GET' | 'POST'; path: `/v1/${string}` }, effect: 'read' | 'write') {
  return defineOperation({
    id: 'x',
    title: 'x',
    description: 'x',
    toolset: 'general',
    effect,
    scopes: ['read'],
    http,
    input: z.strictObject({}),
    output: z.object({}),
    problems: [],
    examples: [],
    link: () => '/',
    markdown: () => '',
  })
}

test('defineOperation() refuses a definition that contradicts itself', () => {
  expect(() => define({ method: 'GET', path: '/v1/x' }, 'write')).toThrow(TypeError)
  expect(() => define({ method: 'GET', path: '/v1/{id}' }, 'read')).toThrow('path parameter id')
})
