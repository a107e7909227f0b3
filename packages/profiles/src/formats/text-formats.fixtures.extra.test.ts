import { expect, test } from 'vitest'
import { readProfile } from '../read-profile.ts'
import { drawCalledFunctions, drawFunctions } from '../testing/draw-functions.ts'
import { drawTree } from '../testing/draw-tree.ts'
import { fixture, fixturePaths } from '../testing/fixtures.ts'

const paths = (folder: string) => fixturePaths(folder)

// The counts of the file's own frames, by StackProf: samples in a frame, and through it.
test.runIf(paths('stackprof').length > 0).each(paths('stackprof'))(
  '%s has what StackProf counted',
  (path) => {
    const profile = readProfile(fixture(path))
    expect(profile.format).toBe('stackprof')
    expect(profile.sampleCount).toBe(489)
    expect(drawFunctions(profile, Infinity, 0)).toEqual([
      'Object#d 331/331',
      'Object#e 79/79',
      '(sweeping) 71/71',
      '(marking) 8/8',
      '(garbage collection) 0/79',
      '<main> 0/410',
      '<main> 0/410',
      'Object#a 0/410',
      'Object#b 0/154',
      'Object#c 0/177',
      'block in <main> 0/410',
    ])
  },
)

// Added up from the JSON by a script of its own (Python, recursive): entries, and ticks in and below a cost centre.
test.runIf(paths('haskell-prof').length > 0).each(paths('haskell-prof'))(
  '%s has the ticks and bytes of the file',
  (path) => {
    const profile = readProfile(fixture(path))
    expect(profile).toMatchObject({ format: 'haskell', sampleCount: 798, durationMs: 800 })
    expect(drawFunctions(profile, 6, 0)).toEqual([
      'Main.make 406/409',
      'Main.check 320/320',
      'GC.GC 46/46',
      'SYSTEM.SYSTEM 19/19',
      'Main.sumT.a 3/369',
      'Main.make.d2 2/2',
    ])
    expect(drawFunctions(profile, 3, 2).slice(0, 2)).toEqual([
      'Main.make 1512575520/1512575520',
      'Main.check 406149056/406149056',
    ])
    expect(drawCalledFunctions(profile, 2)).toEqual([
      'Main.make 12692158 406000000/409000000',
      'Main.check 25471678 320000000/320000000',
    ])
    expect(profile.selfValues[2]!.reduce((sum, value) => sum + value, 0)).toBe(1_921_672_664)
  },
)

// Added up from the column "Self Weight" by a script of its own (Python).
test.runIf(paths('instruments-txt').length > 0).each(paths('instruments-txt'))(
  '%s has the self weights of the text',
  (path) => {
    const profile = readProfile(fixture(path))
    expect(profile.format).toBe('instruments')
    expect(profile.selfValues[0]!.reduce((sum, value) => sum + value, 0)).toBe(4_930_000_000)
    expect(drawFunctions(profile, 6).map((row) => row.replace(/\/.*/, ''))).toEqual([
      'beta() 1602000000',
      'alpha() 1574000000',
      'delta() 846000000',
      'gamma() 827000000',
      'small_malloc_from_free_list 20000000',
      'small_malloc_should_clear 20000000',
    ])
    expect(profile.warnings).toEqual([])
  },
)

// As the text says, read by eye: each function in it, and its callers.
test.runIf(paths('pmcstat').length > 0).each(paths('pmcstat'))('%s has the samples of the text', (path) => {
  const profile = readProfile(fixture(path))
  expect(profile.format).toBe('pmcstat')
  expect(profile.sampleTypes).toEqual([{ type: 'inst_retired.any', unit: 'count' }])
  expect(drawFunctions(profile, 2)).toEqual(['zfs_lz4_compress 7447/7447', 'fletcher_2_native 5156/5156'])
  expect(drawTree(profile).slice(0, 7)).toEqual([
    'fork_exit 7448/0',
    '  taskqueue_thread_loop 7447/0',
    '    taskqueue_run_locked 7447/0',
    '      zio_execute 7447/0',
    '        zio_write_compress 7447/0',
    '          zio_compress_data 7447/0',
    '            zfs_lz4_compress 7447/7447',
  ])
  expect(drawTree(profile)).toContain('arc_cksum_verify 887/0')
})

test.runIf(paths('stackprof').length === 0)('FLAMEGATE_FIXTURES names no texts: none were read', () => {
  expect(paths('stackprof')).toEqual([])
})
