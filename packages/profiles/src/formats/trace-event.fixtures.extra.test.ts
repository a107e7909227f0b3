import { expect, test } from 'vitest'
import type { Profile } from '../profile.ts'
import { readProfile } from '../read-profile.ts'
import { drawTree } from '../testing/draw-tree.ts'
import { fixture, fixturePaths } from '../testing/fixtures.ts'
import { functionRows } from '../testing/function-rows.ts'

/**
 * Trees in microseconds, as speedscope's importer draws them (its snapshots in `src/import/__snapshots__/trace-event.test.ts.snap`
 * of jlfwong/speedscope at 3613918d): stacks with weights, put together to a tree; without the arguments that it adds to names,
 * and without what lasted no time.
 */
const trees: Readonly<Record<string, string[]>> = {
  'event-reordering-name-match.json': ['alpha 10/9', '  beta 1/0', '    gamma 1/1'],
  'invalid-x-nesting.json': ['alpha 15/5', '  beta 10/10'],
  'multi-thread-with-samples.json': [
    '[root] 34096/20770',
    '  function1 13326/13326',
    '[root thread 2] 54096/30770',
    '  function3 13326/13326',
    '  function4 10000/10000',
  ],
  'multiprocess.json': [
    'alpha 1/1',
    'beta 1/1',
    'gamma 1/1',
    'delta 1/1',
    'epsilon 1/1',
    'phi 1/1',
    'zeta 1/1',
    'eta 1/1',
  ],
  'out-of-order.json': ['A 10/2', '  B 8/2', '    C 6/6'],
  'simple-hermes.json': ['[root] 14/2', '  beta 12/12'],
  'simple-object.json': ['alpha 14/2', '  beta 12/8', '    (unnamed) 4/4'],
  'simple-partial.json': ['alpha 14/2', '  beta 12/3', '    gamma 5/5', '    epsilon 4/4'],
  'simple.json': ['alpha 14/2', '  beta 12/3', '    gamma 5/5', '    epsilon 4/4'],
  'too-many-end-events.json': ['alpha 14/2', '  beta 12/12'],
  'x-events-matching-start.json': [
    'alpha 20/12',
    '  beta 4/2',
    '    gamma 2/2',
    '  gamma 4/2',
    '    beta 2/2',
  ],
  'zero-duration-events.json': ['A 10/10'],
}
const tracePaths = fixturePaths('trace-event')

test.runIf(tracePaths.length > 0)('every trace is compared', () => {
  expect(tracePaths).toEqual(Object.keys(trees).map((name) => `trace-event/${name}`))
})

test.runIf(tracePaths.length > 0).each(tracePaths)("%s has the tree of speedscope's importer", (path) => {
  const profile = readProfile(fixture(path))
  expect(profile.format).toBe('trace_event')
  const inMicroseconds: Profile = {
    ...profile,
    selfValues: profile.selfValues.map((values) => values.map((value) => value / 1000)),
  }
  const drawn = drawTree(inMicroseconds).filter((line) => !line.endsWith(' 0/0'))
  expect(drawn).toEqual(trees[path.replace('trace-event/', '')])
})

/** `python3 samples/count-by-function.py cpu|slices FILE`, the first rows; the former are also those of speedscope's importer. */
const tables: readonly [path: string, type: string, rows: string[]][] = [
  [
    'chrome-trace/Trace-20230603T221323.json.gz',
    'wall',
    [
      '230392 230392 (idle)',
      '9531 9531 (program)',
      '8593 8593 gamma',
      '8169 12087 delta',
      '8028 12703 beta',
      '426 25216 alpha',
      '0 25216 (anonymous)',
    ],
  ],
  [
    'chrome-trace/Trace-20230603T221323.json.gz',
    'slices',
    [
      '58450 150562 RunTask',
      '48983 48983 GPUTask',
      '24801 25350 V8.Execute',
      '6559 6634 CpuProfiler::StartProfiling',
      '2598 3429 UpdateLayer',
      '2588 2588 V8.OptimizeBackground',
    ],
  ],
  [
    'chrome-trace/simple-timeline.json.gz',
    'wall',
    ['509558 509558 (idle)', '16911 16911 b', '16275 16275 c', '2939 2939 (program)', '0 33186 a'],
  ],
  [
    'chrome-trace/simple-timeline.json.gz',
    'slices',
    [
      '167086 167086 RasterTask',
      '37711 38376 FunctionCall',
      '31910 124266 ThreadControllerImpl::DoWork',
      '24862 163212 MessageLoop::RunTask',
      '21587 21587 CompositeLayers',
      '17865 17865 GPUTask',
    ],
  ],
]
const chromePaths = fixturePaths('chrome-trace')

test.runIf(chromePaths.length > 0)('every recording of Chrome is compared', () => {
  expect(chromePaths).toEqual([...new Set(tables.map(([path]) => path))])
})

test.runIf(chromePaths.length > 0).each(tables)(
  '%s has the %s of an independent count',
  (path, type, rows) => {
    const profile = readProfile(fixture(path))
    expect(profile.format).toBe('trace_event')
    expect(functionRows(profile, { type, per: 1000, limit: rows.length })).toEqual(rows)
  },
)
