/** No longer than this, whatever was asked for: a message that is due in a year is none. */
const secondsMax = 24 * 3600

/**
 * How long an answer asks to be left alone, in whole seconds; undefined when it does not, or not in words that are known.
 * @see https://www.rfc-editor.org/rfc/rfc9110#name-retry-after
 */
export function retryAfterSeconds(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined
  const seconds = /^\d+$/.test(header)
    ? Number(header)
    : Math.ceil((Date.parse(header) - now.getTime()) / 1000)
  return seconds > 0 ? Math.min(seconds, secondsMax) : undefined
}
