import { expect, test } from 'vitest'
import { sweepObjects } from './sweep-objects.ts'

const now = new Date('2026-11-23T12:00:00Z')
const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 3_600_000)

/** A storage of a few thousand objects, of which every third is known, and some are young. */
function stored() {
  const objects = new Map(
    Array.from({ length: 2500 }, (_, place) => [
      `ws_1/fil_${place}`,
      { key: `ws_1/fil_${place}`, sizeBytes: 10, storedAt: hoursAgo(place % 2 === 0 ? 25 : 23) },
    ]),
  )
  const asked: number[] = []
  return {
    objects,
    asked,
    storage: {
      async *list() {
        yield* objects.values()
      },
      remove: async (key: string) => void objects.delete(key),
    },
    unknownOf: async (keys: readonly string[]) => {
      asked.push(keys.length)
      return keys.filter((key) => Number(key.slice('ws_1/fil_'.length)) % 3 !== 0)
    },
  }
}

test('objects that no file tells of go, but not those of the last day; once more, and nothing goes', async () => {
  const { objects, storage, unknownOf, asked } = stored()
  const swept = await sweepObjects(storage, unknownOf, { isDry: false, now })
  expect(swept).toEqual({ seen: 2500, removed: 833, removedBytes: 8330 })
  expect(asked).toEqual([1000, 250])
  expect(objects.size).toBe(2500 - 833)
  expect(objects.has('ws_1/fil_2')).toBe(false)
  expect(objects.has('ws_1/fil_1')).toBe(true)
  expect(objects.has('ws_1/fil_6')).toBe(true)
  expect(await sweepObjects(storage, unknownOf, { isDry: false, now })).toMatchObject({ removed: 0 })
})

test('a dry run tells the same and removes nothing', async () => {
  const { objects, storage, unknownOf } = stored()
  const swept = await sweepObjects(storage, unknownOf, { isDry: true, now })
  expect(swept).toEqual({ seen: 2500, removed: 833, removedBytes: 8330 })
  expect(objects.size).toBe(2500)
})
