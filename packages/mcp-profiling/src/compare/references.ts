import type { McpReport } from '../report.ts'
import type { Effect, Quantile } from './effect.ts'
import { sessionEffect } from './session-effect.ts'

type Reference = NonNullable<McpReport['reference']>
type Series = readonly (number | null)[]

/** The references of two sessions, where both have the same. */
export interface References {
  base: Reference
  head: Reference
}

export const referencesNote =
  'The times of calls are compared as shares of those of the reference, which was measured in turns with the server: how fast the machine was falls out. Percentiles and throughput have no such blocks.'

/**
 * Standard deviation of ln(value ÷ reference) between two sessions of the same build, which is assumed: what else runs slows
 * a server and the reference nearly alike.
 */
const ASSUMED_STDEV = 0.015

export function referencesOf(base: McpReport, head: McpReport): References | undefined {
  if (base.reference === undefined || head.reference === undefined) return undefined
  const isSame =
    base.reference.version === head.reference.version && base.machine.runtime === head.machine.runtime
  return isSame ? { base: base.reference, head: head.reference } : undefined
}

/** A series of blocks, and that of the reference in the same blocks. */
export interface ByReference {
  values: Series
  reference: Series
}

/** The change of what was measured in blocks, held against what the reference had in them. */
export function effectByReference(
  base: ByReference,
  head: ByReference,
  quantile: Quantile,
): Effect | undefined {
  const effect = sessionEffect(sharesOf(base), sharesOf(head), ASSUMED_STDEV, quantile)
  return effect && { ...effect, method: `${effect.method}, as shares of the reference` }
}

function sharesOf({ values, reference }: ByReference): (number | null)[] {
  return values.map((value, at) => {
    const known = reference[at] ?? null
    return value === null || known === null || known <= 0 ? null : value / known
  })
}
