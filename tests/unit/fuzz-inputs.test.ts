import { profileFormats } from '@flamegate/profiles'
import { beforeAll, expect, test } from 'vitest'
import { makeInput } from '../long/fuzz-profiles/make-input.ts'
import { minimise } from '../long/fuzz-profiles/minimise.ts'
import { inputBytesMax } from '../long/fuzz-profiles/mutation.ts'
import { Originals } from '../long/fuzz-profiles/originals.ts'
import { outcomeOf } from '../long/fuzz-profiles/outcome-of.ts'

let originals: Originals
beforeAll(() => {
  originals = new Originals()
})

const inputsOf = (from: Originals, seed: number) =>
  profileFormats.flatMap((format) =>
    Array.from({ length: 40 }, (_, number) => makeInput(from, { seed, format, number })),
  )
const asText = (inputs: { bytes: Uint8Array }[]) =>
  inputs.map(({ bytes }) => Buffer.from(bytes).toString('base64'))

test('an input can be made again from its seed and number, whatever was made before it', () => {
  const first = asText(inputsOf(originals, 1))
  expect(asText(inputsOf(originals, 2))).not.toEqual(first)
  for (const again of [asText(inputsOf(originals, 1)), asText(inputsOf(new Originals(), 1))]) {
    expect(again.filter((text, index) => text !== first[index])).toHaveLength(0)
  }
})

test('inputs are different, and no longer than they may be', () => {
  const inputs = inputsOf(originals, 1)
  expect(new Set(asText(inputs)).size).toBeGreaterThan(0.9 * inputs.length)
  expect(Math.max(...inputs.map(({ bytes }) => bytes.length))).toBeLessThanOrEqual(inputBytesMax)
})

test.each(profileFormats)('changes reach into the importer of %s: inputs are read, and refused', (format) => {
  const outcomes = Array.from({ length: 60 }, (_, number) =>
    outcomeOf(makeInput(originals, { seed: 1, format, number }), format),
  )
  expect(outcomes.filter(({ problem }) => problem !== undefined)).toEqual([])
  expect(outcomes.filter(({ isProfile }) => isProfile).length).toBeGreaterThan(5)
  expect(new Set(outcomes.map(({ refusal }) => refusal)).size).toBeGreaterThan(1)
})

test('what is bad of an input is what stays of it', () => {
  const bytes = Buffer.from(`${'good '.repeat(500)}bad${' good'.repeat(500)}`)
  const smallest = minimise(bytes, (each) => Buffer.from(each).includes('bad'), 5000)
  expect(Buffer.from(smallest).toString()).toBe('bad')
})
