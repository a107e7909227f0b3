import { beforeAll, describe, expect, test } from 'vitest'
import { sourceImporters } from '../long/fuzz-imports/subject.ts'
import { profileImporters } from '../long/fuzz-profiles/subject.ts'
import { minimise } from '../long/fuzzing/minimise.ts'
import { inputBytesMax } from '../long/fuzzing/mutation.ts'
import type { Originals } from '../long/fuzzing/originals.ts'
import { Random, seedOf } from '../long/fuzzing/random.ts'
import type { Input, Subject } from '../long/fuzzing/subject.ts'

describe('inputs for importers of profiles', () => {
  testInputs(profileImporters)
})

describe('inputs for importers of virtual users', () => {
  testInputs(sourceImporters)
})

const asText = (inputs: Input[]) => inputs.map(({ bytes }) => Buffer.from(bytes).toString('base64'))

function testInputs<Each extends Input>(subject: Subject<Each>): void {
  let originals: Originals
  beforeAll(() => {
    originals = subject.originals()
  })

  const inputOf = (from: Originals, seed: number, format: string, number: number) =>
    subject.makeInput(from, format, new Random(seedOf(`${seed} ${format} ${number}`)))
  const inputsOf = (from: Originals, seed: number) =>
    subject.formats.flatMap((format) =>
      Array.from({ length: 20 }, (_, number) => inputOf(from, seed, format, number)),
    )

  test('can be made again from seed and number, whatever was made before', () => {
    const first = asText(inputsOf(originals, 1))
    expect(asText(inputsOf(originals, 2))).not.toEqual(first)
    for (const again of [asText(inputsOf(originals, 1)), asText(inputsOf(subject.originals(), 1))]) {
      expect(again.filter((text, index) => text !== first[index])).toHaveLength(0)
    }
  })

  test('are different, and no longer than they may be', () => {
    const inputs = inputsOf(originals, 1)
    expect(new Set(asText(inputs)).size).toBeGreaterThan(0.85 * inputs.length)
    expect(Math.max(...inputs.map(({ bytes }) => bytes.length))).toBeLessThanOrEqual(inputBytesMax)
  })

  test.each(subject.formats)('reach into the importer of %s: they are read, and refused', async (format) => {
    const outcomes = []
    for (let number = 0; number < 60; number += 1)
      outcomes.push(await subject.outcomeOf(inputOf(originals, 1, format, number), format))
    expect(outcomes.filter(({ problem }) => problem !== undefined)).toEqual([])
    expect(outcomes.filter(({ isRead }) => isRead).length).toBeGreaterThan(5)
    expect(new Set(outcomes.map(({ refusal }) => refusal)).size).toBeGreaterThan(1)
  })
}

test('what is bad of an input is what stays of it', async () => {
  const bytes = Buffer.from(`${'good '.repeat(500)}bad${' good'.repeat(500)}`)
  const smallest = await minimise(bytes, (each) => Buffer.from(each).includes('bad'), 5000)
  expect(Buffer.from(smallest).toString()).toBe('bad')
})
