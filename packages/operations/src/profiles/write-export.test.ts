import { encodeDetail, encodeProfile, ExportTooLarge, readProfile } from '@flamegate/profiles'
import { expect, test } from 'vitest'
import type { DifferenceRequest, ExportRequest } from '../ports/profile-writer.ts'
import { writeDifference, writeExport } from './write-export.ts'

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

const paintThatThrows = (error: Error) => () => {
  throw error
}

test('a picture that is too large is refused, of a profile and of a comparison, and what is broken is not', () => {
  const comparison: DifferenceRequest = {
    graph: {
      functions: [],
      nodes: {
        parent: [-1],
        function: [-1],
        baseSelf: [1],
        baseTotal: [1],
        headSelf: [1],
        headTotal: [1],
      },
      omittedNodes: 0,
    },
    format: 'png',
    title: 'now against before',
    facts: [],
    unit: 'count',
    widthPx: 400,
  }
  const large = paintThatThrows(new ExportTooLarge('the file would be larger than it may be'))
  const refusal = { refused: 'too_large', reason: 'the file would be larger than it may be' }
  expect(writeExport({ ...request, format: 'png' }, large)).toEqual(refusal)
  expect(writeDifference(comparison, large)).toEqual(refusal)
  const broken = paintThatThrows(new Error('no paint'))
  expect(() => writeDifference(comparison, broken)).toThrow('no paint')
})
