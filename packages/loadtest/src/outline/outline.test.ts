import { describe, expect, test } from 'vitest'
import * as fc from 'fast-check'
import { virtualUser, type VirtualUser } from '../model/virtual-user.ts'
import { arbitraryVirtualUser } from '../testing/arbitrary-virtual-user.ts'
import { compareDocuments } from './compare-documents.ts'
import { longestRise } from './longest-rise.ts'
import { outline } from './outline.ts'

const request = (id: string, path: string, change: object = {}) => ({
  type: 'http_request',
  id,
  method: 'GET',
  server_id: 'srv_1',
  path,
  ...change,
})
const container = (id: string, actions: object[]) => ({ type: 'container', id, name: id, actions })
const user = (...actions: object[]): VirtualUser => virtualUser.parse({ name: 'Buyer', actions })

/** The outline as a tree that one can read. */
const drawn = (document: VirtualUser, names?: Map<string, string>) =>
  outline(document, names).map(({ depth, text }) => `${'  '.repeat(depth - 1)}${text}`)

const changes = (before: VirtualUser, after: VirtualUser) =>
  compareDocuments(before, after).map(({ change, actionId, fields }) =>
    [
      change,
      actionId,
      ...fields.map(({ pointer, before: was, after: is }) => `${pointer} ${was} → ${is}`),
    ].join(' '),
  )

const rising = (numbers: number[]) => [...longestRise(numbers)].toReversed().map((index) => numbers[index])

describe('outline()', () => {
  test('tells each action in one line, in its place', () => {
    const buyer = user(
      container('Login', [
        request('a', '/login', {
          method: 'POST',
          name: 'Send\n the form',
          body: { type: 'form', fields: [] },
          extractors: [{ type: 'cookie', id: 'e', variable: 'session', name: 'sid' }],
        }),
        {
          type: 'delay',
          id: 'b',
          duration: { distribution: 'uniform', min_ms: 1, max_ms: 2 },
          enabled: false,
        },
      ]),
      {
        type: 'if',
        id: 'c',
        condition: { comparisons: [{ left: '${n}', operator: 'greater_or_equal', right: '2' }] },
        actions: [request('d', '/yes')],
        else_actions: [{ type: 'set_variable', id: 'f', variable: 'n', value: '0' }],
      },
      { type: 'random', id: 'g', choices: [{ weight: 3, name: 'often', actions: [request('h', '/often')] }] },
    )
    expect(drawn(buyer, new Map([['srv_1', 'shop']]))).toEqual([
      'container “Login”',
      '  http_request “Send the form” POST shop /login, 1 extractor, form body',
      '  delay 1–2 ms (disabled)',
      'if ${n} greater or equal 2',
      '  http_request GET shop /yes',
      '  [else] set_variable n = 0',
      'random',
      '  [choice 0 “often”, weight 3] http_request GET shop /often',
    ])
    expect(outline(buyer).map(({ id, pointer }) => [id, pointer])).toContainEqual([
      'f',
      '/actions/1/else_actions/0',
    ])
  })
})

describe('compareDocuments()', () => {
  test('knows actions by their ids, wherever they are', () => {
    const before = user(
      container('A', [request('a', '/a'), request('b', '/b')]),
      container('B', [request('c', '/c')]),
    )
    const after = user(
      container('B', [request('c', '/c'), request('b', '/b2')]),
      container('A', [request('a', '/a'), request('d', '/d')]),
    )
    expect(changes(before, after)).toEqual(['moved B', 'moved b', 'changed b /path "/b" → "/b2"', 'added d'])
    expect(changes(after, before)).toContain('removed d')
  })

  test('tells what changed of the virtual user itself', () => {
    const before = user(request('a', '/a'))
    expect(changes(before, { ...before, think_time_factor: 2, tags: ['x'] })).toEqual([
      'changed  /tags/0 null → "x" /think_time_factor 1 → 2',
    ])
  })

  test('finds no change between a document and itself, and one whenever they differ', () => {
    fc.assert(
      fc.property(arbitraryVirtualUser, arbitraryVirtualUser, (a, b) => {
        expect(compareDocuments(a, a)).toEqual([])
        expect(compareDocuments(a, b).length > 0).toBe(JSON.stringify(a) !== JSON.stringify(b))
      }),
      { numRuns: 100 },
    )
  })
})

test('longestRise() finds a longest rising part', () => {
  expect(rising([3, 1, 2, 5, 4])).toEqual([1, 2, 4])
  expect(rising([2, 1])).toEqual([1])
  expect(rising([])).toEqual([])
})
