import { expect, test } from 'vitest'
import { foundActions } from './found-actions.ts'

const load = { type: 'ramp_up', users: 1, plateau_ms: 1000 }
const scenario = {
  name: 'Shop',
  profiles: ['a', 'b'].map((id) => ({ id, name: id, load, engine: { type: 'k6', path: 'load.js' } })),
}
const request = (name: string, profile = 0, path: string[] = []) => ({
  profile,
  type: 'http_request' as const,
  name,
  path,
})
/** As the store does it. */
function declare(
  known: ReturnType<ReturnType<typeof foundActions>['missingIn']>,
  ...names: ReturnType<typeof request>[]
) {
  const found = foundActions(scenario, names)
  known.push(...found.missingIn(known))
  return found.placesIn(known)
}

test('what is found gets the next places, and the same ones when it is found again', () => {
  const known: Parameters<typeof declare>[0] = []
  expect(declare(known, request('GET /'), request('GET /cart'))).toEqual([0, 1])
  expect(declare(known, request('GET /cart'), request('GET /pay'), request('GET /pay'))).toEqual([1, 2, 2])
  expect(declare(known, request('GET /', 1), request('GET /', 0, ['checkout']))).toEqual([3, 4])
  expect(known.map(({ profile, name, path }) => [profile, ...path, name].join(' '))).toEqual([
    '0 GET /',
    '0 GET /cart',
    '0 GET /pay',
    '1 GET /',
    '0 checkout GET /',
  ])
})

const idsOf = () => foundActions(scenario, [request('GET /'), request('GET /', 1)]).missingIn([])

test('an action has the same id in every run, and ids differ where actions do', () => {
  expect(idsOf()).toEqual(idsOf())
  expect(new Set(idsOf().map(({ action_id: id }) => id)).size).toBe(2)
})

test('what is beyond the most has one place together', () => {
  const known: Parameters<typeof declare>[0] = []
  for (let first = 0; first < 2000; first += 500)
    declare(known, ...Array.from({ length: 500 }, (_, index) => request(`GET /${first + index}`)))
  expect(declare(known, request('GET /7'), request('GET /x'), request('GET /y'))).toEqual([7, 2000, 2000])
  expect(declare(known, request('GET /z'))).toEqual([2000])
  expect(known).toHaveLength(2001)
})

test('a profile that the scenario does not have is refused by its place', () => {
  expect(() => foundActions(scenario, [request('GET /'), request('GET /', 2)])).toThrow(
    'actions.1.profile: The scenario has no profile 2.',
  )
})
