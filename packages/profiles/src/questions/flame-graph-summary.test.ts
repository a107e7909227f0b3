import { expect, test } from 'vitest'
import { readProfile } from '../read-profile.ts'
import { sample } from '../testing/samples.ts'
import { profileOf } from '../testing/stacks.ts'
import { FunctionNotFoundError } from './find-function.ts'
import { summarizeFlameGraph, type FlameGraphSummary } from './flame-graph-summary.ts'

const profile = profileOf(`
  main;parse;read 20
  main;parse;parse 20
  main;load;parse;read 10
  main;load 20
  main;render 29
  main;tiny 1
`)
const draw = ({ callTree }: FlameGraphSummary) =>
  callTree.map(
    ({ depth, functionName, selfValue, totalValue }) =>
      `${'  '.repeat(depth)}${functionName} ${totalValue}/${selfValue}`,
  )

test('the call tree has the more expensive calls first', () => {
  const summary = summarizeFlameGraph(profile)
  expect(summary).toMatchObject({ sampleType: 'samples', unit: 'count', totalValue: 100, truncated: false })
  expect(summary.rootFunctionName).toBeUndefined()
  expect(draw(summary)).toEqual([
    'main 100/0',
    '  parse 40/0',
    '    read 20/20',
    '    parse 20/20',
    '  load 30/20',
    '    parse 10/0',
    '      read 10/10',
    '  render 29/29',
    '  tiny 1/1',
  ])
})

test('calls below the share asked for are left out, and counted', () => {
  const summary = summarizeFlameGraph(profile, { minPercent: 25 })
  expect(draw(summary)).toEqual(['main 100/0', '  parse 40/0', '  load 30/20', '  render 29/29'])
  expect(summary).toMatchObject({ truncated: true, omitted: { functions: 0, callTreeEntries: 5 } })
})

test('of too many calls, the largest stay', () => {
  const summary = summarizeFlameGraph(profile, { maxEntries: 3 })
  expect(draw(summary)).toEqual(['main 100/0', '  parse 40/0', '  load 30/20'])
  expect(summary.omitted.callTreeEntries).toBe(6)
})

test('depth counts levels below the root', () => {
  expect(draw(summarizeFlameGraph(profile, { depth: 1 }))).toEqual(['main 100/0'])
  expect(draw(summarizeFlameGraph(profile, { depth: 1, rootFunctionName: 'load' }))).toEqual([
    'load 30/20',
    '  parse 10/0',
  ])
})

test('a root function merges all its calls, its own recursion below the outermost', () => {
  const summary = summarizeFlameGraph(profile, { rootFunctionName: 'PARSE' })
  expect(summary).toMatchObject({ rootFunctionName: 'parse', totalValue: 50 })
  expect(draw(summary)).toEqual(['parse 50/0', '  read 30/30', '  parse 20/20'])
  expect(
    summary.expensiveCalls.map(({ functionName, totalPercent }) => `${functionName} ${totalPercent}`),
  ).toEqual(['parse 100', 'read 60'])
})

test('hot spots are functions by self value, expensive calls by total', () => {
  const { hotSpots, expensiveCalls } = summarizeFlameGraph(profile)
  expect(hotSpots.map(({ functionName, selfPercent }) => `${functionName} ${selfPercent}`)).toEqual([
    'read 30',
    'render 29',
    'parse 20',
    'load 20',
    'tiny 1',
  ])
  expect(expensiveCalls.map(({ functionName, totalValue }) => `${functionName} ${totalValue}`)).toEqual([
    'main 100',
    'parse 50',
    'read 30',
    'load 30',
    'render 29',
    'tiny 1',
  ])
})

test('an unknown root function offers the nearest names', () => {
  expect(() => summarizeFlameGraph(profile, { rootFunctionName: 'rendering' })).toThrow(FunctionNotFoundError)
})

test('hot spots say where they are: file, line and whose code', () => {
  const { hotSpots } = summarizeFlameGraph(readProfile(sample('pprof/go-cpu.pb.gz')))
  expect(hotSpots).toHaveLength(10)
  const fib = hotSpots.find(({ functionName }) => functionName === 'main.fib')
  expect(fib).toMatchObject({ file: 'example.com/demo/main.go', origin: 'User code' })
  expect(fib!.line).toBeGreaterThan(90)
  expect(hotSpots.find(({ functionName }) => functionName === 'crypto/sha256.block')?.origin).toBe(
    'Standard library',
  )
})

test('calls are there only where the format counts them', () => {
  expect(summarizeFlameGraph(profile).hotSpots[0]).not.toHaveProperty('calls')
  const trace = readProfile(sample('speedscope/node-evented.speedscope.json'))
  const { hotSpots } = summarizeFlameGraph(trace, { rootFunctionName: 'serve' })
  expect(hotSpots[0]!.calls).toBeGreaterThan(0)
})
