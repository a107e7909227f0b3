import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { BenchmarkResult, BenchmarkStats, Environment } from './benchmark-result.ts'
import { compareBenchmarks } from './compare-benchmarks.ts'
import type { BenchmarkComparison, BenchmarkRun, CompareOptions } from './compare-benchmarks.ts'
import { wallTime } from './measure.ts'
import type { Measure } from './measure.ts'
import { benchmarkKey } from './pair-results.ts'
import { resultFromRounds } from './result-from-rounds.ts'
import { noisyRounds, normalNumber, randomNumbers } from './testing/random.ts'

const instructions = {
  instrument: 'simulation',
  metric: 'instructions',
  unit: 'instructions',
  betterWhen: 'lower',
} as const satisfies Measure
const allocations = {
  instrument: 'memory',
  metric: 'allocations',
  unit: 'allocations',
  betterWhen: 'lower',
} as const satisfies Measure
const requests = {
  instrument: 'custom',
  metric: 'requests',
  unit: '1/s',
  betterWhen: 'higher',
} as const satisfies Measure

function run(results: BenchmarkResult[], environment: Environment = {}): BenchmarkRun {
  return { environment, results }
}

function measured(uri: string, roundValues: number[], measure: Measure = wallTime): BenchmarkResult {
  return resultFromRounds({ uri, name: uri, roundValues, metrics: [], measure })
}

/** A result of which the file tells a value, and perhaps something of its spread. */
function told(value: number, stats: BenchmarkStats = {}, measure: Measure = wallTime): BenchmarkResult {
  const statistic = stats.mean === undefined ? 'single' : 'mean'
  return { uri: 'a', name: 'a', ...measure, value, statistic, stats, metrics: [] }
}

function summarised(mean: number, stdev: number, rounds: number): BenchmarkResult {
  return told(mean, { mean, stdev, rounds })
}

/** A mean with a deviation of nobody knows how many rounds. */
function deviating(mean: number, stdev: number): BenchmarkResult {
  return told(mean, { mean, stdev })
}

function quartered(median: number): BenchmarkResult {
  return told(median, { q1: median - 4, median, q3: median + 4, rounds: 25 })
}

function bounded(value: number, reach: number): BenchmarkResult {
  return told(value, { low: value - reach, high: value + reach })
}

function judge(
  base: BenchmarkResult,
  head: BenchmarkResult,
  options: CompareOptions = {},
): BenchmarkComparison {
  const [only] = compareBenchmarks(run([base]), run([head]), options).benchmarks
  if (!only) throw new Error('There should be one benchmark')
  return only
}

/** The history of benchmark `a` has this noise between runs. */
function history(relativeStdev: number, runs: number, measure: Measure = wallTime): CompareOptions {
  return { noise: new Map([[benchmarkKey({ uri: 'a', ...measure }), { relativeStdev, runs }]]) }
}

const steady = [100, 101, 99, 100, 102, 98]

function suiteOf(count: number, factor: number): BenchmarkRun {
  const rounds = steady.map((round) => round * factor)
  return run(Array.from({ length: count }, (_, index) => measured(`b${index}`, rounds)))
}

function simulatedAndTimed(factor: number): BenchmarkResult[] {
  return [told(1000 * factor, {}, instructions), summarised(100 * factor, 1, 30)]
}

function comparePairs(sides: [number[], number[]][], options: CompareOptions = {}): BenchmarkComparison[] {
  const [base, head] = [0, 1].map((side) =>
    run(sides.map((pair, index) => measured(`b${index}`, pair[side] ?? []))),
  )
  return base && head ? compareBenchmarks(base, head, options).benchmarks : []
}

function verdictsOf(sides: [number[], number[]][]): string[] {
  return comparePairs(sides).map(({ verdict }) => verdict)
}

describe('verdicts', () => {
  const slower = steady.map((round) => round * 1.4)
  const wild = [60, 210, 90, 320, 75, 130]

  test('a large change that all rounds show', () => {
    expect(judge(measured('a', steady), measured('a', slower))).toMatchObject({
      verdict: 'regressed',
      baseValue: 100,
      headValue: 140,
      statistic: 'median',
      changePercent: expect.closeTo(40, 9),
    })
    expect(judge(measured('a', slower), measured('a', steady)).verdict).toBe('improved')
  })

  test('the reason says how sure it is and why', () => {
    expect(judge(measured('a', steady), measured('a', slower)).reason).toMatch(
      /^The median is slower by \+40\.0 % \(\+3\d\.\d % to \+4\d\.\d % with 95 % confidence, by the medians of 6 and 6 rounds and an assumed 2 % between runs; p < 0\.001\)\.$/,
    )
  })

  test('a small change is none, however sure', () => {
    const slightly = steady.map((round) => round + 4)
    const calm = history(0.003, 40)
    expect(judge(measured('a', steady), measured('a', slightly), calm).verdict).toBe('unchanged')
    expect(
      judge(measured('a', steady), measured('a', slightly), { ...calm, thresholdPercent: 2 }).verdict,
    ).toBe('regressed')
  })

  test("a benchmark's own threshold goes before that of all", () => {
    const key = benchmarkKey({ uri: 'a', ...wallTime })
    const [base, head] = [measured('a', steady), measured('a', slower)]
    expect(judge(base, head, { thresholdPercents: new Map([[key, 50]]) })).toMatchObject({
      verdict: 'unchanged',
      reason: expect.stringContaining('no change against the threshold of 50 %'),
    })
    expect(judge(base, head, { thresholdPercents: new Map([['another', 50]]) }).verdict).toBe('regressed')
  })

  test('under half a percent is none, whatever the threshold', () => {
    const options = { ...history(0, 100), thresholdPercent: 0.1 }
    expect(judge(summarised(1000, 0, 9), summarised(1004, 0, 9), options).verdict).toBe('unchanged')
    expect(judge(summarised(1000, 0, 9), summarised(1006, 0, 9), options).verdict).toBe('regressed')
  })

  test('a change within the noise of the rounds is noisy, not a regression', () => {
    expect(judge(measured('a', steady), measured('a', wild))).toMatchObject({ verdict: 'noisy' })
    expect(judge(measured('a', steady), measured('a', wild)).noisePercent).toBeGreaterThan(40)
  })

  test('no change to be seen, but rounds so wild that one of the threshold could hide: noisy', () => {
    expect(judge(measured('a', wild), measured('a', wild)).verdict).toBe('noisy')
  })

  test('an assumed noise alone makes nothing noisy that does not look changed', () => {
    expect(judge(told(100), told(101)).verdict).toBe('unchanged')
    expect(judge(told(100), told(101), history(0.06, 30)).verdict).toBe('noisy')
  })

  test('new and missing benchmarks', () => {
    const { benchmarks, counts } = compareBenchmarks(
      run([measured('gone', [1, 2]), measured('kept', steady)]),
      run([measured('kept', steady), measured('added', [3, 4])]),
    )
    expect(benchmarks.map(({ uri, verdict }) => `${uri} ${verdict}`)).toEqual([
      'kept unchanged',
      'added new',
      'gone missing',
    ])
    expect(counts).toMatchObject({ unchanged: 1, new: 1, missing: 1 })
  })

  test('ignored benchmarks are judged and listed last, but not counted', () => {
    const [base, head] = [steady, slower].map((rounds) => run(['a', 'b'].map((uri) => measured(uri, rounds))))
    if (!base || !head) throw new Error('There should be two runs')
    const { benchmarks, counts, ignoredCount, geometricMeanChangePercent } = compareBenchmarks(base, head, {
      ignored: new Set(['walltime time a']),
    })
    expect(benchmarks.map(({ uri, verdict, isIgnored }) => [uri, verdict, isIgnored])).toEqual([
      ['b', 'regressed', false],
      ['a', 'regressed', true],
    ])
    expect(counts.regressed).toBe(1)
    expect(ignoredCount).toBe(1)
    expect(geometricMeanChangePercent).toBeCloseTo(40, 9)
  })

  test('one is ignored, and what another instrument measures under its uri still counts', () => {
    const [base, head] = [steady, slower].map((rounds) => {
      const timed = measured('a', rounds)
      return run([timed, { ...timed, instrument: 'memory' as const, metric: 'peak_memory' }])
    })
    if (!base || !head) throw new Error('There should be two runs')
    const { benchmarks } = compareBenchmarks(base, head, { ignored: new Set(['walltime time a']) })
    expect(benchmarks.map(({ instrument, isIgnored }) => [instrument, isIgnored])).toEqual([
      ['memory', false],
      ['walltime', true],
    ])
  })
})

describe('what a file tells of the spread', () => {
  test('three rounds are too few for ranks; their mean and deviation can tell', () => {
    const judgement = judge(measured('a', [100, 101, 99]), measured('a', [150, 151, 149]))
    expect(judgement).toMatchObject({ verdict: 'regressed', statistic: 'mean' })
    expect(judgement.reason).toContain("Welch's t over 3 and 3 rounds")
  })

  test('mean, deviation and rounds', () => {
    expect(judge(summarised(100, 5, 30), summarised(130, 5, 30)).verdict).toBe('regressed')
    expect(judge(summarised(100, 90, 5), summarised(130, 90, 5)).verdict).toBe('noisy')
  })

  test('quartiles and rounds: the notches of a box plot', () => {
    const judgement = judge(quartered(100), quartered(125))
    expect(judgement).toMatchObject({ verdict: 'regressed', statistic: 'median' })
    expect(judgement.reason).toContain('the quartiles of 25 and 25 rounds')
    // ln(104 ÷ 96) · 1.25 ÷ (1.35 · 5) = 1.482 %, ln(129 ÷ 121) …  = 1.185 %, and twice 2 % between runs: 3.403 %.
    // Satterthwaite: 3.403⁴ ÷ (1.482⁴ ÷ 24 + 1.185⁴ ÷ 24 + (2 · 4)² ÷ 10) = 20.2, so t(20) = 2.0860.
    expect(judgement.confidenceInterval?.lowPercent).toBeCloseTo(100 * (1.25 * Math.exp(-0.07099) - 1), 1)
    expect(judgement.confidenceInterval?.highPercent).toBeCloseTo(100 * (1.25 * Math.exp(0.07099) - 1), 1)
  })

  test("the tool's own bounds", () => {
    expect(judge(bounded(100, 2), bounded(120, 2)).reason).toContain("the tool's own bounds")
    expect(judge(bounded(100, 2), bounded(120, 2)).verdict).toBe('regressed')
    expect(judge(bounded(100, 20), bounded(120, 20)).verdict).toBe('noisy')
  })

  test('a deviation without a number of rounds is not tested, but counts as noise', () => {
    const judgement = judge(deviating(100, 2), deviating(140, 3))
    expect(judgement).toMatchObject({ verdict: 'regressed', noisePercent: expect.closeTo(2.14, 2) })
    expect(judgement.pValue).toBeUndefined()
    expect(judgement.reason).toContain('so not tested')
    expect(judge(deviating(100, 10), deviating(115, 10)).verdict).toBe('noisy')
    expect(judge(deviating(100, 10), deviating(115, 10), history(0.01, 40)).verdict).toBe('regressed')
  })

  test('one value a side: its noise is assumed, and it says so', () => {
    const judgement = judge(told(100), told(106))
    expect(judgement).toMatchObject({ verdict: 'noisy' })
    expect(judgement.noisePercent).toBeUndefined()
    expect(judgement.reason).toContain(
      'but two runs of the same code are taken to differ as much (−3.0 % to +15.9 % with 95 % confidence, by single values without a spread and an assumed 2.8 % between runs; p = 0.176). Known issues: few rounds in both.',
    )
    expect(judge(told(100), told(112)).verdict).toBe('regressed')
  })

  test('one slow round of six does not hide a change that all others show', () => {
    const base = [10, 10.1, 10.2, 9.9, 10, 31]
    expect(judge(measured('a', base), measured('a', [15, 15.1, 14.9, 15.2, 15, 14.8])).verdict).toBe(
      'regressed',
    )
  })
})

describe('noise between runs', () => {
  test('a benchmark that moves by 6 % from run to run is not believed when it moves by 10 %', () => {
    const [base, head] = [
      measured('a', steady),
      measured(
        'a',
        steady.map((round) => round * 1.1),
      ),
    ]
    expect(judge(base, head).verdict).toBe('regressed')
    expect(judge(base, head, history(0.06, 30))).toMatchObject({
      verdict: 'noisy',
      reason: expect.stringMatching(/it varies too much to tell .* 6 % between 30 earlier runs/),
    })
  })

  test('a benchmark that is calm from run to run is believed sooner', () => {
    const [base, head] = [
      measured('a', steady),
      measured(
        'a',
        steady.map((round) => round * 1.055),
      ),
    ]
    expect(judge(base, head).verdict).toBe('noisy')
    expect(judge(base, head, history(0.003, 60)).verdict).toBe('regressed')
  })

  test('a history of two runs cannot pretend that there is no noise', () => {
    const [base, head] = [
      measured('a', steady),
      measured(
        'a',
        steady.map((round) => round * 1.055),
      ),
    ]
    expect(judge(base, head, history(0, 2)).verdict).toBe('noisy')
  })

  test('calm neighbours show that the assumption is too large, wild ones that it is too small', () => {
    const random = randomNumbers(5)
    const suite = (noise: number, change: number): BenchmarkResult[] =>
      Array.from({ length: 40 }, (_, index) => ({
        ...told(100 * Math.exp(noise * normalNumber(random)) * (index === 0 ? change : 1), {}),
        uri: `b${index}`,
      }))
    const first = (noise: number) => compareBenchmarks(run(suite(noise, 1)), run(suite(noise, 1.17)))
    expect(first(0.004).benchmarks[0]).toMatchObject({ verdict: 'regressed' })
    expect(first(0.004).counts).toMatchObject({ regressed: 1, improved: 0 })
    expect(first(0.08).counts).toMatchObject({ regressed: 0, improved: 0 })
  })

  test('a change that all benchmarks share is a change', () => {
    expect(compareBenchmarks(suiteOf(30, 1), suiteOf(30, 1.1)).counts.regressed).toBe(30)
  })
})

describe('many benchmarks at once', () => {
  test('what is significant alone is not among many, and the reason says so', () => {
    const one = { base: told(100), head: told(110) }
    expect(judge(one.base, one.head).verdict).toBe('regressed')
    const random = randomNumbers(3)
    const others = (): BenchmarkResult[] =>
      Array.from({ length: 60 }, (_, index) => ({
        ...told(100 * Math.exp(0.028 * normalNumber(random))),
        uri: `b${index}`,
      }))
    const [first] = compareBenchmarks(run([one.base, ...others()]), run([one.head, ...others()])).benchmarks
    expect(first).toMatchObject({
      verdict: 'noisy',
      reason: expect.stringContaining('among all benchmarks compared at once some differ so by chance (p = '),
    })
    expect(first?.adjustedPValue).toBeGreaterThan(0.05)
    expect(first?.pValue).toBeLessThan(0.05)
  })
})

describe('other instruments', () => {
  test('simulation is deterministic: the threshold alone decides', () => {
    const judgement = judge(told(1_000_000, {}, instructions), told(1_060_000, {}, instructions))
    expect(judgement.verdict).toBe('regressed')
    expect(judgement.pValue).toBeUndefined()
    expect(judgement.reason).toBe(
      'The value of "instructions" is worse, larger by +6.0 % (simulated and so deterministic: not tested).',
    )
    expect(judge(told(1_000_000, {}, instructions), told(1_040_000, {}, instructions)).verdict).toBe(
      'unchanged',
    )
  })

  test('a simulation whose history moves is tested against it', () => {
    const [base, head] = [told(1000, {}, instructions), told(1060, {}, instructions)]
    expect(judge(base, head, history(0.05, 20, instructions)).verdict).toBe('noisy')
    expect(judge(base, head, history(0.001, 20, instructions)).verdict).toBe('regressed')
  })

  test('where higher is better, less is a regression', () => {
    const [many, few] = [told(1000, {}, requests), told(800, {}, requests)]
    expect(judge(many, few)).toMatchObject({ verdict: 'regressed', changePercent: expect.closeTo(-20, 9) })
    expect(judge(many, few).reason).toMatch(/^The value of "requests" is worse, smaller by −20\.0 %/)
    expect(judge(few, many).verdict).toBe('improved')
  })

  test('from zero to something is a change without per cent; zero to zero is none', () => {
    const [none, some] = [told(0, {}, allocations), told(3, {}, allocations)]
    expect(judge(none, none)).toMatchObject({ verdict: 'unchanged', changePercent: 0 })
    expect(judge(none, some)).toMatchObject({
      verdict: 'regressed',
      reason: 'The "allocations" was zero and no longer is, which is worse; there is no per cent of zero.',
    })
    expect(judge(none, some).changePercent).toBeUndefined()
    expect(judge(some, none)).toMatchObject({ verdict: 'improved', changePercent: -100 })
  })

  test('a time of zero is the timer, and nothing can be told', () => {
    expect(judge(told(0), told(5))).toMatchObject({
      verdict: 'noisy',
      reason: expect.stringContaining('the timer is too coarse'),
    })
    expect(judge(measured('a', [0, 0, 0, 0]), measured('a', [0, 1, 2, 3])).verdict).toBe('noisy')
  })

  test('values below zero are not comparable', () => {
    expect(judge(told(-3, {}, requests), told(5, {}, requests)).verdict).toBe('incomparable')
  })

  test('one uri measured by two instruments is two benchmarks', () => {
    const both = run([told(100), told(9000, {}, instructions)])
    const swapped = run([told(9000, {}, instructions), told(100)])
    expect(compareBenchmarks(both, swapped).counts).toMatchObject({ unchanged: 2, incomparable: 0 })
  })

  test('a benchmark that is measured in another way now is not comparable, and the reason says how', () => {
    expect(judge(told(100), told(9000, {}, instructions))).toMatchObject({
      verdict: 'incomparable',
      reason: 'The two runs differ in the instrument: "walltime" and "simulation".',
    })
    expect(judge(told(100), told(100, {}, { ...wallTime, unit: 'ticks' }))).toMatchObject({
      verdict: 'incomparable',
      reason: 'The two runs differ in the unit: "ns" and "ticks".',
    })
  })

  test('instructions of two architectures are not comparable; times are, with a doubt', () => {
    const { benchmarks } = compareBenchmarks(
      run(simulatedAndTimed(1), { arch: 'x64' }),
      run(simulatedAndTimed(2), { arch: 'arm64' }),
    )
    expect(benchmarks.map(({ verdict }) => verdict)).toEqual(['incomparable', 'regressed'])
    expect(benchmarks[1]?.reason).toContain('The environment differs (arch)')
  })
})

test('the geometric mean of a doubling and a halving is no change, and of two better values is better', () => {
  const [fast, slow] = [told(100), told(200)]
  const b = { uri: 'b' }
  expect(
    compareBenchmarks(run([fast, { ...slow, ...b }]), run([slow, { ...fast, ...b }]))
      .geometricMeanChangePercent,
  ).toBeCloseTo(0, 9)
  const [few, many] = [told(100, {}, requests), told(200, {}, requests)]
  expect(compareBenchmarks(run([slow, few]), run([fast, many])).geometricMeanChangePercent).toBeCloseTo(
    -50,
    9,
  )
  expect(compareBenchmarks(run([]), run([])).geometricMeanChangePercent).toBeUndefined()
})

test('the geometric mean of a doubling and a halving is no change, and of two better values is better', () => {
  const [fast, slow] = [told(100), told(200)]
  const b = { uri: 'b' }
  const there = run([fast, { ...slow, ...b }])
  const back = run([slow, { ...fast, ...b }])
  expect(compareBenchmarks(there, back).geometricMeanChangePercent).toBeCloseTo(0, 9)
  const [few, many] = [told(100, {}, requests), told(200, {}, requests)]
  const { geometricMeanChangePercent } = compareBenchmarks(run([slow, few]), run([fast, many]))
  expect(geometricMeanChangePercent).toBeCloseTo(-50, 9)
  expect(compareBenchmarks(run([]), run([])).geometricMeanChangePercent).toBeUndefined()
})

function differences(base: Environment, head: Environment): string[] {
  return compareBenchmarks(run([], base), run([], head)).environmentDifferences.map(
    ({ key, weight }) => `${key} ${weight}`,
  )
}

describe('environment differences', () => {
  test('those that matter come first and lower the claim without hiding it; minor ones do not', () => {
    const sides = [summarised(100, 1, 50), summarised(150, 1, 50)] as const
    const comparison = compareBenchmarks(
      run([sides[0]], { cpu: 'EPYC 7763', runtime: 'node 22', date: 'Monday' }),
      run([sides[1]], { cpu: 'EPYC 9454', runtime: 'node 24', date: 'Tuesday', os: 'linux' }),
    )
    expect(comparison.environmentDifferences).toMatchObject([
      { key: 'cpu', base: 'EPYC 7763', head: 'EPYC 9454', weight: 'matters' },
      { key: 'runtime', base: 'node 22', head: 'node 24', weight: 'matters' },
      { key: 'date', weight: 'minor', reason: 'It says when the run was made.' },
    ])
    expect(comparison.benchmarks[0]).toMatchObject({ verdict: 'regressed' })
    expect(comparison.benchmarks[0]?.reason).toMatch(
      /The environment differs \(cpu, runtime\), which may be the cause\.$/,
    )
  })

  test('a library on one side only is one, when both sides list libraries', () => {
    expect(differences({ 'library:zod': '4' }, { 'library:zod': '4', 'library:pg': '8' })).toEqual([
      'library:pg matters',
    ])
    expect(differences({}, { 'library:pg': '8' })).toEqual([])
  })

  test.each([
    ['host', 'runner-1', 'runner-2'],
    ['load_average', '0.1', '3.2'],
    ['mem_free', '1 GB', '3 GB'],
    ['cpu_mhz', '2450', '2600'],
    ['pid', '17', '18'],
    ['os', 'linux 6.8.0-1015-azure', 'linux 6.8.0-1017-azure'],
    ['library:libc.so.6', '/lib/libc.so.6 6f2c1a9f00aa11bb22', '/lib/libc.so.6 00aa11bb226f2c1a9f'],
    ['memory_gb', '15.6', '15.61'],
    ['working_directory', '/a', '/b'],
  ])('%s: "%s" and "%s" are minor', (key, base, head) => {
    expect(differences({ [key]: base }, { [key]: head })).toEqual([`${key} minor`])
  })

  test.each([
    ['cpu', 'AMD EPYC 7763', 'Intel Xeon 8370C'],
    ['cpu_count', '2', '4'],
    ['os', 'linux 6.8.0-1015-azure', 'linux 6.11.0-1015-azure'],
    ['arch', 'x64', 'arm64'],
    ['runtime', 'node v24.1.0', 'node v24.2.0'],
    ['library:node-path', '1.0.0-rc.1', '1.0.0-rc.2'],
    ['library_build_type', 'debug', 'release'],
    ['memory_gb', '16', '32'],
    ['compiler', 'gcc 12.2.0', 'gcc 13.2.0'],
    ['gomaxprocs', '2', '4'],
    ['our_own_switch', 'on', 'off'],
  ])('%s: "%s" and "%s" matter', (key, base, head) => {
    expect(differences({ [key]: base }, { [key]: head })).toEqual([`${key} matters`])
  })

  test('blanks and the case of letters are no difference', () => {
    expect(differences({ cpu: 'AMD  EPYC ' }, { cpu: 'amd epyc' })).toEqual([])
  })
})

test('known issues of the results are part of the reason of a change', () => {
  const bimodal = Array.from({ length: 24 }, (_, index) => (index % 2 ? 200 : 100) + ((index * 7) % 24))
  const flat = Array.from({ length: 24 }, (_, index) => 300 + (index % 5))
  expect(judge(measured('a', bimodal), measured('a', flat)).reason).toMatch(
    /Known issues: wide spread in base, two humps in base\.$/,
  )
})

describe('over many pairs of runs', () => {
  const pairs = 400

  function shareOf(
    verdict: string,
    {
      seed,
      factor = 1,
      spread,
      count,
      between = 0.02,
    }: {
      seed: number
      factor?: number
      spread: number
      count: number
      between?: number
    },
    options: CompareOptions = {},
  ): number {
    const random = randomNumbers(seed)
    const side = (centerNs: number) =>
      noisyRounds(random, { centerNs: centerNs * Math.exp(between * normalNumber(random)), spread, count })
    const found = Array.from({ length: pairs }, () => {
      const [base, head] = [side(1000), side(1000 * factor)]
      return judge(measured('a', base), measured('a', head), options).verdict === verdict
    })
    return found.filter(Boolean).length / pairs
  }

  test.each([
    { spread: 0.02, count: 6 },
    { spread: 0.05, count: 20 },
    { spread: 0.2, count: 12 },
    { spread: 0.1, count: 100 },
    { spread: 0.01, count: 1000 },
  ])(
    'the same code is called changed less often than promised, although processes differ by 2 % (spread $spread, $count rounds)',
    (noise) => {
      const seen = { ...noise, seed: 7 }
      expect(shareOf('regressed', seen) + shareOf('improved', seen)).toBeLessThan(0.05)
    },
  )

  test('nor where processes differ by 5 %, once the history tells it', () => {
    const seen = { spread: 0.03, count: 30, between: 0.05, seed: 8 }
    const options = history(0.05, 40)
    expect(shareOf('regressed', seen) + shareOf('improved', seen)).toBeGreaterThan(0.2)
    expect(shareOf('regressed', seen, options) + shareOf('improved', seen, options)).toBeLessThan(0.08)
  })

  test('of a thousand benchmarks of the same code hardly one is called changed', () => {
    const random = randomNumbers(9)
    const suite = () =>
      run(
        Array.from({ length: 1000 }, (_, index) =>
          measured(
            `b${index}`,
            noisyRounds(random, {
              centerNs: 1000 * Math.exp(0.03 * normalNumber(random)),
              spread: 0.05,
              count: 10,
            }),
          ),
        ),
      )
    const { counts } = compareBenchmarks(suite(), suite())
    expect(counts.regressed + counts.improved).toBeLessThanOrEqual(1)
  })

  test.each([
    { factor: 1.4, spread: 0.05, count: 6, between: 0.02 },
    { factor: 1.15, spread: 0.05, count: 20, between: 0.02 },
    { factor: 1.15, spread: 0.1, count: 100, between: 0.02 },
    { factor: 1.1, spread: 0.03, count: 20, between: 0.01 },
  ])('a change by $factor is found (spread $spread, $count rounds, $between between runs)', (noise) => {
    expect(shareOf('regressed', { ...noise, seed: 10 })).toBeGreaterThan(0.9)
    expect(shareOf('improved', { ...noise, factor: 1 / noise.factor, seed: 11 })).toBeGreaterThan(0.9)
  })
})

describe('for any two runs', () => {
  const rounds = fc.array(fc.double({ min: 50, max: 150, noNaN: true }), { minLength: 1, maxLength: 12 })
  const suite = fc.array(fc.tuple(rounds, rounds), { minLength: 1, maxLength: 8 })

  test('swapping base and head mirrors the verdicts and turns the intervals over', () => {
    const opposite: Record<string, string> = { regressed: 'improved', improved: 'regressed' }
    fc.assert(
      fc.property(suite, (sides) => {
        const there = comparePairs(sides)
        const back = comparePairs(sides.map(([base, head]) => [head, base]))
        expect(back.map(({ verdict }) => verdict)).toEqual(
          there.map(({ verdict }) => opposite[verdict] ?? verdict),
        )
        for (const [index, { confidenceInterval }] of there.entries()) {
          const high = back[index]?.confidenceInterval?.highPercent ?? 0
          expect((1 + (confidenceInterval?.lowPercent ?? 0) / 100) * (1 + high / 100)).toBeCloseTo(1, 6)
        }
      }),
    )
  })

  test('another unit changes nothing', () => {
    fc.assert(
      fc.property(suite, fc.constantFrom(1e-3, 1024, 1e9), (sides, factor) => {
        const scaled = sides.map((pair) => pair.map((side) => side.map((round) => round * factor)))
        expect(verdictsOf(scaled.map(([base = [], head = []]) => [base, head]))).toEqual(verdictsOf(sides))
      }),
    )
  })

  test('a claim is significant among all, and its interval excludes no change', () => {
    fc.assert(
      fc.property(suite, (sides) => {
        const claims = comparePairs(sides).filter(({ verdict }) => verdict === 'regressed')
        for (const { adjustedPValue, pValue, confidenceInterval } of claims) {
          expect(adjustedPValue).toBeLessThan(0.05)
          expect(adjustedPValue).toBeGreaterThanOrEqual(pValue ?? 1)
          expect(confidenceInterval?.lowPercent).toBeGreaterThan(0)
        }
      }),
    )
  })
})
