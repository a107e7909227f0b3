/** Calls and how many of them failed. */
export interface Failed {
  calls: number
  failed: number
}

/** Smaller changes of the share of failed calls are of no importance, however certain: one in a thousand. */
export const ERROR_SHARE_MIN = 0.001

/**
 * How probable it is that failures part so unevenly between two sessions with the same share of failures: given their sum,
 * those of one side are binomial (Przyborowski & Wilenski 1940, Biometrika 31:313–323). Two-sided: all outcomes that are no
 * more probable than what was seen.
 */
export function equalFailuresP(base: Failed, head: Failed): number {
  const sum = base.failed + head.failed
  if (sum === 0 || base.calls === 0 || head.calls === 0) return 1
  const share = head.calls / (base.calls + head.calls)
  const logs = new Float64Array(sum + 1)
  logs[0] = sum * Math.log(1 - share)
  for (let failed = 1; failed <= sum; failed += 1) {
    logs[failed] =
      (logs[failed - 1] ?? 0) + Math.log((sum - failed + 1) / failed) + Math.log(share / (1 - share))
  }
  const seen = logs[head.failed] ?? 0
  let p = 0
  for (const log of logs) if (log <= seen + 1e-9) p += Math.exp(log)
  return Math.min(1, p)
}
