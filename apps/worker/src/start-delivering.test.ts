import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startDelivering, type Delivering } from './start-delivering.ts'

interface Due {
  workspaceId: string
  id: string
}

let due: Due[]
let begun: string[]
let errors: unknown[]
let answers: Map<string, PromiseWithResolvers<void>>
let delivering: Delivering

beforeEach(() => {
  vi.useFakeTimers()
  due = []
  begun = []
  errors = []
  answers = new Map()
  delivering = startDelivering({
    findDue: async () => due,
    deliver: ({ id }) => {
      begun.push(id)
      const answer = Promise.withResolvers<void>()
      answers.set(id, answer)
      return answer.promise
    },
    log: { error: (fields) => void errors.push(fields.deliveryId) },
  })
})
afterEach(async () => {
  for (const answer of answers.values()) answer.resolve()
  await delivering.close({ deadlineMs: 0 })
  vi.useRealTimers()
})

const looks = (count: number) => vi.advanceTimersByTimeAsync(count * 1_000)
const manyOf = (workspaceId: string, count: number): Due[] =>
  Array.from({ length: count }, (_, index) => ({ workspaceId, id: `${workspaceId}-${index}` }))

test('a message is begun once while it is on its way', async () => {
  due = manyOf('ws_1', 1)
  await looks(3)
  expect(begun).toEqual(['ws_1-0'])
  answers.get('ws_1-0')?.resolve()
  await looks(1)
  expect(begun).toEqual(['ws_1-0', 'ws_1-0'])
})

test('a workspace whose receivers never answer keeps no other waiting', async () => {
  due = manyOf('ws_slow', 50)
  await looks(20)
  const ofSlow = begun.length
  due = [...manyOf('ws_slow', 50), ...manyOf('ws_other', 1)]
  await looks(1)
  expect(ofSlow).toBeLessThan(10)
  expect(begun.slice(ofSlow)).toEqual(['ws_other-0'])
})

test('no more than a few are on their way together', async () => {
  due = Array.from({ length: 100 }, (_, index) => manyOf(`ws_${index}`, 1)).flat()
  await looks(5)
  expect(begun).toHaveLength(20)
})

test('one that fails is told to the log, and keeps no other waiting', async () => {
  due = manyOf('ws_1', 1)
  await looks(1)
  answers.get('ws_1-0')?.reject(new RangeError('No database'))
  due = manyOf('ws_2', 1)
  await looks(1)
  expect(errors).toEqual(['ws_1-0'])
  expect(begun).toEqual(['ws_1-0', 'ws_2-0'])
})

test('whoever closes waits for what is on its way, but not for ever', async () => {
  due = manyOf('ws_1', 1)
  await looks(1)
  let isClosed = false
  const closed = delivering.close({ deadlineMs: 60_000 }).then(() => (isClosed = true))
  await looks(5)
  expect(isClosed).toBe(false)
  answers.get('ws_1-0')?.resolve()
  await closed
  expect(begun).toHaveLength(1)
})
