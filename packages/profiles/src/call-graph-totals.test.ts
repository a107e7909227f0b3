import { describe, expect, test } from 'vitest'
import { TreeTotals } from './call-graph-totals.ts'
import { CallGraph } from './call-graph.ts'
import { FunctionTotalsSum } from './function-totals.ts'
import { ProfileBuilder } from './profile-builder.ts'

/** Of graphs whose functions are numbers: self values, and what calls cost. */
function totalsOf(
  graphs: { self: number[]; calls: [caller: number, callee: number, cost: number][] }[],
  maxNodes?: number,
) {
  const builder = new ProfileBuilder({
    format: 'collapsed',
    sampleTypes: [{ type: 'Ir', unit: 'count' }],
    countsCalls: true,
  })
  const totals = new TreeTotals(0)
  for (const { self, calls } of graphs) {
    const graph = new CallGraph({ format: 'collapsed', sampleTypeCount: 1 })
    for (const [index, value] of self.entries()) {
      graph.addSelf(builder.functions.intern(`f${index}`), [value])
    }
    for (const [caller, callee, cost] of calls) graph.addCall({ caller, callee, calls: 1 }, [cost])
    graph.addTo(builder, { maxNodes, totals })
  }
  return totals
}

const exact = { functionCount: 0, share: 0 }

test('totals of a graph without circles are those of the graph', () => {
  const totals = totalsOf([
    {
      self: [10, 0, 0, 90],
      calls: [
        [0, 1, 60],
        [0, 2, 30],
        [1, 3, 60],
        [2, 3, 30],
      ],
    },
  ])
  expect([totals.circles(), totals.offBy(0)]).toEqual([exact, exact])
})

test('functions that call each other are counted, with what is in and below their circle', () => {
  const circle = {
    self: [10, 40, 20, 30],
    calls: [
      [0, 1, 90],
      [1, 2, 50],
      [2, 1, 45],
      [2, 3, 30],
    ] as [number, number, number][],
  }
  expect(totalsOf([circle]).circles()).toEqual({ functionCount: 2, share: 0.9 })
  // In two parts they are the same functions.
  expect(totalsOf([circle, circle]).circles()).toEqual({ functionCount: 2, share: 0.9 })
})

test('a function that calls itself is no circle', () => {
  const self = {
    self: [10, 90],
    calls: [[0, 1, 90] as [number, number, number], [1, 1, 80] as [number, number, number]],
  }
  expect(totalsOf([self]).circles()).toEqual(exact)
})

test('where nodes are limited, totals of callers are off by what was counted elsewhere', () => {
  const shared = {
    self: [0, 0, 0, 100],
    calls: [
      [0, 1, 60],
      [0, 2, 40],
      [1, 3, 60],
      [2, 3, 40],
    ] as [number, number, number][],
  }
  expect(totalsOf([shared]).offBy(0.001)).toEqual(exact)
  // All of the last one is below the first of its callers, which costs 40 more, and the second one nothing.
  expect(totalsOf([shared], 5).offBy(0.001)).toEqual({ functionCount: 2, share: 0.4 })
  expect(totalsOf([shared], 5).offBy(0.5)).toEqual(exact)
})

const calling = (caller: number, callee: number, cost: number) => ({ caller, callee, cost })

describe('totals of functions', () => {
  /** `self` of functions 0, 1, …; `told`: what the file says that some of them cost with all they called. */
  function functionTotals({
    self,
    calls,
    told = [],
  }: {
    self: number[]
    calls: ReturnType<typeof calling>[]
    told?: [index: number, value: number][]
  }) {
    const builder = new ProfileBuilder({ format: 'pstats', sampleTypes: [{ type: 'time', unit: 'count' }] })
    const graph = new CallGraph({ format: 'pstats', sampleTypeCount: 1 })
    for (const [index, value] of self.entries()) graph.addSelf(builder.functions.intern(`f${index}`), [value])
    for (const { caller, callee, cost } of calls) graph.addCall({ caller, callee, calls: 1 }, [cost])
    for (const [index, value] of told) graph.addInclusive(index, [value])
    graph.addTo(builder)
    const { isKnown, values } = builder.finish({ warnings: [] }).functionTotals!
    return Array.from(values[0]!, (value, index) => (isKnown[index] === 1 ? value : undefined))
  }
  const circle = {
    self: [10, 40, 20, 30],
    calls: [calling(0, 1, 90), calling(1, 2, 50), calling(2, 1, 45), calling(2, 3, 30)],
  }

  test('are what a function has itself and what its calls of others cost', () => {
    const calls = [calling(0, 1, 90), calling(1, 1, 80), calling(1, 2, 30)]
    expect(functionTotals({ self: [10, 60, 30], calls })).toEqual([100, 90, 30])
  })

  test('are not known in circles, but where the file tells them', () => {
    expect(functionTotals(circle)).toEqual([100, undefined, undefined, 30])
    expect(functionTotals({ ...circle, told: [[1, 90]] })).toEqual([100, 90, undefined, 30])
  })

  test('are no more than everything, nor less than what a function has itself', () => {
    const told: [number, number][] = [
      [0, 500],
      [3, 7],
    ]
    expect(functionTotals({ ...circle, told })).toEqual([100, undefined, undefined, 30])
  })

  test('of two of the file that are one here are not added up: what they called each other for would count twice', () => {
    const told: [number, number][] = [
      [1, 90],
      [1, 50],
      [3, 30],
      [3, 30],
    ]
    expect(functionTotals({ ...circle, told })).toEqual([100, undefined, undefined, 30])
  })

  test('of parts are added up, to no more than everything; one that is not known in a part is not known', () => {
    const sum = new FunctionTotalsSum(1)
    sum.add(Int32Array.of(3, 0), { isKnown: Uint8Array.of(1, 1), values: [Float64Array.of(5, 10)] })
    sum.add(Int32Array.of(0, 1), { isKnown: Uint8Array.of(1, 0), values: [Float64Array.of(3, 0)] })
    sum.add(Int32Array.of(1), { isKnown: Uint8Array.of(1), values: [Float64Array.of(8)] })
    expect(sum.finish(5, [Float64Array.of(0, 7, 5)])).toEqual({
      isKnown: Uint8Array.of(1, 0, 0, 1, 0),
      values: [Float64Array.of(12, 0, 0, 5, 0)],
    })
  })
})
