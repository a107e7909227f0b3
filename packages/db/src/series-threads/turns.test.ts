import { expect, test } from 'vitest'
import { Turns } from './turns.ts'

/** The turns of as many threads. */
function turnsOf(threads: number): Turns[] {
  const memory = Turns.memory(threads)
  return Array.from({ length: threads }, (_, thread) => new Turns(memory, thread))
}

test('each piece is taken once, by whoever asks first', () => {
  const turns = turnsOf(3)
  const taken: [thread: number, piece: number][] = []
  // The second is as quick as the others together.
  const nexts = turns.map(() => 0)
  for (const thread of [1, 0, 1, 2, 1, 0, 1, 2, 1, 0, 1, 2, 1, 1, 1, 1, 0, 2, 0, 2]) {
    let piece = nexts[thread] ?? 0
    while (piece < 10 && !(turns[thread]?.isMine(piece) ?? false)) piece++
    if (piece < 10) taken.push([thread, piece])
    nexts[thread] = piece + 1
  }
  expect(taken.map(([, piece]) => piece).toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  expect(taken.filter(([thread]) => thread === 1)).toHaveLength(5)
})

test('one that comes too late gets none, and is not waited for', () => {
  const [own, late, never] = turnsOf(3)
  for (const piece of [0, 1, 2]) expect(own?.isMine(piece)).toBe(true)
  expect(late?.isMine(0)).toBe(false)
  own?.close()
  expect([1, 2].map((thread) => own?.hasBegun(thread))).toEqual([true, false])
  expect([0, 1, 2, 3, 4].map((piece) => never?.isMine(piece))).toEqual([false, false, false, false, false])
})
