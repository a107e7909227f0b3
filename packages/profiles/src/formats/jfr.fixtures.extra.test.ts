import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { selfValuesOf, type ImportedProfile } from '../profile.ts'
import { topFunctions } from '../questions/top-functions.ts'
import { readProfile } from '../read-profile.ts'
import { fixture, fixturePaths } from '../testing/fixtures.ts'

const paths = fixturePaths('jfr')
const recordings = paths.filter((path) => path.endsWith('.jfr.gz'))
const read = (path: string) => readProfile(fixture(path))
const typeIndex = (profile: ImportedProfile, type: string) =>
  profile.sampleTypes.findIndex((sampleType) => sampleType.type === type)

/**
 * Counts, nanoseconds and bytes as `jfr print --json --stack-depth 1 --events …` of JDK 17 prints them, added up. That fails
 * on FastSlow, whose empty pools it does not expect; `cpu` and `wall` are the samples times the period of the settings.
 */
const expectedTotals: Record<string, Record<string, number>> = {
  FastSlow_2024_01_16_180855: {
    samples: 1012,
    cpu: 10_120_000_000,
    wall_samples: 10_554,
    wall: 105_540_000_000,
    alloc_objects: 6,
    alloc_space: 4_689_568,
  },
  'cortex-dev-01__kafka-0__cpu__0': { samples: 478, cpu: 4_780_000_000 },
  'cortex-dev-01__kafka-0__cpu_lock_alloc__0': {
    samples: 554,
    cpu: 5_540_000_000,
    alloc_objects: 766,
    alloc_space: 1_606_418_432,
  },
  example: {
    samples: 1031,
    cpu: 10_310_000_000,
    alloc_objects: 290,
    alloc_space: 139_883_154_160,
    lock_count: 13,
    lock_delay: 8_005_192_305,
  },
  'jmc-allocation_10s_before': {
    samples: 756,
    cpu: 7_560_000_000,
    alloc_objects: 3321,
    alloc_space: 2_317_352_960,
    wait_count: 11,
    wait_delay: 20_008_085_991,
    gc_count: 8,
    gc_pause: 82_790_058,
  },
  'jmc-allocation_10s_fixed': {
    samples: 738,
    cpu: 7_380_000_000,
    alloc_objects: 5,
    alloc_space: 3_147_776,
    wait_count: 10,
    wait_delay: 18_736_684_061,
  },
  'jmc-jdk21': {
    samples: 11,
    cpu: 220_000_000,
    native_samples: 2903,
    alloc_objects: 335,
    alloc_space: 100_317_064,
    lock_count: 1,
    lock_delay: 65_068_928,
    wait_count: 2,
    wait_delay: 70_021_325_321,
    park_count: 62,
    park_delay: 189_200_166_285,
    sleep_count: 70,
    sleep_delay: 114_011_140_343,
    gc_count: 2,
    gc_pause: 165_059_655,
  },
  nativemem: { malloc_objects: 57, malloc_space: 34_861 },
  'object-allocation-sample': {
    samples: 1243,
    cpu: 11_187_000_000,
    alloc_objects: 10_694,
    alloc_space: 32_922_398_872,
    wait_count: 129,
    wait_delay: 345_350_551_809,
    park_count: 799,
    park_delay: 362_425_381_359,
    gc_count: 114,
    gc_pause: 97_516_222,
  },
  'speedscope-heavy': {
    samples: 346,
    cpu: 6_920_000_000,
    native_samples: 44,
    alloc_objects: 25,
    alloc_space: 878_277_960,
    gc_count: 12,
    gc_pause: 31_187_274,
  },
  wall: { samples: 834, cpu: 8_340_000_000, wall_samples: 26_246, wall: 262_460_000_000 },
}

test.runIf(paths.length > 0).each(recordings)('%s has the totals that jfr print prints', (path) => {
  const profile = read(path)
  const totals = profile.sampleTypes.map(({ type }, index) => [
    type,
    selfValuesOf(profile, index).reduce((sum, value) => sum + value, 0),
  ])
  expect(Object.fromEntries(totals)).toEqual(expectedTotals[/([^/]+)\.jfr\.gz$/.exec(path)![1]!])
})

/** From the first frames of the same JSON. */
const expectedTop: [name: string, type: string, rows: string[]][] = [
  [
    'jmc-allocation_10s_before',
    'samples',
    [
      'java.util.HashMap$HashIterator.nextNode 426',
      'Allocator.go 180',
      'java.util.HashMap.getNode 62',
      'java.lang.Integer.valueOf 38',
    ],
  ],
  ['jmc-allocation_10s_before', 'alloc_space', ['java.lang.Integer.valueOf 2314940088']],
  [
    'jmc-allocation_10s_fixed',
    'samples',
    [
      'java.util.HashMap$HashIterator.nextNode 382',
      'Allocator.go 154',
      'java.util.HashMap.getNode 116',
      'java.lang.Integer.equals 55',
    ],
  ],
  [
    'speedscope-heavy',
    'samples',
    [
      'java.util.DualPivotQuicksort.sort 211',
      'java.util.DualPivotQuicksort.mixedInsertionSort 87',
      'java.util.concurrent.atomic.AtomicLong.compareAndSet 25',
      'java.util.stream.SpinedBuffer$OfPrimitive.preAccept 10',
    ],
  ],
  [
    'jmc-jdk21',
    'native_samples',
    [
      'org.eclipse.swt.internal.gtk.OS.Call 2338',
      'org.eclipse.swt.internal.gtk3.GTK3.gtk_main_iteration_do 188',
      'org.eclipse.swt.internal.gtk3.GTK3.gtk_main_do_event 175',
      'org.eclipse.swt.internal.gtk.OS.g_main_context_check 56',
    ],
  ],
  [
    'object-allocation-sample',
    'alloc_space',
    [
      'java.util.regex.Matcher.<init> 19533673856',
      'java.lang.AbstractStringBuilder.<init> 1754201968',
      'java.util.regex.Pattern.matcher 1490399040',
      'java.util.Formatter.parse 1447631200',
    ],
  ],
  [
    'cortex-dev-01__kafka-0__cpu_lock_alloc__0',
    'alloc_space',
    [
      'org.xerial.snappy.SnappyInputStream.hasNextChunk 312475648',
      'java.lang.invoke.DirectMethodHandle.allocateInstance 157286400',
      'java.nio.HeapByteBuffer.<init> 125829120',
      'java.util.Arrays.copyOf 109051904',
    ],
  ],
  ['nativemem', 'malloc_space', ['malloc_hook 33949', 'realloc_hook 608', 'calloc_hook 304']],
]

test.runIf(paths.length > 0).each(expectedTop)(
  'the top methods of %s by %s are those of jfr print',
  (name, type, rows) => {
    const profile = read(`jfr/${name}.jfr.gz`)
    const top = topFunctions(profile, {
      by: 'self',
      limit: rows.length,
      sampleTypeIndex: typeIndex(profile, type),
    })
    expect(top.map(({ functionName, selfValue }) => `${functionName} ${selfValue}`)).toEqual(rows)
  },
)

/** `java/lang/String.format:4140;… [30000000]`: 10 ms for each sample. Made by the tests of grafana/jfr-parser. */
const expectedStacks = paths.filter((path) =>
  path.endsWith('_process_cpu_cpu__nanoseconds_expected_collapsed.txt.gz'),
)

test.runIf(paths.length > 0).each(expectedStacks)(
  '%s has the stacks and lines that jfr-parser finds',
  (path) => {
    const profile = read(path.replace(/_\d+_process_cpu.*/, '.jfr.gz'))
    const stacks = new Map<string, number>()
    const lines = new Map<string, number>()
    for (const row of new TextDecoder().decode(gunzipSync(fixture(path))).split('\n')) {
      const [, text = '', value] = /^(.*) \[(\d+)\]$/.exec(row) ?? []
      const frames = text.split(';').map((frame) => withoutNumbers(frame))
      const names = frames.map((frame) => frame.replace(/:-?\d+$/, '')).join(';')
      const samples = Number(value) / 10_000_000
      stacks.set(names, (stacks.get(names) ?? 0) + samples)
      const leaf = frames.at(-1)!
      // A line that is not known is 0, or -1 as an unsigned number.
      if (!/:(0|4294967295)$/.test(leaf)) lines.set(leaf, (lines.get(leaf) ?? 0) + samples)
    }
    expect(stacks.size).toBeGreaterThan(0)
    expect(stacksOf(profile)).toEqual(stacks)
    expect(linesOf(profile)).toEqual(lines)
  },
)

/** Classes with dots, as we write them, and without numbers: jfr-parser marks where some were, and leaves others. */
function withoutNumbers(frame: string): string {
  return frame
    .replaceAll('/', '.')
    .replace(/[+.]0x[0-9a-f]+(\.\d+)?(?=\.\w+:)/, '')
    .replace(/(Lambda|Accessor)(_|\$\d+)(?=\.)/, '$1')
}

/** A function as jfr-parser names it: with its class, or its library. */
function nameOf(profile: ImportedProfile, node: number): string {
  const index = profile.nodes.functionIndexes[node]!
  const name = profile.functions.names[index]!
  const file = profile.functions.files[index]!
  const library = file === '[vdso]' ? 'vdso' : file
  return (file.endsWith('.java') ? name : `${library}.${name}`).replaceAll('/', '.')
}

function stacksOf(profile: ImportedProfile): Map<string, number> {
  const samples = selfValuesOf(profile, typeIndex(profile, 'samples'))
  const stacks = new Map<string, number>()
  const names = ['']
  for (let node = 1; node < samples.length; node++) {
    const parent = profile.nodes.parents[node]!
    names[node] = parent === 0 ? nameOf(profile, node) : `${names[parent]};${nameOf(profile, node)}`
    if (samples[node]! > 0) stacks.set(names[node]!, (stacks.get(names[node]!) ?? 0) + samples[node]!)
  }
  return stacks
}

/** What functions have themselves, by their lines. */
function linesOf(profile: ImportedProfile): Map<string, number> {
  const { nodes, lines, selfValues } = profile.detail!.lines!
  const samples = selfValues[typeIndex(profile, 'samples')]!
  const byLine = new Map<string, number>()
  for (let row = 0; row < nodes.length; row++) {
    if (samples[row] === 0) continue
    const line = `${nameOf(profile, nodes[row]!)}:${lines[row]}`
    byLine.set(line, (byLine.get(line) ?? 0) + samples[row]!)
  }
  return byLine
}
