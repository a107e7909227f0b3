import type { BenchmarkResult, Environment } from './benchmark-result.ts'
import { compareEnvironments } from './compare-environments.ts'
import { formatNoise } from './format-percent.ts'
import { formatQuantity } from './format-quantity.ts'
import { PROCESSES_MIN } from './measured-spread.ts'
import { describeDrift } from './round-drift.ts'
import { twoHumps } from './round-humps.ts'
import { quantile, sortedCopy } from './statistics/describe-rounds.ts'

/** Something that makes one result less sure. */
export interface KnownIssue {
  code: KnownIssueCode
  /** Two or three words for lists, e.g. `few rounds`. */
  title: string
  /** What was seen, and what to do about it. */
  explanation: string
}

export type KnownIssueCode =
  | 'few_processes'
  | 'few_rounds'
  | 'no_spread'
  | 'wide_spread'
  | 'two_humps'
  | 'outliers'
  | 'warm_up_missing'
  | 'slowing_down'
  | 'coarse_timer'
  | 'frequency_scaling'
  | 'environment_changed'

/** Where the run was made, and where the one before it was. */
export interface IssueCircumstances {
  environment?: Environment
  previousEnvironment?: Environment
}

const ROUNDS_MIN = 5
const WIDE_SPREAD = 0.2
const OUTLIER_SHARE_MAX = 0.1
/** Fewer rounds have no shape. */
const SHAPED_ROUNDS_MIN = 10

/**
 * What is wrong with one result, by its own rounds and by the environments. Simulated and counted results have no noise
 * of a clock and so only the issues of their environment.
 */
export function knownIssues(
  result: BenchmarkResult,
  { environment = {}, previousEnvironment = {} }: IssueCircumstances = {},
): KnownIssue[] {
  return [
    ...(isByChance(result) ? issuesOfSpread(result) : []),
    ...(result.metric === 'time' ? issuesOfClock(environment) : []),
    ...issuesOfEnvironment(environment, previousEnvironment),
  ]
}

function isByChance({ instrument }: BenchmarkResult): boolean {
  return instrument === 'walltime' || instrument === 'custom'
}

function issuesOfSpread(result: BenchmarkResult): KnownIssue[] {
  const { roundValues = [] } = result
  const sorted = sortedCopy(roundValues)
  const coarse = coarseTimer(result, sorted)
  // What changes over the rounds of one process is not seen in those of several, one process after the other.
  const isOneProcess = processesOf(result) < 2
  return [
    ...fewProcesses(result),
    ...fewRounds(result),
    ...wideSpread(result, sorted),
    ...coarse,
    // Values on the ticks of a timer are humps too.
    ...(coarse.length === 0 && sorted.length >= SHAPED_ROUNDS_MIN ? twoModes(result, sorted) : []),
    ...outliers(result, sorted),
    ...(isOneProcess && roundValues.length >= SHAPED_ROUNDS_MIN ? drift(result, roundValues) : []),
  ]
}

function processesOf({ processValues = [] }: BenchmarkResult): number {
  return processValues.filter((value) => value !== null).length
}

/** Of what was measured in several; one process is what most tools measure in. */
function fewProcesses(result: BenchmarkResult): KnownIssue[] {
  const processes = processesOf(result)
  if (processes >= PROCESSES_MIN || (result.processValues ?? []).length < 2) return []
  return [
    {
      code: 'few_processes',
      title: 'few processes',
      explanation: `Only ${processes === 1 ? 'one process' : `${processes} processes`}: too few to tell how far one process differs from another. Measure it in at least ${PROCESSES_MIN}, better 10.`,
    },
  ]
}

function fewRounds(result: BenchmarkResult): KnownIssue[] {
  const { stats, roundValues, statistic } = result
  // They say more of the noise than any number of rounds.
  if (processesOf(result) >= PROCESSES_MIN) return []
  const rounds = roundValues?.length ?? stats.rounds ?? (statistic === 'single' ? 1 : undefined)
  if (rounds !== undefined && rounds < ROUNDS_MIN) {
    const many = rounds === 1 ? 'one round' : `${rounds} rounds`
    return [
      {
        code: 'few_rounds',
        title: 'few rounds',
        explanation: `Only ${many}: too few to tell noise from change. Measure at least ${ROUNDS_MIN}, better 20.`,
      },
    ]
  }
  const hasSpread = stats.stdev !== undefined || stats.q1 !== undefined || stats.low !== undefined
  if (hasSpread) return []
  return [
    {
      code: 'no_spread',
      title: 'no spread told',
      explanation:
        'The tool told one value without its spread, so its noise is assumed. Let it write its rounds or their deviation.',
    },
  ]
}

function wideSpread({ stats }: BenchmarkResult, sorted: readonly number[]): KnownIssue[] {
  const spread =
    robustSpread(sorted) ?? (stats.stdev !== undefined && stats.mean ? stats.stdev / stats.mean : 0)
  if (!(spread > WIDE_SPREAD)) return []
  return [
    {
      code: 'wide_spread',
      title: 'wide spread',
      explanation: `One round differs from another by ${formatNoise(spread)} (one standard deviation). Measure more in each round, or on a machine with nothing else to do.`,
    },
  ]
}

function robustSpread(sorted: readonly number[]): number | undefined {
  if (sorted.length < ROUNDS_MIN) return undefined
  return (quantile(sorted, 0.75) - quantile(sorted, 0.25)) / 1.349 / quantile(sorted, 0.5)
}

/** The rounds stand on a few values, whose distance is a large part of them. */
function coarseTimer({ value, metric, unit }: BenchmarkResult, sorted: readonly number[]): KnownIssue[] {
  if (metric !== 'time') return []
  const middle = quantile(sorted.length === 0 ? [value] : sorted, 0.5)
  const steps = sorted.slice(1).map((round, index) => round - (sorted[index] ?? round))
  const jumps = sortedCopy(steps.filter((step) => step > 0))
  const isOnTicks = sorted.length >= SHAPED_ROUNDS_MIN && jumps.length > 0 && jumps.length < sorted.length / 4
  const tick = isOnTicks ? quantile(jumps, 0) : 0
  if (middle > 0 && tick < middle / 100) return []
  const seen =
    tick === 0
      ? 'It took no time that the timer could see.'
      : `The rounds stand on ${jumps.length + 1} values, at least ${formatQuantity(tick, unit)} apart.`
  return [
    {
      code: 'coarse_timer',
      title: 'coarse timer',
      explanation: `${seen} The timer is too coarse: do more iterations in each round.`,
    },
  ]
}

function twoModes({ unit }: BenchmarkResult, sorted: readonly number[]): KnownIssue[] {
  const humps = twoHumps(sorted)
  if (!humps) return []
  const [fast, slow] = [humps.low, humps.high].map((center) => formatQuantity(center, unit))
  return [
    {
      code: 'two_humps',
      title: 'two humps',
      explanation: `The rounds have two humps, ${formatNoise(humps.lowShare)} of them near ${fast} and the others near ${slow}, so no single value stands for them. Look for what switches: compiled code, caches, collections, a second processor.`,
    },
  ]
}

/** By the tool's own count where the rounds are not there. */
function outliers({ stats }: BenchmarkResult, sorted: readonly number[]): KnownIssue[] {
  const [q1, q3] = sorted.length === 0 ? [0, 0] : [quantile(sorted, 0.25), quantile(sorted, 0.75)]
  const reach = 1.5 * (q3 - q1)
  const isFar = (round: number) => round < q1 - reach || round > q3 + reach
  const rounds = sorted.length === 0 ? (stats.rounds ?? 0) : sorted.length
  const far = sorted.length === 0 ? (stats.outlierRounds ?? 0) : sorted.filter(isFar).length
  if (rounds < SHAPED_ROUNDS_MIN || far / rounds <= OUTLIER_SHARE_MAX) return []
  return [
    {
      code: 'outliers',
      title: 'many outliers',
      explanation: `${far} of ${rounds} rounds lie farther than 1.5 quartile distances from the quartiles. Something else ran at the same time, or something happens in some rounds only.`,
    },
  ]
}

function drift({ betterWhen, metric }: BenchmarkResult, roundValues: readonly number[]): KnownIssue[] {
  const change = describeDrift(roundValues)
  if (change === undefined) return []
  const size = formatNoise(Math.abs(change))
  const becomesBetter = change < 0 === (betterWhen === 'lower')
  if (becomesBetter) {
    return [
      {
        code: 'warm_up_missing',
        title: 'warm-up missing',
        explanation: `The last third of the rounds is ${size} better than the first: they were measured before code and caches were warm. Warm up for longer.`,
      },
    ]
  }
  const cause =
    metric === 'time'
      ? 'The processor may have lowered its clock rate, or what is measured grows.'
      : 'What is measured may grow.'
  return [
    {
      code: 'slowing_down',
      title: 'drift to worse',
      explanation: `The last third of the rounds is ${size} worse than the first. ${cause}`,
    },
  ]
}

/** Google Benchmark says whether the clock rate was left to the system. */
function issuesOfClock({ cpu_scaling: scaling }: Environment): KnownIssue[] {
  if (scaling !== 'true') return []
  return [
    {
      code: 'frequency_scaling',
      title: 'frequency scaling',
      explanation:
        'The processor may change its clock rate while it measures. Set its governor to performance, or measure instructions.',
    },
  ]
}

function issuesOfEnvironment(environment: Environment, previous: Environment): KnownIssue[] {
  const keys = compareEnvironments(previous, environment).flatMap(({ key, weight }) =>
    weight === 'matters' ? key : [],
  )
  if (keys.length === 0) return []
  const more = keys.length > 5 ? ` and ${keys.length - 5} more` : ''
  return [
    {
      code: 'environment_changed',
      title: 'environment changed',
      explanation: `The run before was made under other conditions (${keys.slice(0, 5).join(', ')}${more}), so a difference to it may come from there.`,
    },
  ]
}
