import type { FunctionTotals } from './profile.ts'

/**
 * Totals of functions in the parts of a profile, added up. A function's is known when each part that has it tells it: parts that
 * do not have it add nothing. None is more than everything, which calls may come to in files that are cut.
 */
export class FunctionTotalsSum {
  private readonly typeCount: number
  /** Per function, whether all parts that were added tell it; undefined where none has it. */
  private readonly isTold: (boolean | undefined)[] = []
  private readonly sums: number[] = []

  constructor(sampleTypeCount: number) {
    this.typeCount = sampleTypeCount
  }

  /** Of a part: totals by their place in it. `functions` has the index of each in the profile. */
  add(functions: Int32Array, { isKnown, values }: FunctionTotals): void {
    const { typeCount, isTold, sums } = this
    for (let place = 0; place < functions.length; place++) {
      const index = functions[place]!
      while (isTold.length <= index) {
        isTold.push(undefined)
        for (let type = 0; type < typeCount; type++) sums.push(0)
      }
      isTold[index] = isKnown[place] === 1 && isTold[index] !== false
      for (let type = 0; type < typeCount; type++) sums[index * typeCount + type]! += values[type]![place]!
    }
  }

  /** @param selfValues of the whole profile: what they add up to is everything there is */
  finish(functionCount: number, selfValues: readonly Float64Array[]): FunctionTotals {
    const { typeCount, isTold, sums } = this
    const isKnown = Uint8Array.from({ length: functionCount }, (_, index) => (isTold[index] === true ? 1 : 0))
    const values = selfValues.map((column, type) => {
      const whole = column.reduce((sum, value) => sum + value, 0)
      return Float64Array.from(isKnown, (known, index) =>
        known === 1 ? Math.min(whole, sums[index * typeCount + type]!) : 0,
      )
    })
    return { isKnown, values }
  }
}
