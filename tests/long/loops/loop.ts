import type { Agent } from './agent.ts'

/** Where a loop works. */
export interface Surroundings {
  agent: Agent
  /** For programs and what they write; removed afterwards. */
  folder: string
}

/** What came of a loop. */
export interface LoopResult {
  title: string
  /** What was asked and answered, a line each. */
  transcript: string[]
  /** In what the answers were wrong, in sentences; none when all is well. */
  faults: string[]
}

/** Collects what is not as it was planted. */
export class Expectations {
  readonly faults: string[] = []

  that(isSo: boolean, otherwise: string): void {
    if (!isSo) this.faults.push(otherwise)
  }
}

export const percent = (value: number | null): string =>
  value === null ? 'unknown' : `${value > 0 ? '+' : ''}${value.toFixed(1)} %`

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return ((sorted[(sorted.length - 1) >> 1] ?? 0) + (sorted[sorted.length >> 1] ?? 0)) / 2
}
