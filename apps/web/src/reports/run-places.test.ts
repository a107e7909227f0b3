import { comparisonItems } from '@flamegate/loadtest/report'
import { describe, expect, test } from 'vitest'
import { isObject, type JsonObject } from '../documents/json.ts'
import { applyPatch, type Operation } from '../documents/json-patch.ts'
import { movedRun, removedRun } from './run-places.ts'

const line = (run: number | null) => ({ metric: 'p95', run })
const item = (fields: object) => ({ id: 'x', run: 0, ...fields })
const report = (...items: object[]): JsonObject => ({ bench_result_ids: ['a', 'b', 'c'], items })

/** The runs of a report and its items, after operations. */
function after(document: JsonObject, patch: readonly Operation[]): unknown[] {
  const { document: changed } = applyPatch(document, patch)
  if (!isObject(changed) || !Array.isArray(changed['items'])) throw new TypeError('It is no report any more')
  return [changed['bench_result_ids'], ...changed['items']]
}

describe('a run that is moved', () => {
  test('takes its items along', () => {
    const document = report(
      item({ run: 0 }),
      item({ run: 2 }),
      item({ lines: [line(0), line(1), line(2), line(null)] }),
      item({ runs: [0, 2] }),
    )
    expect(after(document, movedRun(document, 0, 2))).toEqual([
      ['b', 'c', 'a'],
      item({ run: 2 }),
      item({ run: 1 }),
      item({ run: 2, lines: [line(2), line(0), line(1), line(null)] }),
      item({ run: 2, runs: [2, 1] }),
    ])
  })

  test('changes nothing of items that name none of the others', () => {
    const document = report({ id: 'text' }, item({ run: 0 }))
    expect(movedRun(document, 2, 1)).toHaveLength(1)
  })
})

describe('a run that is removed', () => {
  test('leaves a comparison of the others', () => {
    const document = report(...comparisonItems(3))
    expect(after(document, removedRun(document, 2))).toEqual([['a', 'b'], ...comparisonItems(2)])
    expect(after(document, removedRun(document, 0))).toEqual([['b', 'c'], ...comparisonItems(2)])
  })

  test('leaves its place to the next one in items, and to the last one where there is none', () => {
    const document = report(item({ run: 1 }), item({ run: 2 }))
    expect(after(document, removedRun(document, 1))).toEqual([['a', 'c'], item({ run: 1 }), item({ run: 1 })])
    expect(after(document, removedRun(document, 2))).toEqual([['a', 'b'], item({ run: 1 }), item({ run: 1 })])
  })

  test('leaves as many lines as a chart has to have, which are of its own run then', () => {
    const document = report(
      item({ form: 'line', lines: [line(1), line(1)] }),
      item({ form: 'scatter', lines: [line(0), line(1)] }),
    )
    expect(after(document, removedRun(document, 1)).slice(1)).toEqual([
      item({ form: 'line', lines: [line(null), line(null)] }),
      item({ form: 'scatter', lines: [line(0), line(null)] }),
    ])
  })
})
