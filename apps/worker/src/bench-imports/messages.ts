import type { ReadResultsOutcome } from '@flamegate/operations/ports'

/** What the process is told first. The content comes by its standard input. */
export interface ResultProcessStart {
  /** Where it writes the seconds of the run. */
  tickFile: string
}

/** What it says at last. */
export interface ResultProcessDone {
  done: ReadResultsOutcome
}
