import type { Caller } from '@flamegate/contract'
import type { Buckets, ReceivedTickBatch, SeriesAnswer, SeriesKind, SeriesQuestion } from '@flamegate/series'

/**
 * What became of a batch: `repeated`, it was stored before, and nothing of it counts again; `beyond_end`, it tells of a second
 * after the last that the run may have, and nothing of it was stored; `no_series`, the run has none, or has none any more.
 */
export type BatchOutcome = 'stored' | 'repeated' | 'beyond_end' | 'no_series'

export interface Sealed {
  /** How many seconds of agents went into chunks. */
  ticks: number
  windows: number
}

/** Series of bench runs: what agents tell each second, and charts of it. Seconds are counted from the beginning of the run. */
export interface SeriesStore {
  /**
   * Lets batches of a run come. Nothing happens when they may already.
   * @param plan as many seconds as it may last; places of its actions that hold others, which totals leave out
   */
  begin(
    caller: Caller,
    benchResultId: string,
    plan: { secondsMax: number; containers: readonly number[] },
  ): Promise<void>
  /** Stores a batch with all its ticks, or nothing of it. */
  appendBatch(caller: Caller, batch: ReceivedTickBatch): Promise<BatchOutcome>
  /**
   * Makes chunks of live seconds: of all windows of a minute that end by `to`, or of all there are. To be called again and
   * again; may be killed at any moment and run twice at once. What comes later for a window that was sealed is added to it.
   */
  seal(caller: Caller, benchResultId: string, to: number | 'end'): Promise<Sealed>
  /** Answers of what is sealed and of what is live, together; undefined when the run has no series. */
  query<Kind extends SeriesKind>(
    caller: Caller,
    benchResultId: string,
    question: SeriesQuestion<Kind>,
  ): Promise<SeriesAnswer<Buckets[Kind]> | undefined>
  /** Bytes that the series of all runs of a workspace take. */
  countBytes(caller: Caller, workspaceId: string): Promise<number>
  /** Removes all series of a run; batches that come later find none. */
  remove(caller: Caller, benchResultId: string): Promise<void>
}
