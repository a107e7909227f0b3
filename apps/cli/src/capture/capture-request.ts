import type { CaptureKind, CaptureType } from '@flamegate/contract'
import { Refusal } from '../refusal.ts'

/** What a profile is taken of. */
export type CaptureTarget =
  | { url: string }
  | { pid: number }
  | { command: readonly [program: string, ...args: string[]] }

/** One profile to take on this machine. */
export interface CaptureRequest {
  kind: CaptureKind
  type: CaptureType
  target: CaptureTarget
  /** Undefined: of a command, until it ends; of a state such as a heap, as it is now. */
  seconds: number | undefined
}

/** Where and for whom a profile is taken. */
export interface CapturePlace {
  /** An empty folder of its own. */
  folder: string
  cwd: string
  env: Readonly<Record<string, string | undefined>>
  /** What a command that is profiled prints. */
  passOn: (bytes: Uint8Array) => void
  /** Ends it early: what there is until then counts. */
  interruption: AbortSignal
  /** Whether Ctrl-C comes to the programs that are run here by itself. */
  isAtTerminal: boolean
}

/** What was taken: files in the place's folder, and how a command of one's own ended; 0 where there was none. */
export interface Captured {
  files: string[]
  exitCode: number
}

export type Capture = (request: CaptureRequest, place: CapturePlace) => Promise<Captured>

/** No profile could be taken. `message` says why and what to do, in words for people. */
export class CaptureFailed extends Refusal {
  override name = 'CaptureFailed'
}
