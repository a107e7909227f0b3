import type { Environment } from './benchmark-report.ts'

/** One property in which two runs differ; `(none)` where a library is used on one side only. */
export interface EnvironmentDifference {
  key: string
  base: string
  head: string
}

/** These differ between any two runs and say nothing about speed; a clock rate is what it was at that moment. */
const PASSING_KEYS = new Set(['date', 'host', 'cpu_mhz', 'load_average'])
const LIBRARY_PREFIX = 'library:'

/**
 * The properties that both runs tell and that differ, sorted by key. What one side does not tell is no difference,
 * because tools tell different things; but when both list libraries (`library:<name>`), a missing one is a difference.
 */
export function compareEnvironments(base: Environment, head: Environment): EnvironmentDifference[] {
  const bothListLibraries = [base, head].every((side) =>
    Object.keys(side).some((key) => key.startsWith(LIBRARY_PREFIX)),
  )
  return [...new Set([...Object.keys(base), ...Object.keys(head)])]
    .filter((key) => !PASSING_KEYS.has(key))
    .toSorted()
    .flatMap((key) => {
      const isTold = base[key] !== undefined && head[key] !== undefined
      if (!isTold && !(bothListLibraries && key.startsWith(LIBRARY_PREFIX))) return []
      const difference = { key, base: base[key] ?? '(none)', head: head[key] ?? '(none)' }
      return difference.base === difference.head ? [] : [difference]
    })
}
