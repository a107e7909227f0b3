import { expect, test } from 'vitest'
import { ProfileBuilder } from '../profile-builder.ts'
import { drawTree } from '../testing/draw-tree.ts'
import { JfrFrames } from './jfr-frames.ts'

function framesOf(maxPlaces?: number) {
  const builder = new ProfileBuilder({ format: 'jfr', sampleTypes: [{ type: 'samples', unit: 'count' }] })
  const frames = new JfrFrames(builder, 1, maxPlaces)
  /** Adds a sample, outermost frame first: `main:7 read:3`. */
  const add = (stack: string) => {
    const numbers = stack.split(' ').map((text) => {
      const [name = '', line] = text.split(':')
      return frames.frame(builder.functions.intern(name), Number(line))
    })
    const place = frames.enter(Int32Array.from(numbers.toReversed()), numbers.length)
    frames.add(place, Float64Array.of(1))
    builder.add(frames.node(place), [1])
  }
  const finish = () => builder.finish({ warnings: [], lines: frames.lines() })
  return { frames, add, finish }
}

const stacks = ['main:7 read:3 copy:9', 'main:7 read:5', 'main:8', 'main:7 read:3', 'run:0 read:3']
const tree = ['main 4/1', '  read 3/2', '    copy 1/1', 'run 1/0', '  read 1/1']

test('stacks are a tree of functions, and their lines have what went through them', () => {
  const { add, finish } = framesOf()
  for (const stack of stacks) add(stack)
  const profile = finish()
  expect(drawTree(profile)).toEqual(tree)
  expect(profile.detail?.lines).toEqual({
    nodes: Int32Array.of(1, 1, 2, 2, 3, 5),
    lines: Int32Array.of(7, 8, 3, 5, 9, 3),
    selfValues: [Float64Array.of(0, 1, 1, 1, 1, 1)],
    totalValues: [Float64Array.of(3, 1, 2, 1, 1, 1)],
  })
})

test('when there are too many frames, stacks that are new are counted without their lines', () => {
  // The root and the first stack.
  const { frames, add, finish } = framesOf(4)
  for (const stack of stacks) add(stack)
  const profile = finish()
  expect(drawTree(profile)).toEqual(tree)
  expect(frames.lostCount).toBe(3)
  expect(profile.detail?.lines).toEqual({
    nodes: Int32Array.of(1, 2, 3),
    lines: Int32Array.of(7, 3, 9),
    selfValues: [Float64Array.of(0, 1, 1)],
    totalValues: [Float64Array.of(2, 2, 1)],
  })
})
