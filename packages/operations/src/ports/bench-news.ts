import type { BenchState } from './bench-runs.ts'

/** That something of a bench run is new, whatever it is in full: whoever wants that asks for it. */
export type BenchNews =
  | {
      of: 'run'
      benchResultId: string
      projectId: string
      /** null: it was removed. */
      state: BenchState | null
      startedAtMs: number | null
      durationMs: number
    }
  /** One of its agents is in another state. */
  | { of: 'agents'; benchResultId: string }
  /** The newest second that was stored now. */
  | { of: 'series'; benchResultId: string; second: number }
