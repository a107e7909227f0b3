/** One counter, as what is monitored tells it now. */
export interface Reading {
  name: string
  /** Of what is kept: of one that only rises, what is added per second. */
  unit: string
  /** counter: it only rises, and begins anew with what it counts. */
  kind: 'gauge' | 'counter'
  value: number
  /** Kept when nobody says which are. */
  isUsual: boolean
}

/** A connection to what is monitored. */
export interface Collector {
  /** @throws Error that says why it could not be read; then it is to be closed */
  read(): Promise<Reading[]>
  close(): Promise<void>
}

/** How long a system has for an answer. */
export const answerWithinMs = 5_000
