import { describe, expect, test } from 'vitest'
import { gather } from './gather.ts'

/** Work that goes on until it is told to end. */
function createWork() {
  const pieces: { items: readonly number[]; end: () => void; fail: (error: Error) => void }[] = []
  const add = gather<number, string>(
    (items) =>
      new Promise((resolve, reject) => {
        pieces.push({ items, end: () => resolve(items.map((item) => `did ${item}`)), fail: reject })
      }),
    3,
  )
  return { pieces, add }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

describe('gathered work', () => {
  test('begins at once, and takes together what comes meanwhile, so many at a time', async () => {
    const { pieces, add } = createWork()
    const all = [1, 2, 3, 4, 5].map((item) => add('a', item))
    expect(pieces.map(({ items }) => items)).toEqual([[1]])
    pieces[0]?.end()
    await settled()
    expect(pieces.map(({ items }) => items)).toEqual([[1], [2, 3, 4]])
    pieces[1]?.end()
    await settled()
    pieces[2]?.end()
    expect(await Promise.all(all)).toEqual(['did 1', 'did 2', 'did 3', 'did 4', 'did 5'])
    void add('a', 6)
    expect(pieces.at(-1)?.items).toEqual([6])
  })

  test('of another key does not wait for it', () => {
    const { pieces, add } = createWork()
    void add('a', 1)
    void add('b', 2)
    expect(pieces.map(({ items }) => items)).toEqual([[1], [2]])
  })

  test('that fails is tried one by one, and only those are told whose fault it is', async () => {
    const add = gather<number, number>(async (items) => {
      await settled()
      if (items.includes(3)) throw new RangeError('Not 3')
      return items.map((item) => 10 * item)
    }, 10)
    const outcomes = await Promise.allSettled([1, 2, 3, 4].map((item) => add('a', item)))
    expect(outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : 'failed'))).toEqual([
      10,
      20,
      'failed',
      40,
    ])
  })
})
