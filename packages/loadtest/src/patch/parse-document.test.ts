import { describe, expect, test } from 'vitest'
import { depthMax } from '../model/action.ts'
import { DocumentError, parseDocument } from './parse-document.ts'

const request = (id: string) => ({ type: 'http_request', id, method: 'GET', server_id: 'srv_1', path: '/' })

const status = (id: string) => ({ type: 'status', id, allowed: ['2xx'] })

/** Containers in one another, with a request in the innermost. */
function nested(depth: number): unknown {
  let action: unknown = request('innermost')
  for (let level = depth - 1; level > 0; level--)
    action = { type: 'container', id: `level-${level}`, actions: [action] }
  return { name: 'Deep', actions: [action] }
}

function faultsOf(value: unknown): string[] {
  try {
    parseDocument('virtual_user', value)
    return []
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
    return error.faults.map(({ pointer, message }) => `${pointer}: ${message}`)
  }
}

describe('parseDocument()', () => {
  test('fills in what was left out', () => {
    const { actions, cookies } = parseDocument('virtual_user', { name: 'Buyer', actions: [request('a')] })
    expect(actions[0]).toMatchObject({
      enabled: true,
      redirects: { follow: true, max: 20 },
      timeout_ms: null,
    })
    expect(cookies).toEqual({ keep: true, clear_each_iteration: true })
  })

  test('names every fault by its place', () => {
    const faults = faultsOf({
      name: '',
      extra: 1,
      actions: [
        {
          type: 'container',
          id: 'a',
          actions: [
            { ...request('b'), method: 'FETCH' },
            { type: 'nap', id: 'c' },
          ],
        },
      ],
    })
    expect(faults).toEqual([
      expect.stringMatching(/^\/name: /),
      expect.stringMatching(/^\/actions\/0\/actions\/0\/method: /),
      expect.stringMatching(/^\/actions\/0\/actions\/1\/type: /),
      expect.stringMatching(/extra/),
    ])
  })

  test('refuses an id that comes twice, wherever it does', () => {
    expect(
      faultsOf({
        name: 'Buyer',
        actions: [
          request('a'),
          { type: 'once', id: 'b', actions: [{ ...request('c'), assertions: [status('a')] }] },
        ],
      }),
    ).toEqual(['/actions/1/actions/0/assertions/0/id: a is the id of /actions/0 already.'])
  })

  test(`takes ${depthMax} levels of actions, and not one more`, () => {
    expect(faultsOf(nested(depthMax))).toEqual([])
    expect(faultsOf(nested(depthMax + 1))).toHaveLength(1)
    expect(faultsOf(nested(depthMax + 1))[0]).toContain('nested too deeply')
  })

  test('refuses what is nested without end before it is looked at', () => {
    expect(faultsOf(nested(100_000))).toEqual([expect.stringContaining('nested too deeply')])
  })

  test('tells of twenty faults at most', () => {
    const actions = Array.from({ length: 500 }, () => ({ type: 'nap' }))
    expect(faultsOf({ name: 'Buyer', actions })).toHaveLength(20)
  })
})
