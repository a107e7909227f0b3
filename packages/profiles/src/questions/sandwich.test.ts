import { expect, test } from 'vitest'
import { readProfile } from '../read-profile.ts'
import { sample } from '../testing/samples.ts'
import { profileOf } from '../testing/stacks.ts'
import type { CallTreeEntry } from './call-tree-entries.ts'
import { FunctionNotFoundError } from './find-function.ts'
import { sandwich, type SandwichOptions } from './sandwich.ts'

const draw = (entries: CallTreeEntry[]) =>
  entries.map(
    ({ depth, functionName, totalValue, selfValue, totalPercent }) =>
      `${'  '.repeat(depth)}${functionName} ${totalValue}/${selfValue} ${totalPercent}%`,
  )
const ask = (stacks: string, name: string, options?: SandwichOptions) => {
  const { callers, callees, ...rest } = sandwich(profileOf(stacks), name, { minPercent: 0, ...options })
  return { ...rest, callers: draw(callers), callees: draw(callees) }
}

const inTens = (entries: CallTreeEntry[]) =>
  entries.map(({ functionName, totalValue }) => `${functionName} ${totalValue / 1e7}`).toSorted()

const stacks = `
  main;parse;read 2
  main;load;parse;read 1
  main;load;parse 1
  main;render 4
`

test('callers and callees of a function are merged over everywhere it is called, with shares of its total', () => {
  expect(ask(stacks, 'parse')).toEqual({
    functionName: 'parse',
    sampleType: 'samples',
    unit: 'count',
    selfValue: 1,
    totalValue: 4,
    selfPercent: 12.5,
    totalPercent: 50,
    // main called it for 2 itself, and load for 2, which main called.
    callers: ['main 2/2 50%', 'load 2/0 50%', '  main 2/2 50%'],
    callees: ['read 3/3 75%'],
    omitted: { callers: 0, callees: 0 },
  })
})

test('a stack with recursion counts once on both sides, from the outermost call', () => {
  const { totalValue, callers, callees } = ask('a;f;g;f;h 3\nb;f 1', 'f')
  expect(totalValue).toBe(4)
  expect(callers).toEqual(['a 3/3 75%', 'b 1/1 25%'])
  expect(callees).toEqual(['g 3/0 75%', '  f 3/0 75%', '    h 3/3 75%'])
})

test('a root of all stacks has no callers, a leaf no callees', () => {
  expect(ask(stacks, 'main').callers).toEqual([])
  expect(ask(stacks, 'read').callees).toEqual([])
})

test('depth, share and number of entries bound both sides; what is left out is counted', () => {
  expect(ask(stacks, 'parse', { depth: 1 }).callers).toEqual(['main 2/2 50%', 'load 2/2 50%'])
  const heavy = ask(stacks, 'main', { minPercent: 40 })
  expect(heavy.callees).toEqual(['render 4/4 50%'])
  expect(heavy.omitted.callees).toBe(5)
  expect(ask(stacks, 'main', { maxEntries: 1 }).callees).toEqual(['render 4/4 50%'])
})

/** What `go tool pprof -peek '^name$' -unit=ns go-cpu.pb.gz` says (Go 1.19), in tens of milliseconds. */
test.each<[name: string, total: number, callers: string[], callees: string[]]>([
  ['sort.Slice', 4, ['encoding/json.mapEncoder.encode 3', 'main.serveOrders 1'], ['sort.pdqsort_func 4']],
  [
    'main.serveOrders',
    31,
    ['main.main.func1 31'],
    [
      'encoding/json.Marshal 7',
      'encoding/json.Unmarshal 17',
      'fmt.Sprint 2',
      'runtime.growslice 1',
      'runtime.mapassign_faststr 3',
      'sort.Slice 1',
    ],
  ],
  [
    'runtime.mallocgc',
    10,
    [
      'runtime.convTslice 3',
      'runtime.growslice 1',
      'runtime.makeslice 1',
      'runtime.newarray 3',
      'runtime.newobject 1',
      'runtime.slicebytetostring 1',
    ],
    ['runtime.(*mcache).nextFree 4', 'runtime.heapBitsSetType 2', 'runtime.memclrNoHeapPointers 2'],
  ],
])(
  '%s of a real Go profile has the callers and callees that pprof shows',
  (name, total, callers, callees) => {
    const { detail: _, ...go } = readProfile(sample('pprof/go-cpu.pb.gz'))
    const answer = sandwich(go, name, { depth: 1, minPercent: 0, maxEntries: 100 })
    expect(answer.totalValue / 1e7).toBe(total)
    expect(inTens(answer.callers)).toEqual(callers)
    expect(inTens(answer.callees)).toEqual(callees)
  },
)

test('an unknown function is refused', () => {
  expect(() => ask(stacks, 'nothing')).toThrow(FunctionNotFoundError)
})
