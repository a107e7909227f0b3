import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { adapterNames } from '@flamegate/benchmarks'
import { operations } from '@flamegate/contract'
import { exportFormats, pictureWidthPx, profileFormats } from '@flamegate/profiles'
import { expect, test } from 'vitest'

test.each([operations.createRunUpload, operations.submitBenchmarkResults])(
  '$id takes the name of every adapter there is',
  ({ input }) => {
    const names = input.shape.adapter.unwrap().options
    expect(names.toSorted()).toEqual(['magic', ...adapterNames].toSorted())
  },
)

test('export_profile takes the name of every format that can be written', () => {
  expect(operations.exportProfile.input.shape.format.options).toEqual([...exportFormats])
})

test.each([operations.exportProfile, operations.exportDifferentialFlamegraph])(
  '$id takes any width that a picture can have',
  ({ input }) => {
    const width = input.shape.width_px.unwrap()
    const { least, default: usual, most } = pictureWidthPx
    expect([width.minValue, input.shape.width_px.parse(undefined), width.maxValue]).toEqual([
      least,
      usual,
      most,
    ])
  },
)

test.each([...profileFormats, ...exportFormats])('docs/profiles.md tells of %s', (format) => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/profiles.md'), 'utf8')
  expect(page).toMatch(new RegExp(`^\\| .*\`${format}\``, 'm'))
})
