import type { FunctionInterner } from '../function-interner.ts'
import type { SampleType } from '../profile.ts'

/** Ticks, the time they stand for, and bytes: the last one counts where there were no ticks. */
export function haskellSampleTypes(totalTicks: number): {
  sampleTypes: SampleType[]
  defaultSampleTypeIndex: number
} {
  return {
    sampleTypes: [
      { type: 'samples', unit: 'count' },
      { type: 'cpu', unit: 'nanoseconds' },
      { type: 'alloc_space', unit: 'bytes' },
    ],
    defaultSampleTypeIndex: totalTicks > 0 ? 1 : 2,
  }
}

/**
 * The function of a cost centre. `source` is `src/Main.hs:35:26-54`, `src/Main.hs:(42,1)-(45,38)`, or in angle brackets why
 * it is not known.
 */
export function internCostCentre(
  functions: FunctionInterner,
  { module, label, source }: { module: string; label: string; source: string },
): number {
  const [, file = '', line = '0'] = /^([^<][^:]*):\(?(\d+)[:,]/.exec(source) ?? []
  return functions.intern(`${module}.${label}`, file, Number(line))
}
