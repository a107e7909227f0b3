import type { Caller } from '@flamegate/contract'
import type { RequestRun } from '@flamegate/loadtest/request-log'
import type { BenchResult } from './bench-runs.ts'
import type { FileRecord } from './records.ts'

/** What files of a run are, by their purpose: what agents send while it goes on (pieces of logs, traces), and what is made at its end. */
export const resultFilePurposes = [
  'request_log_piece',
  'request_log',
  'agent_log',
  'failed_exchanges',
  'page_trace',
] as const
export type ResultFilePurpose = (typeof resultFilePurposes)[number]

/** A file that a run is to have. */
export interface PlannedFile {
  /** Tells it from others of the run. */
  name: string
  purpose: ResultFilePurpose
  contentType: string
  sizeBytes: number
}

type OfRun = Pick<BenchResult, 'id' | 'workspaceId' | 'projectId'>

/** Files of bench runs, and the logs of their agents. */
export interface ResultFileStore {
  /** Announces files of a run; those that it has stay as they are. Gives all that were asked for. */
  plan(caller: Caller, run: OfRun, files: readonly PlannedFile[]): Promise<FileRecord[]>
  /** All of a run, by their names. */
  list(caller: Caller, benchResultId: string): Promise<FileRecord[]>
  /** Of all files of runs that a workspace has. */
  countBytes(caller: Caller, workspaceId: string): Promise<number>
  /** Adds lines to the log of a shard; what it has already of them is left out. */
  addLogLines(caller: Caller, shardId: string, log: { from: number; lines: readonly string[] }): Promise<void>
  /** By slot; `lines` up to the last so many. */
  listLogs(
    caller: Caller,
    benchResultId: string,
    linesMax: number,
  ): Promise<{ slot: number; lines: string[]; lineCount: number }[]>
}

/** A run of whichever workspace of which files are to be made. */
export interface UnmadeFiles {
  workspaceId: string
  benchResultId: string
}

export const requestLogFormats = ['jtl', 'parquet'] as const
export type RequestLogFormat = (typeof requestLogFormats)[number]

/** A file while it is made: on the disk of the worker, because nobody knows how large it becomes. */
export interface RequestLogFile {
  /** A piece of the log, as the agent in a slot sent it. */
  add(piece: Uint8Array, slot: number): Promise<void>
  end(): Promise<{ sizeBytes: number; md5: string; sha256: string; open: () => AsyncIterable<Uint8Array> }>
  /** Whatever became of it. */
  remove(): Promise<void>
}

/** A run of which files are made; its agents have names, by their slots. */
export interface LoggedRun extends RequestRun {
  agents: ReadonlyMap<number, string>
}

export type RequestLogFiles = (format: RequestLogFormat, run: LoggedRun) => Promise<RequestLogFile>
