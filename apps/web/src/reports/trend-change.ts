import { formatChangePercent } from '@flamegate/contract'
import { formatValue } from './format-value.ts'
import type { ValuesOf } from './report-source.ts'

export type TrendChange = ValuesOf<'trend'>['lines'][number]['changes'][number]

/** How much a level changed: what it was 0 before has no per cent. */
export function changeSize({ before, after, share }: TrendChange, unit: string): string {
  return share === null
    ? `from ${formatValue(before, unit)} to ${formatValue(after, unit)}`
    : formatChangePercent(share * 100)
}

/** The same with what that means: `+12.0 % worse`, `worse from 0 % to 5 %`. */
export function changeWords(change: TrendChange, unit: string): string {
  const size = changeSize(change, unit)
  return change.share === null ? `${change.verdict} ${size}` : `${size} ${change.verdict}`
}
