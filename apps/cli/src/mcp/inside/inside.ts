import type { McpInside, McpReport } from '@flamegate/mcp-profiling'
import type { OpenServer } from '../open-server.ts'
import type { McpTarget } from '../target/mcp-target.ts'

/** What is wanted of the inside of a server, beside the load. What a runtime cannot tell is left out, with a note. */
export interface WantedInside {
  /** A CPU profile: `hotFunctions`, and a file. */
  cpu?: boolean
  /**
   * A sampling profile of the heap, and a file: all that is allocated (`allocations`), or, with `kept`, what of it is still there in
   * the end (`growth` by function).
   */
  heap?: boolean | 'kept'
  /** Garbage collections: `gc`, and the use of the heap over time. `each`: the report has all events, and not only the longest. */
  gc?: boolean | 'each'
  eventLoop?: boolean
  /** Collects all garbage, for samples of the heap that tell what is kept. It stops the server for a moment. */
  collections?: 'none' | 'before-and-after' | { everyMs: number }
  /** Heap snapshots, which stop the server for about a second for each 100 MB. */
  snapshots?: 'none' | 'before-and-after' | { everyMs: number }
}

/** How a target is looked into, as the command line and the configuration have it. */
export interface InsideOptions {
  /** Where profiles are written; made when there is something to write. */
  folder: string
  /** Of this process. */
  env: Readonly<Record<string, string | undefined>>
  /** Between two samples of a CPU profile. */
  samplingIntervalMs: number
  /** From which share of a CPU profile on a stack is told as hot. */
  hotPathThreshold: number
  /** Port or URL of the inspector of a Node.js that runs already. */
  inspect: string | undefined
  /** Where a program in Go serves net/http/pprof. */
  pprof: string | undefined
  /** Where a program in Rust serves what hotpath measures. */
  hotpath: string | undefined
}

/** A target that is ready to be looked into once it is there. */
export interface Preparation {
  /** As it is to be started: with more in its environment, or another command. */
  target: McpTarget
  /** Hears what a server that is started writes to stderr. */
  hear?: (text: string) => void
  /** @throws when it cannot be looked into; `message` says why, for people */
  attach: (server: OpenServer) => Promise<InsideProbe>
}

/** Looks into a server that runs. Any of it may throw; the load goes on, and the message becomes a note. */
export interface InsideProbe {
  /** Right before a load begins. `part`: less than it was prepared for, during this load (diagnose has several, for different things). */
  begin: (part?: WantedInside) => Promise<void>
  /** When it is over. `beganAtMs` is when it began, by the clock of this process: `atMs` counts from there. */
  end: (beganAtMs: number) => Promise<InsideFound>
  /** Leaves the server as it was. */
  close: () => Promise<void>
}

export interface InsideFound {
  inside: McpInside
  /** In the folder of the options. */
  files: { kind: McpReport['profiles'][number]['kind']; path: string }[]
  notes: string[]
}

/** Of a runtime of which nothing is known yet. */
export function nothingInside(runtime: McpInside['runtime']): McpInside {
  return { runtime, heap: [], gc: null, eventLoopDelay: null, hotFunctions: [], growth: [] }
}
