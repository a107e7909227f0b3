/** The largest trace of a page action that is kept, in bytes, and most of them of one agent. */
export const pageTraceLimits = { bytes: 25_000_000, perAgent: 20 } as const
