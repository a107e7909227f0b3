import { encodeDetail, encodeProfile, readProfile } from '@flamegate/profiles'
import { expect, test } from 'vitest'
import type { ExportRequest } from '../ports/profile-writer.ts'
import { writeExport } from './write-export.ts'

const sampled = (name: string, samples: number[][], weights: number[]) => ({
  type: 'sampled',
  name,
  unit: 'milliseconds',
  startValue: 0,
  endValue: weights.reduce((sum, weight) => sum + weight, 0),
  samples,
  weights,
})
const profile = readProfile(
  new TextEncoder().encode(
    JSON.stringify({
      shared: { frames: [{ name: 'main' }, { name: 'parse' }] },
      profiles: [sampled('one', [[0], [0, 1]], [10, 20]), sampled('two', [[0, 1]], [5])],
    }),
  ),
)
const request: ExportRequest = {
  parts: { tree: encodeProfile(profile), detail: encodeDetail(profile.detail!) },
  format: 'collapsed',
  name: 'threads',
  sampleTypeIndex: 0,
}
const textOf = (outcome: ReturnType<typeof writeExport>) =>
  'file' in outcome ? new TextDecoder().decode(outcome.file.bytes) : outcome

test.each([
  ['all samples', {}, 'main 10\nmain;parse 25\n'],
  ['those of a thread', { filter: { labels: new Map([['thread', 'two']]) } }, 'main;parse 5\n'],
  ['those of a time', { filter: { fromMs: 0, toMs: 5 } }, 'main 10\nmain;parse 5\n'],
])('of a stored profile, %s are written', (_what, part, text) => {
  expect(textOf(writeExport({ ...request, ...part }))).toBe(text)
})

test('a profile without labels cannot be filtered by them', () => {
  const { detail: _detail, ...parts } = request.parts
  expect(writeExport({ ...request, parts, filter: { labels: new Map([['thread', 'two']]) } })).toEqual({
    refused: 'cannot_filter',
    reason: 'its samples have no labels',
  })
})
