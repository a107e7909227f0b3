import type { ChildProcess } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { end } from '../fleet/processes.ts'

/** One process of the service, that can be ended and started anew where it was. */
export class Member {
  readonly name: string
  readonly #begin: () => Promise<ChildProcess>
  #child: ChildProcess | undefined

  constructor(name: string, begin: () => Promise<ChildProcess>) {
    this.name = name
    this.#begin = begin
  }

  get pid(): number {
    return this.#child?.pid ?? 0
  }

  get isRunning(): boolean {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null
  }

  async start(): Promise<void> {
    this.#child = await this.#begin()
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    if (this.#child !== undefined) await end({ child: this.#child }, signal)
  }

  /** Kills it with whatever it is doing, as by a lack of memory, and starts it again that much later. */
  async crash(awayMs: number): Promise<void> {
    await this.end('SIGKILL')
    await pause(awayMs)
    await this.start()
  }
}
