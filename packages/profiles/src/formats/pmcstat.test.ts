import { expect, test } from 'vitest'
import { readProfile } from '../read-profile.ts'
import { drawTree } from '../testing/draw-tree.ts'
import { sample } from '../testing/samples.ts'
import { readText, readTextAs } from '../testing/text-profile.ts'

test('trees upside down become stacks, with what no caller has at the root', () => {
  const profile = readText(`
40.00%  [40]       read @ /boot/kernel/kernel
 75.00%  [30]       parse @ /bin/app
  66.67%  [20]       main
 10.00%  [4]       load
`)
  expect(profile.format).toBe('pmcstat')
  expect(profile.sampleTypes).toEqual([{ type: 'samples', unit: 'count' }])
  expect(drawTree(profile)).toEqual([
    'main 20/0',
    '  parse 20/0',
    '    read 20/20',
    'parse 10/0',
    '  read 10/10',
    'load 4/0',
    '  read 4/4',
    'read 6/6',
  ])
  expect(profile.functions.names.map((name, index) => `${name} ${profile.functions.files[index]}`)).toEqual([
    'read /boot/kernel/kernel',
    'parse /bin/app',
    'main /bin/app',
    'load /bin/app',
  ])
  expect(profile.sampleCount).toBe(40)
})

test('events are sample types, and what pmcstat left out is said', () => {
  const profile = readProfile(sample('pmcstat/two-events.txt'))
  expect(profile.sampleTypes).toEqual([
    { type: 'cpu_clk_unhalted.thread', unit: 'count' },
    { type: 'mem_load_retired.l3_miss', unit: 'count' },
  ])
  expect(drawTree(profile)).toEqual([
    'main 570/0',
    '  hash_file 450/0',
    '    sha256_block 450/450',
    '  verify 120/0',
    '    sha256_block 120/120',
    'sha256_block 30/30',
    'amd64_syscall 300/0',
    '  vn_write 200/0',
    '    uiomove 200/0',
    '      copyin 200/200',
    '  vn_read 100/0',
    '    uiomove 100/0',
    '      copyin 100/100',
    'vn_read 0/0',
    '  uiomove 0/0',
    '    copyin 0/0',
  ])
  expect(drawTree(profile, 1).slice(-3)).toEqual(['vn_read 40/0', '  uiomove 40/0', '    copyin 40/40'])
  expect(profile.warnings).toEqual([
    'Of 1000 samples of cpu_clk_unhalted.thread, pmcstat left out 100 in functions with few.',
  ])
})

test('numbers that do not add up, and other lines, are said', () => {
  const profile = readText(
    '@ cycles [10 samples]\n\n100.0%  [10]   read @ a\n 100.0%  [12]   main\nsomething\n',
  )
  expect(drawTree(profile)).toEqual(['main 12/0', '  read 12/12'])
  expect(profile.warnings).toEqual([
    'Callers have 2 samples more than what they called.',
    '1 lines were not understood, the first one is "something".',
  ])
})

test('a file without samples is refused', () => {
  expect(() => readText('@ cycles [10 samples]\n')).toThrow(/no samples/)
  expect(() => readTextAs('pmcstat', 'main 12\n')).toThrow(/pmcstat/)
})
