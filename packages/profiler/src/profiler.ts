import type { EventEmitter } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import type { MessagePort, Worker } from 'node:worker_threads'

/** All that a program sees of this package. Nothing is imported of the others, so that it can be published by itself. */

export interface ProfilerOptions {
  /** Address of the platform. Default: `FLAMEGATE_LIVE_URL`. Without any, nothing is measured. */
  url?: string
  /** Id of the live app. Default: `FLAMEGATE_LIVE_APP`. */
  app?: string
  /** A token of the live app. Default: `FLAMEGATE_LIVE_TOKEN`. */
  token?: string
  /** Of the program. Default: its package's, or its file's. */
  name?: string
  /** Of the program, for instance its commit. */
  version?: string
  /** Log entries kept of each item until the next push; the newest, of debug entries and values the first. Default 100. */
  logEntries?: number
  /** Reads the sampled heap now and then, for what each function's allocations still hold. Default: not. */
  allocations?: AllocationOptions
  /** Between two pushes. Default 1000. */
  intervalMs?: number
  /** Bytes that are kept, about, while the platform cannot be reached. Default 8 MB. */
  bufferBytesMax?: number
  /** How long the end of the program waits for the last push. Default 2000. */
  exitMs?: number
  /** Hears what is wrong with the settings, why a push was refused, or why nothing is pushed any more. Default: a warning of the process. */
  onError?: (error: Error) => void
}

export interface Profiler extends Instruments {
  /** False when there is nowhere to push to: then nothing is measured, and functions are what they were. */
  readonly isOn: boolean
  /** How pushing goes; undefined when it is not on. */
  state: () => PushState | undefined
  /** Pushes for the last time, and ends; functions go on working. Waits as long as `exitMs` at most. */
  stop: () => Promise<void>
}

export interface PushState {
  /** Of what waits to be pushed, about. */
  pendingBytes: number
  pushesSent: number
  entriesSent: number
  /** Log entries that there was no room for while nothing could be pushed, or that were in a push that was refused. */
  entriesLost: number
  /** Pushes that the platform could not take. */
  pushesRefused: number
  /** Why nothing could be pushed just now, and when it is tried again. */
  trouble: { reason: string; retryAt: number } | undefined
  /** Why nothing is pushed any more. */
  givenUp: string | undefined
}

// oxlint-disable-next-line typescript/no-explicit-any -- of functions with any parameters
export type AnyFunction = (...args: any[]) => any

export type Channel = Readable | Writable | MessagePort | Worker | EventEmitter

/** What a program measures itself with. What has the same name counts together. */
export interface Instruments {
  /**
   * The same function, with its `this`, arguments, result, errors, name and length, measured: sync, async, generators, constructors.
   * A promise is returned as another one that settles as it does.
   */
  measure: <F extends AnyFunction>(name: string, fn: F) => F
  /** A decorator of methods that does the same. Without a name, the method's. */
  measured: (name?: string) => <F extends AnyFunction>(method: F, context: { name: string | symbol }) => F
  /** Measures what goes through a stream, a message port, a worker's messages or an event emitter. @returns the same */
  channel: <T extends Channel>(name: string, channel: T) => T
  /** A queue that is measured. */
  queue: <T>(name: string, options?: QueueOptions) => MeasuredQueue<T>
  /** The same items, counted. */
  stream: <T>(name: string, source: AsyncIterable<T>) => AsyncGenerator<T, void, undefined>
  /** A promise that settles as this one, or the one that the function begins. */
  future: <T>(name: string, promise: PromiseLike<T> | (() => PromiseLike<T>)) => Promise<T>
  gauge: (name: string) => GaugeHandle
  /** Logs a value under a name. */
  value: (name: string, value: unknown) => void
  /** Logs the value of an expression. @returns the value */
  debug: <T>(expression: string, value: T) => T
}

export interface GaugeHandle {
  set: (value: number) => void
  /** @param by negative to lower it; 1 if left out */
  inc: (by?: number) => void
}

/** A queue that is measured: what is put into it is taken in the same order. */
export interface MeasuredQueue<T> {
  readonly size: number
  /** @returns false when there was no room */
  put: (item: T) => boolean
  /** @returns the oldest item; undefined when there is none */
  take: () => T | undefined
  /** No more goes in; what is in it can still be taken. */
  close: () => void
}

export interface QueueOptions {
  /** Items that there is room for; as many as come if it is left out. */
  capacity?: number
}

export interface AllocationOptions {
  /** How often the sampled heap is read. Each time, all garbage is collected at once, and the program waits for that. */
  everyMs: number
}
