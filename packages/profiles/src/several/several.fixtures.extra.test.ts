import { expect, test } from 'vitest'
import { readProfile } from '../read-profile.ts'
import { fixture, fixturePaths } from '../testing/fixtures.ts'
import { compareProfiles } from './compare-profiles.ts'
import { heapGrowth } from './heap-growth.ts'
import { heapSeries } from './heap-series.ts'

const folder = 'pprof-generated'
const isThere = fixturePaths(folder).length > 0
const heap = () => [0, 1, 2, 3].map((step) => readProfile(fixture(`${folder}/go-heap-t${step}.pb.gz`)))
const names = (sites: readonly { functionName: string }[]) => sites.map(({ functionName }) => functionName)

test.runIf(isThere)('the planted leak is found between two heap profiles, and the burst is none', () => {
  const [base, , , head] = heap()
  const { growing, bursts } = heapGrowth(base!, head!, { limit: 10, thresholdPercent: 10 })
  expect(names(growing)).toEqual(['main.leakBuffers'])
  // 40 buffers of 64 KiB in each of three steps.
  expect(growing[0]!.growth).toBeCloseTo(3 * 40 * 65_536, -4)
  expect(growing[0]).toMatchObject({ isSure: true })
  expect(names(bursts)).toContain('main.transientAllocs')
})

test.runIf(isThere)('and over all four of them, likely, because four are too few to be sure', () => {
  const profiles = heap()
  const times = profiles.map(({ startedAt }) => Date.parse(startedAt!))
  const { growing, bursts } = heapSeries(profiles, times, { limit: 10, confidence: 0.95 })
  expect(growing).toMatchObject([{ functionName: 'main.leakBuffers', certainty: 'likely', risingShare: 1 }])
  expect(names(bursts)).toContain('main.transientAllocs')
})

/** Totals as `go tool pprof -top -cum -unit=ms` gives them for each file. */
test.runIf(isThere)('the Go program before and after says what was changed in it', () => {
  const [base, head] = ['before', 'after'].map((when) =>
    readProfile(fixture(`${folder}/go-cpu-${when}.pb.gz`)),
  )
  const { functions, baseTotal, headTotal, tree } = compareProfiles(base!, head!, {
    limit: 1000,
    sortBy: 'total',
  })
  expect([baseTotal, headTotal]).toEqual([3.48e9, 2.81e9])
  expect(tree.nodes.parents.length).toBeGreaterThan(base!.nodes.parents.length)
  const of = (name: string) => functions.find(({ functionName }) => functionName === name)
  const share = (name: string) => [of(name)!.baseTotal / baseTotal, of(name)!.headTotal / headTotal]
  expect(of('main.slowConcat')).toMatchObject({ state: 'removed', baseTotal: 1.9e9, isSure: true })
  expect(of('main.fastConcat')).toMatchObject({ state: 'added', headTotal: 0.11e9, isSure: true })
  expect(of('main.hotHash')).toMatchObject({ state: 'worse', baseTotal: 0.11e9, headTotal: 1.78e9 })
  expect(share('main.slowConcat')[0]).toBeCloseTo(0.546, 3)
  expect(share('main.fastConcat')[1]).toBeCloseTo(0.039, 3)
  expect(share('main.hotHash')[0]).toBeCloseTo(0.032, 3)
  expect(share('main.hotHash')[1]).toBeCloseTo(0.63, 2)
  expect(share('main.parseJSON')[0]).toBeCloseTo(0.02, 2)
  expect(share('main.parseJSON')[1]).toBeCloseTo(0.27, 2)
})

test.runIf(isThere)('the Node program lost its slow function', () => {
  const [base, head] = ['before', 'after'].map((when) =>
    readProfile(fixture(`cpuprofile/node-${when}.cpuprofile`)),
  )
  const { functions } = compareProfiles(base!, head!, { limit: 1000, normalization: { by: 'total' } })
  expect(functions[0]).toMatchObject({ functionName: 'slowUnique', state: 'removed', isSure: true })
  expect(functions.find(({ functionName }) => functionName === 'fastUnique')).toMatchObject({
    state: 'added',
  })
})

test.runIf(fixturePaths('jfr').length > 0)('the Java program allocates no boxed integers any more', () => {
  const [base, head] = ['before', 'fixed'].map((when) =>
    readProfile(fixture(`jfr/jmc-allocation_10s_${when}.jfr.gz`)),
  )
  const { functions, baseTotal, headTotal } = compareProfiles(base!, head!, {
    limit: 1,
    sampleType: 'alloc_space',
    normalization: { by: 'duration' },
  })
  expect(functions).toMatchObject([{ functionName: 'java.lang.Integer.valueOf', state: 'removed' }])
  expect(headTotal / baseTotal).toBeLessThan(0.01)
})
