import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { PprofStacks } from './pprof-stacks.ts'

function stacksOf(maxCount = 1_000_000): PprofStacks {
  return new PprofStacks({ valueWidth: 1, maxCount, overflow: () => new RangeError('too many') })
}

/** Codes innermost first, as `intern` takes them. */
function codesOf(stacks: PprofStacks, node: number): number[] {
  const codes: number[] = []
  for (let at = node; at !== 0; at = stacks.parents[at]!) codes.push(stacks.codes[at]!)
  return codes
}

test('every stack ends at a node of its own codes, and equal ones at the same node', () => {
  const given = fc.array(fc.array(fc.integer({ min: -2, max: 3 }), { maxLength: 12 }), { maxLength: 60 })
  fc.assert(
    fc.property(given, (lists) => {
      const stacks = stacksOf()
      const outerParts = new Set<string>()
      for (const codes of lists) {
        expect(codesOf(stacks, stacks.intern(Int32Array.from(codes), codes.length))).toEqual(codes)
        for (const index of codes.keys()) outerParts.add(codes.slice(index).join())
        expect(stacks.count).toBe(1 + outerParts.size)
      }
    }),
  )
})

test('nodes are numbered as they come, the outermost first', () => {
  const stacks = stacksOf()
  expect(stacks.intern(Int32Array.of(30, 20, 10), 3)).toBe(3)
  expect(stacks.intern(Int32Array.of(41, 40, 20, 10), 4)).toBe(5)
  expect(stacks.intern(Int32Array.of(20, 10, 99), 2)).toBe(2)
  expect([...stacks.parents.subarray(0, stacks.count)]).toEqual([-1, 0, 1, 2, 2, 4])
  expect([...stacks.codes.subarray(1, stacks.count)]).toEqual([10, 20, 30, 40, 41])
})

test('many stacks that are much alike are told apart, and keep what they have', () => {
  const stacks = stacksOf()
  const nodes = new Set<number>()
  for (let one = 0; one < 300; one++) {
    for (let other = 0; other < 300; other++) {
      const node = stacks.intern(Int32Array.of(one, other, 7), 3)
      stacks.values[node]! += one
      nodes.add(node)
    }
  }
  expect(nodes.size).toBe(90_000)
  expect(stacks.count).toBe(1 + 1 + 300 + 90_000)
  expect([...nodes].every((node) => stacks.values[node] === stacks.codes[node])).toBe(true)
})

test('more nodes than there may be are refused', () => {
  const stacks = stacksOf(4)
  stacks.intern(Int32Array.of(3, 2, 1), 3)
  expect(() => stacks.intern(Int32Array.of(4, 1), 2)).toThrow(new RangeError('too many'))
  expect(stacks.intern(Int32Array.of(2, 1), 2)).toBe(2)
})
