import type { LiveItem } from './push.ts'

/** One series of a metric, as it was read or as it came. */
export interface Reading extends Pick<LiveItem, 'counters' | 'levels' | 'distributions'> {
  name: string
  kind: 'gauge' | 'counter' | 'histogram' | 'summary'
  /** Of levels and counters, as the program says it; else empty. */
  unit: string
  atMs: number
  /** It is what came since the one before, and not all since the program began. */
  isDelta: boolean
}
