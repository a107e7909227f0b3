import type { AlertThresholdsShape, RawInputOf, operations } from '@flamegate/contract'

/** What the form of alert thresholds has in its fields; empty is off. */
export interface AlertDraft {
  cpuPercent: string
  cpuSeconds: string
  memoryMib: string
  memoryPercent: string
  memorySeconds: string
  slowMs: string
  slowStatistic: Statistic
  /** `any`, `all`, or names with commas between. */
  slowFunctions: string
  slowSeconds: string
  errorPercent: string
  errorSeconds: string
}
export type Statistic = NonNullable<AlertThresholdsShape['slow_response']>['statistic']
type Input = RawInputOf<typeof operations.setAlertThresholds>
type Given = Pick<Input, 'high_cpu' | 'high_memory' | 'slow_response' | 'high_error_rate'>

export const statistics = ['mean', 'p50', 'p90', 'p95', 'p99'] as const satisfies readonly Statistic[]

const mib = 2 ** 20
const usualSeconds = 60

export function draftOf({
  high_cpu,
  high_memory,
  slow_response,
  high_error_rate,
}: AlertThresholdsShape): AlertDraft {
  const functions = slow_response?.functions ?? 'any'
  return {
    cpuPercent: text(high_cpu?.percent),
    cpuSeconds: text(high_cpu?.for_seconds ?? usualSeconds),
    memoryMib: text(high_memory?.bytes === undefined ? undefined : high_memory.bytes / mib),
    memoryPercent: text(high_memory?.percent),
    memorySeconds: text(high_memory?.for_seconds ?? usualSeconds),
    slowMs: text(slow_response?.ms),
    slowStatistic: slow_response?.statistic ?? 'p95',
    slowFunctions: typeof functions === 'string' ? functions : functions.join(', '),
    slowSeconds: text(slow_response?.for_seconds ?? usualSeconds),
    errorPercent: text(high_error_rate?.percent),
    errorSeconds: text(high_error_rate?.for_seconds ?? usualSeconds),
  }
}

/** What is sent: all four, so that what is empty is off. What is no number the server refuses, and says so at the field. */
export function thresholdsInput(draft: AlertDraft): Required<Given> {
  const memory = {
    ...(isEmpty(draft.memoryMib) ? {} : { bytes: Math.round(Number(draft.memoryMib) * mib) }),
    ...(isEmpty(draft.memoryPercent) ? {} : { percent: Number(draft.memoryPercent) }),
  }
  return {
    high_cpu: isEmpty(draft.cpuPercent)
      ? null
      : { percent: Number(draft.cpuPercent), ...lasting(draft.cpuSeconds) },
    high_memory: Object.keys(memory).length === 0 ? null : { ...memory, ...lasting(draft.memorySeconds) },
    slow_response: isEmpty(draft.slowMs)
      ? null
      : {
          ms: Number(draft.slowMs),
          statistic: draft.slowStatistic,
          functions: functionsOf(draft.slowFunctions),
          ...lasting(draft.slowSeconds),
        },
    high_error_rate: isEmpty(draft.errorPercent)
      ? null
      : { percent: Number(draft.errorPercent), ...lasting(draft.errorSeconds) },
  }
}

/** Only those that were changed: what an app takes from its project stays its project's. */
export function changedInput(before: AlertDraft, after: AlertDraft): Given {
  const [was, is] = [thresholdsInput(before), thresholdsInput(after)]
  const same = new Set(Object.entries(was).map((entry) => JSON.stringify(entry)))
  return Object.fromEntries(Object.entries(is).filter((entry) => !same.has(JSON.stringify(entry))))
}

function functionsOf(words: string): 'any' | 'all' | string[] {
  const names = words
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  const [first = 'any'] = names
  return names.length < 2 && (first === 'any' || first === 'all') ? first : names
}

function lasting(seconds: string): { for_seconds: number } {
  return { for_seconds: Number(seconds) }
}

function isEmpty(value: string): boolean {
  return value.trim() === ''
}

function text(value: number | undefined): string {
  return value === undefined ? '' : String(value)
}
