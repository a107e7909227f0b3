import { expect, test } from 'vitest'
import { madeOperation, madeReport } from '../../../../../packages/mcp-profiling/src/testing/made-report.ts'
import type { Measuring } from '../measuring.ts'
import { measureSweep } from './measure-sweep.ts'

/** A server that answers so many calls of each operation in a second. */
function serverOf(callsPerSecond: number): { measure: Measuring['measure']; asked: [number, number][] } {
  const asked: [number, number][] = []
  const { load, resources } = madeReport()
  if (load === null) throw new TypeError('The report has a load')
  return {
    asked,
    measure: (_what, wanted) => {
      if (wanted.model !== 'closed' || wanted.durationMs === undefined)
        throw new TypeError('It is a closed load')
      asked.push([wanted.concurrent, wanted.durationMs])
      const calls = Math.round((callsPerSecond * wanted.durationMs) / 1000)
      return Promise.resolve({
        load: { ...load, concurrent: wanted.concurrent },
        operations: [madeOperation({ calls })],
        resources,
        inside: null,
        profiles: [],
        notes: [],
      })
    },
  }
}

const operations: Measuring['operations'] = [
  { method: 'tools/call', name: 'look_up', requests: [{ prefix: '', suffix: '', bytes: 0, head: '' }] },
]
const interruption = new AbortController().signal

test('with the most calls at once it is measured for longer where few are answered', async () => {
  const quick = serverOf(100)
  await measureSweep({ ...quick, operations, interruption }, 2500)
  expect(quick.asked).toEqual([1, 2, 4, 8, 16].map((concurrent) => [concurrent, 500]))

  const starved = serverOf(20)
  const sweep = await measureSweep({ ...starved, operations, interruption }, 2500)
  expect(starved.asked.slice(4)).toEqual([
    [16, 500],
    [16, 1000],
    [16, 2000],
  ])
  expect(sweep.map(({ concurrent, operations = [] }) => [concurrent, operations[0]?.calls])).toEqual([
    [1, 10],
    [2, 10],
    [4, 10],
    [8, 10],
    [16, 40],
  ])
})
