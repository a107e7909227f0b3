import { expect, test } from 'vitest'
import { detectProfileFormat } from '../index.ts'
import { readProfile } from '../read-profile.ts'
import { drawCalledFunctions } from '../testing/draw-functions.ts'
import { drawTree } from '../testing/draw-tree.ts'
import { sample } from '../testing/samples.ts'
import { readText, readTextAs } from '../testing/text-profile.ts'

const table = `
What the program printed: 12
         26 function calls (6 primitive calls) in 0.100 seconds

   Ordered by: cumulative time

   ncalls  tottime  percall  cumtime  percall filename:lineno(function)
        1    0.010    0.010    0.100    0.100 /src/a (copy)/app.py:1(<module>)
     21/1    0.050    0.050    0.060    0.060 app.py:4(fib)
        4    0.040    0.010    0.040    0.010 {built-in method builtins.len}

`
const callers = `
   Ordered by: cumulative time

Function                              was called by...
                                          ncalls  tottime  cumtime
/src/a (copy)/app.py:1(<module>)      <- 
app.py:4(fib)                         <-    20/1    0.045    0.055  app.py:4(fib)
                                               1    0.005    0.060  /src/a (copy)/app.py:1(<module>)
{built-in method builtins.len}        <-       1    0.030    0.030  /src/a (copy)/app.py:1(<module>)
                                               3    0.010    0.010  app.py:4(fib)
`

test('the table alone makes every function a root, with both of its times', () => {
  const profile = readText(table)
  expect(profile.format).toBe('cprofile_text')
  expect(profile.sampleTypes).toEqual([
    { type: 'time', unit: 'nanoseconds' },
    { type: 'cumulative_time', unit: 'nanoseconds' },
  ])
  expect(drawTree(profile)).toEqual([
    '<module> 10000000/10000000',
    'fib 50000000/50000000',
    '{built-in method builtins.len} 40000000/40000000',
  ])
  expect(drawTree(profile, 1)).toEqual([
    '<module> 100000000/100000000',
    'fib 60000000/60000000',
    '{built-in method builtins.len} 40000000/40000000',
  ])
  expect(Array.from(profile.nodes.calls!)).toEqual([0, 1, 21, 4])
  expect(profile.sampleCount).toBe(26)
  expect(profile.functions.files).toEqual(['/src/a (copy)/app.py', 'app.py', ''])
  expect(profile.warnings).toEqual([expect.stringContaining('no tree')])
})

test('with callers, there is a tree', () => {
  const profile = readText(table + callers)
  expect(profile.sampleTypes).toEqual([{ type: 'time', unit: 'nanoseconds' }])
  expect(drawTree(profile)).toEqual([
    '<module> 100000000/10000000',
    '  fib 60000000/50000000',
    '    {built-in method builtins.len} 10000000/10000000',
    '  {built-in method builtins.len} 30000000/30000000',
  ])
  expect(Array.from(profile.nodes.calls!)).toEqual([0, 1, 21, 3, 1])
  expect(profile.warnings).toEqual([])
})

test('what is not listed, or not understood, is said', () => {
  const shorter = table
    .replace(/\n.*builtins.len}/, '\n   List of something else')
    .replace(
      'Ordered by: cumulative time',
      'Ordered by: cumulative time\n   List reduced from 3 to 2 due to restriction <2>',
    )
  expect(readText(shorter).warnings.slice(1)).toEqual([
    'Functions that are not listed, and rounding, have 0.040 of 0.100 s.',
    '1 lines were not understood, the first one is "   List of something else".',
  ])
})

test('text without such a table is not taken for it', () => {
  expect(detectProfileFormat(new TextEncoder().encode(table.replace('ncalls', 'calls')))).not.toBe(
    'cprofile_text',
  )
  expect(() => readTextAs('cprofile_text', '26 function calls in 0.100 seconds\n')).toThrow(/no table/)
})

const inMilliseconds = (row: string) =>
  row.replaceAll(/\d{7,}/g, (value) => `${Math.round(Number(value) / 1e6)} ms`)

// As printed; the same run as in samples/pstats/python-3.13.pstats.
test('a table of a run has the rows that were printed', () => {
  const profile = readProfile(sample('cprofile_text/with-callers.txt'))
  expect(drawCalledFunctions(profile, 4).map(inMilliseconds)).toEqual([
    'deepcopy 16383 13 ms/33 ms',
    'fib 57313 11 ms/11 ms',
    'encode 2 5 ms/7 ms',
    '_deepcopy_dict 4096 4 ms/14 ms',
  ])
  expect(profile.sampleCount).toBe(207_987)
})
