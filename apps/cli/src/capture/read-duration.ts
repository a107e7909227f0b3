import { UsageError } from '../usage-error.ts'

const unitSeconds = { s: 1, m: 60, h: 3600 } as const

/** Longer than any capture; timers have an end. */
const longestSeconds = 7 * 86_400

/** `90`, `90s`, `5m` and `1h` as seconds. @throws UsageError */
export function readDuration(option: string, text: string): number {
  const match = /^(\d+(?:\.\d+)?)(s|m|h)?$/.exec(text.trim())
  const unit = match?.[2] === 'm' || match?.[2] === 'h' ? match[2] : 's'
  const seconds = Number(match?.[1]) * unitSeconds[unit]
  if (seconds > 0 && seconds <= longestSeconds) return seconds
  throw new UsageError(
    `--${option} ${text} is no time. Write seconds, or such as 90s, 5m, 1h; a week at most.`,
  )
}
