/** Milliseconds with a fraction, from any beginning, never going back. */
export type Clock = () => number

/** `process.hrtime.bigint` takes about twice as long and makes a garbage object of each reading. */
export const systemClock: Clock = () => performance.now()

export const nsPerMs = 1e6
