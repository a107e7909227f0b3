import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { readProfile } from '@flamegate/profiles'
import { stacksOf } from '../../../capture/capture-perf.ts'
import {
  nothingInside,
  type InsideFound,
  type InsideOptions,
  type InsideProbe,
  type WantedInside,
} from '../inside.ts'
import { hotFunctionsIn } from '../profile-tables.ts'

/** In time, whatever the machine counts. */
const event = 'cpu-clock'
/** Not a round number, so that sampling does not fall into step with what the program does. */
const samplesPerSecond = 499
/** For which perf may take to begin, and how often that is looked at. */
const beginMsMax = 10_000
const lookEveryMs = 20
const wordsMax = 2000

/** What a program that is machine code does during loads, sampled by Linux perf: its processor time, and nothing else. */
export class PerfProbe implements InsideProbe {
  readonly #pid: number
  readonly #wanted: WantedInside
  readonly #options: InsideOptions
  #load = 0
  #said = ''
  #child: ChildProcess | undefined

  constructor(pid: number, wanted: WantedInside, options: InsideOptions) {
    this.#pid = pid
    this.#wanted = wanted
    this.#options = options
  }

  async begin(part = this.#wanted): Promise<void> {
    this.#load++
    if (part.cpu !== true) return
    const { folder, env } = this.#options
    await mkdir(folder, { recursive: true })
    const words = [
      'record',
      '-e',
      event,
      '-F',
      String(samplesPerSecond),
      '-g',
      '-o',
      this.#data,
      '-p',
      String(this.#pid),
    ]
    const child = spawn('perf', words, { env, stdio: ['ignore', 'ignore', 'pipe'] })
    this.#said = ''
    child.stderr.on(
      'data',
      (bytes: Buffer) => (this.#said = (this.#said + bytes.toString()).slice(-wordsMax)),
    )
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve)
      child.once('error', () =>
        reject(new Error('It is machine code, and Linux perf is not there: apt install linux-perf.')),
      )
    })
    this.#child = child
    // It writes the head of its file when it has begun.
    for (const endMs = performance.now() + beginMsMax; performance.now() < endMs;) {
      if (child.exitCode !== null) throw new Error(this.#refusal())
      if (
        await stat(this.#data).then(
          ({ size }) => size > 0,
          () => false,
        )
      )
        return
      await pause(lookEveryMs)
    }
  }

  async end(): Promise<InsideFound> {
    const inside = nothingInside('other')
    const notes = [
      `Process ${this.#pid} is machine code: only its processor time is seen from within, by Linux perf.`,
    ]
    const child = this.#child
    this.#child = undefined
    if (child === undefined) return { inside, files: [], notes }
    const closed = child.exitCode === null ? once(child, 'close') : undefined
    child.kill('SIGINT')
    await closed
    const { folder, env } = this.#options
    const written = await stacksOf(this.#data, {
      folder,
      cwd: folder,
      env,
      passOn: () => undefined,
      interruption: new AbortController().signal,
      isAtTerminal: false,
    })
    const file = this.#data.replace(/perf\.data$/, 'cpu.perf.txt')
    await rename(written, file)
    await rm(this.#data, { force: true })
    inside.hotFunctions = hotFunctionsIn(readProfile(await readFile(file)))
    return { inside, files: [{ kind: 'cpu', path: file }], notes }
  }

  close(): Promise<void> {
    this.#child?.kill('SIGINT')
    return Promise.resolve()
  }

  get #data(): string {
    return path.resolve(this.#options.folder, this.#load === 1 ? 'perf.data' : `load-${this.#load}-perf.data`)
  }

  #refusal(): string {
    return `perf recorded nothing: ${this.#said.trim().split('\n').at(-1) ?? ''} Where it is not permitted, be root, or lower kernel.perf_event_paranoid (sysctl) to 1.`
  }
}
