/** What the percentile of a quantile is called: 0.999 is `99.9`. */
export function percentName(quantile: number): string {
  return String(Math.round(Math.min(1, Math.max(0, quantile)) * 1e5) / 1e3)
}
