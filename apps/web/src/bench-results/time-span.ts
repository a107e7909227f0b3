/** A part of a run, in seconds since it began; without either, all of it. */
export interface TimeSpan {
  from_second?: number
  to_second?: number
}

/** As an address has it: whole seconds, of which the second is after the first. Anything else is all of the run. */
export function readTimeSpan(from: string | undefined, to: string | undefined): TimeSpan {
  const [first, last] = [Number(from ?? Number.NaN), Number(to ?? Number.NaN)]
  return Number.isInteger(first) && Number.isInteger(last) && first >= 0 && last > first
    ? { from_second: first, to_second: last }
    : {}
}
