const steps = [
  { unit: 'minute', ms: 60_000, below: 3_600_000 },
  { unit: 'hour', ms: 3_600_000, below: 86_400_000 },
  { unit: 'day', ms: 86_400_000, below: 30 * 86_400_000 },
  { unit: 'month', ms: 30.44 * 86_400_000, below: 365 * 86_400_000 },
  { unit: 'year', ms: 365.25 * 86_400_000, below: Infinity },
] as const

const words = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' })

/**
 * How long ago (or ahead) a time is, both in Unix milliseconds: `3 hr. ago`, `just now` within a minute. What is ahead is
 * rounded, so that a link made for seven days does not end in six.
 */
export function describeAge(atMs: number, nowMs: number): string {
  const distanceMs = Math.abs(nowMs - atMs)
  if (distanceMs < 60_000) return 'just now'
  const step = steps.find(({ below }) => distanceMs < below) ?? steps[steps.length - 1]
  return step === undefined
    ? ''
    : words.format(
        atMs < nowMs ? -Math.floor(distanceMs / step.ms) : Math.round(distanceMs / step.ms),
        step.unit,
      )
}
