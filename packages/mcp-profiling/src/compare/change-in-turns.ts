import { twoSidedQuantiles } from '@flamegate/benchmarks/arithmetic'
import { turnsEffect } from './turns-effect.ts'

/** How head differs from base, in per cent of base. */
export interface ChangeInTurns {
  percent: number
  /** Within which the change is, as surely as was asked. */
  interval: [number, number]
}

/** Of blocks that ran in turns (see `turnsEffect`); undefined with fewer than five pairs. */
export function changeInTurns(
  base: readonly (number | null)[],
  head: readonly (number | null)[],
  confidence: number,
): ChangeInTurns | undefined {
  const effect = turnsEffect(base, head, twoSidedQuantiles(confidence))
  if (effect === undefined) return undefined
  const { logRatio, margin } = effect
  return {
    percent: percentOf(logRatio),
    interval: [percentOf(logRatio - margin), percentOf(logRatio + margin)],
  }
}

function percentOf(logRatio: number): number {
  return 100 * Math.expm1(logRatio)
}
