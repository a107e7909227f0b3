import { expect, test } from 'vitest'
import type { Profile } from '../profile.ts'
import { heapProfile } from '../testing/heap-profile.ts'
import { profileOf } from '../testing/stacks.ts'
import { CannotCompareError } from './cannot-compare-error.ts'
import { heapGrowth, type SiteGrowth } from './heap-growth.ts'

const grow = (base: Profile, head: Profile, thresholdPercent = 10) =>
  heapGrowth(base, head, { limit: 10, thresholdPercent })
const names = (sites: SiteGrowth[]) => sites.map(({ functionName }) => functionName)

const base = heapProfile({
  'main;leak': { inUse: 1e6, allocated: 2e6 },
  'main;burst': { inUse: 1e4, allocated: 5e6 },
  'main;cache': { inUse: 4e6, allocated: 4e6 },
  'main;pool': { inUse: 2e6, allocated: 2e6 },
  'main;small': { inUse: 64, allocated: 64 },
})
const head = heapProfile({
  'main;leak': { inUse: 3e6, allocated: 4e6 },
  'main;burst': { inUse: 1e4, allocated: 45e6 },
  'main;cache': { inUse: 4e6, allocated: 4e6 },
  'main;pool': { inUse: 1e6, allocated: 2e6 },
  'main;small': { inUse: 64, allocated: 64 },
})

test('a leak keeps what it allocates, a burst gives it back', () => {
  const { growing, bursts, shrinking, counts, growth, allocated, othersGrowth } = grow(base, head)
  expect(names(growing)).toEqual(['leak'])
  expect(growing[0]).toMatchObject({
    growth: 2e6,
    growthPercent: 200,
    allocated: 2e6,
    keptShare: 1,
    isSure: true,
  })
  expect(names(bursts)).toEqual(['burst'])
  expect(bursts[0]).toMatchObject({ growth: 0, allocated: 40e6, keptShare: 0 })
  expect(names(shrinking)).toEqual(['pool'])
  expect(counts).toEqual({ growing: 1, burst: 1, shrinking: 1, steady: 3 })
  expect([growth, allocated, othersGrowth]).toEqual([1e6, 42e6, 0])
})

test('growth below the threshold is steady, and is told with the others', () => {
  const { growing, othersGrowth } = grow(base, head, 300)
  expect(growing).toEqual([])
  expect(othersGrowth).toBe(1e6)
})

test('growth that sampling alone may make is not sure', () => {
  const interval = 512 * 1024
  const of = (samples: number) => ({ inUse: samples * interval, allocated: samples * interval })
  const before = heapProfile({ 'main;few': of(2), 'main;other': of(1) })
  const after = heapProfile({ 'main;few': of(5), 'main;other': of(1) })
  expect(grow(before, after).growing).toMatchObject([{ functionName: 'few', isSure: false }])
})

const makingSlices = (inUse: number) =>
  heapProfile({
    'main.main@/app/main.go;main.handle@/app/main.go;bytes.makeSlice@/usr/local/go/src/bytes/buffer.go;runtime.mallocgc@/usr/local/go/src/runtime/malloc.go':
      { inUse, allocated: inUse },
  })

test('a site is named by the innermost function of the program, and by what allocates for it', () => {
  expect(grow(makingSlices(1e6), makingSlices(5e6)).growing).toMatchObject([
    {
      functionName: 'main.handle',
      file: '/app/main.go',
      origin: 'User code',
      allocator: 'runtime.mallocgc',
      path: ['main.handle', 'bytes.makeSlice', 'runtime.mallocgc'],
    },
  ])
})

const servingBoth = (users: number, orders: number) =>
  heapProfile({
    'main@/app/main.js;load@/app/users/index.js': { inUse: users },
    'main@/app/main.js;load@/app/orders/index.js': { inUse: orders },
  })

test('a leak is not hidden by what shrinks in a file of the same name', () => {
  const { growing, shrinking } = grow(servingBoth(1e6, 5e6), servingBoth(5e6, 1e6))
  expect(growing).toMatchObject([{ functionName: 'load', file: '/app/users/index.js', growth: 4e6 }])
  expect(shrinking).toMatchObject([{ functionName: 'load', file: '/app/orders/index.js', growth: -4e6 }])
})

const onlyInUse = (inUse: number) => heapProfile({ 'main;keep': { inUse } })

test('what a profile does not tell is said', () => {
  const { growing, bursts, warnings } = grow(onlyInUse(1e6), onlyInUse(3e6))
  expect(growing[0]).not.toHaveProperty('allocated')
  expect(bursts).toEqual([])
  expect(warnings[0]).toContain('bursts cannot be told')
  expect(grow(head, base).warnings[0]).toContain('restarted')
  expect(() => grow(profileOf('main 1'), profileOf('main 2'))).toThrow(
    new CannotCompareError('a profile does not tell what is in use: it has samples'),
  )
})
