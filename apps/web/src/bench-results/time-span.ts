/** A part of a run, in seconds since it began; without an end it goes up to the run's, without either it is all of it. */
export interface TimeSpan {
  from_second?: number
  to_second?: number
}

/** As an address has it: whole seconds, of which the second is after the first, or is left out. Anything else is all of the run. */
export function readTimeSpan(from: string | undefined, to: string | undefined): TimeSpan {
  const [first, last] = [Number(from ?? Number.NaN), Number(to ?? Infinity)]
  if (!Number.isInteger(first) || first < 0 || !(last > first)) return {}
  if (to === undefined) return { from_second: first }
  return Number.isInteger(last) ? { from_second: first, to_second: last } : {}
}
