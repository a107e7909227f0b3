import type { Environment } from './benchmark-result.ts'
import { weighDifference } from './weigh-environment-difference.ts'

/** One property in which two runs differ; `(none)` where a library is used on one side only. */
export interface EnvironmentDifference {
  key: string
  base: string
  head: string
  /** Whether it puts claims about speed in doubt. */
  weight: 'matters' | 'minor'
  /** Why it has this weight, in words. */
  reason: string
  isArchitecture: boolean
}

const LIBRARY_PREFIX = 'library:'
const ARCHITECTURE_KEYS = new Set(['arch', 'architecture', 'goarch', 'cpu_arch'])

/**
 * The properties that both runs tell and that differ: first those that matter, each sorted by key. What one side does not
 * tell is no difference, because tools tell different things; but when both list libraries (`library:<name>`), a missing
 * one is a difference. Blanks and the case of letters are none.
 */
export function compareEnvironments(base: Environment, head: Environment): EnvironmentDifference[] {
  const bothListLibraries = [base, head].every((side) =>
    Object.keys(side).some((key) => key.startsWith(LIBRARY_PREFIX)),
  )
  const differences = [...new Set([...Object.keys(base), ...Object.keys(head)])].toSorted().flatMap((key) => {
    const isTold = base[key] !== undefined && head[key] !== undefined
    if (!isTold && !(bothListLibraries && key.startsWith(LIBRARY_PREFIX))) return []
    const sides = { base: base[key] ?? '(none)', head: head[key] ?? '(none)' }
    if (plain(sides.base) === plain(sides.head)) return []
    const isArchitecture = ARCHITECTURE_KEYS.has(key)
    return { key, ...sides, ...weighDifference(key, sides), isArchitecture }
  })
  return differences.toSorted((a, b) => Number(b.weight === 'matters') - Number(a.weight === 'matters'))
}

function plain(value: string): string {
  return value.replaceAll(/\s+/g, ' ').trim().toLowerCase()
}
