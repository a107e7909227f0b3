/** The ratio head ÷ base of one metric, on the scale of natural logarithms, and how sure it is. */
export interface Effect {
  base: number
  head: number
  logRatio: number
  /** Half the length of the confidence interval around `logRatio`. */
  margin: number
  /** That there is no change. */
  pValue: number
  method: string
}

/** Of Student's t for the confidence that is asked, by whole degrees of freedom. */
export type Quantile = (df: number) => number
