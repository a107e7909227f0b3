import type { AnswerOf, operations, RawInputOf } from '@flamegate/contract'
import { typedNumber } from '../documents/typed-number.ts'

export type Threshold = AnswerOf<typeof operations.listThresholds>['thresholds'][number]
export type ThresholdTest = Threshold['test']
export type ThresholdInput = RawInputOf<typeof operations.setThreshold>

/** What a form says of a threshold, as it was typed. Empty words mean all of them, or no limit. */
export interface ThresholdDraft {
  branch: string
  benchmarkId: string
  metric: string
  test: ThresholdTest
  lower: string
  upper: string
  windowRuns: string
  sampleMin: string
}

interface TestLook {
  words: string
  note: string
  /** What the limits are, for the label of their fields; null: there are none. */
  limits: string | null
  /** The limits are typed as so many hundredths of what the operation takes. */
  isPercent: boolean
  /** Upper limit to begin with. */
  usual: string
}

export const testLooks: Readonly<Record<ThresholdTest, TestLook>> = {
  change_point: {
    words: 'change of level',
    note: 'A lasting change, whatever the noise',
    limits: null,
    isPercent: false,
    usual: '',
  },
  percentage: {
    words: 'percentage',
    note: 'So far from the mean of the runs before',
    limits: '% of the mean',
    isPercent: true,
    usual: '10',
  },
  static: {
    words: 'fixed limits',
    note: 'Below or above a value',
    limits: 'value',
    isPercent: false,
    usual: '',
  },
  t_test: {
    words: 't-test',
    note: 'Improbable, if few runs are normally distributed',
    limits: '% sure',
    isPercent: true,
    usual: '99',
  },
  z_score: {
    words: 'z-score',
    note: 'Improbable, if many runs are normally distributed',
    limits: '% sure',
    isPercent: true,
    usual: '99',
  },
  log_normal: {
    words: 'log-normal',
    note: 'Improbable, if their logarithms are normally distributed',
    limits: '% sure',
    isPercent: true,
    usual: '99',
  },
  iqr: {
    words: 'quartile distances',
    note: 'Far from the median, by the distance of the quartiles',
    limits: 'quartile distances',
    isPercent: false,
    usual: '3',
  },
  delta_iqr: {
    words: 'quartile distances of steps',
    note: 'A step far larger than the usual ones',
    limits: 'quartile distances',
    isPercent: false,
    usual: '3',
  },
}

export function isThresholdTest(word: string): word is ThresholdTest {
  return Object.hasOwn(testLooks, word)
}

export const newDraft: ThresholdDraft = {
  branch: '',
  benchmarkId: '',
  metric: '',
  test: 'change_point',
  lower: '',
  upper: '',
  windowRuns: '64',
  sampleMin: '5',
}

/** A form that begins with what is set already. */
export function draftOf(threshold: Threshold): ThresholdDraft {
  const { test, lower_bound, upper_bound } = threshold
  const typed = (bound: number | null) =>
    bound === null ? '' : String(testLooks[test].isPercent ? tidy(bound * 100) : bound)
  return {
    branch: threshold.branch ?? '',
    benchmarkId: threshold.benchmark_id ?? '',
    metric: threshold.metric ?? '',
    test,
    lower: typed(lower_bound),
    upper: typed(upper_bound),
    windowRuns: String(threshold.window_runs),
    sampleMin: String(threshold.sample_min),
  }
}

/** What a threshold is for, as the operations take it. */
export function targetInput({
  branch,
  benchmarkId,
  metric,
}: Pick<ThresholdDraft, 'branch' | 'benchmarkId' | 'metric'>) {
  return { branch: unlessEmpty(branch), benchmark_id: unlessEmpty(benchmarkId), metric: unlessEmpty(metric) }
}

/** A form as `set_threshold` takes it. What is no number goes as typed, for the server to say so at its field. */
export function thresholdInput(projectId: string, draft: ThresholdDraft): ThresholdInput {
  const { test, lower, upper, windowRuns, sampleMin } = draft
  const { limits, isPercent } = testLooks[test]
  const bound = (text: string) => {
    if (limits === null) return null
    if (!isPercent) return readNumber(text)
    const value = readPercent(text)
    return typeof value === 'number' ? tidy(value / 100) : value
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server is the one judge of what was typed
  return {
    repository: projectId,
    ...targetInput(draft),
    test,
    lower_bound: bound(lower),
    upper_bound: bound(upper),
    window_runs: readNumber(windowRuns),
    sample_min: readNumber(sampleMin),
  } as ThresholdInput
}

/** The limits in words: `below 5, above 10 % of the mean`. */
export function limitWords({ test, lower_bound, upper_bound }: Threshold): string {
  const { limits, isPercent } = testLooks[test]
  if (limits === null) return '–'
  const shown = (bound: number) =>
    `${isPercent ? tidy(bound * 100) : bound} ${limits === 'value' ? '' : limits}`
  return (
    [
      ...(lower_bound === null ? [] : [`below ${shown(lower_bound).trim()}`]),
      ...(upper_bound === null ? [] : [`above ${shown(upper_bound).trim()}`]),
    ].join(', ') || 'no limits'
  )
}

function unlessEmpty(text: string): string | undefined {
  return text.trim() === '' ? undefined : text.trim()
}

/** A number with a comma or a point. What is none stays text: a limit that is null would be taken away. */
function readNumber(text: string): number | string | null {
  return typedNumber(text.replace(',', '.'))
}

/** The same of percent, which may say that they are. */
export function readPercent(text: string): number | string | null {
  return readNumber(text.replace(/\s*%\s*$/, ''))
}

/** Without the dust of binary fractions: 0.1 for 10 / 100, 28 for 0.28 * 100. */
function tidy(value: number): number {
  return Number(value.toPrecision(12))
}
