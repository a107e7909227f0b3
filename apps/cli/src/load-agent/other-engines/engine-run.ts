import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { engineTitle, loadDurationMs } from '@flamegate/loadtest/scenario'
import { readJtlCsv, readK6Json, withoutSecrets } from '@flamegate/loadtest/results'
import type { Share } from '../load-plan.ts'
import type { ProjectFiles } from '../project-files.ts'
import type { EngineCommand, EngineTask, SharedEngineTask } from './engine-command.ts'
import { followFile } from './follow-file.ts'
import { engineEnvironment, type InstalledEngine } from './installed-engines.ts'
import { jmeterCommand, jmeterFault, jmeterWords } from './jmeter-command.ts'
import { k6Command } from './k6-command.ts'
import type { ResultTicks } from './result-ticks.ts'
import { SupervisedProcess, type EndedProcess } from './supervised-process.ts'

/** Until it has to tell of its first request: a Java program, and the set-up of a script, take a while. */
const startMs = 60_000
/** Users may take so long for their last steps, as ours may. */
const drainMs = 5_000
const resultBytesMax = 10_000_000_000
const logLinesMax = 300
const lineCharactersMax = 500
const saidLinesMax = 8
/** With which k6 ends when thresholds of its script were crossed. */
const thresholdsCrossed = 99

/** An engine that others made, at work on one profile, in a folder of its own. */
export class EngineRun {
  readonly #task: EngineTask
  readonly #installed: InstalledEngine
  readonly #log: (words: string) => void
  readonly #words: string[] = []
  #folder = ''
  #lines = 0
  /** The last lines that it said; once it has said that it failed, that and what follows. */
  #said: string[] = []
  #saidFault = false
  #process: SupervisedProcess | undefined
  #wasStopped = false

  constructor(task: EngineTask, installed: InstalledEngine, log: (words: string) => void) {
    this.#task = task
    this.#installed = installed
    this.#log = (words) => log(`${task.engine.type}: ${words}`)
  }

  /** Lays out its files. @throws Error in words for whoever reads of the run */
  async prepare(files: ProjectFiles): Promise<void> {
    const { path, files: others } = this.#task.engine
    this.#folder = await realpath(await mkdtemp(join(tmpdir(), 'flamegate-engine-')))
    for (const name of [path, ...others]) {
      const bytes = files.get(name)
      if (bytes === undefined) throw new Error(`The project file ${name} is not there (any more).`)
      const place = join(this.#scripts, name)
      // oxlint-disable-next-line no-await-in-loop -- a few
      await mkdir(dirname(place), { recursive: true })
      // oxlint-disable-next-line no-await-in-loop -- a few
      await writeFile(place, bytes)
    }
  }

  /**
   * Runs it to its end, or until it was to have ended. @returns what has to be known of it
   * @throws Error when it failed
   */
  async run(ticks: ResultTicks, share: Share): Promise<string[]> {
    if (this.#wasStopped) return []
    const task = { ...this.#task, share }
    const command = this.#command(task)
    if (task.engine.type === 'jmeter') this.#addWords(jmeterWords(task, await readFile(this.#script, 'utf8')))
    for (const [path, text] of Object.entries(command.files))
      // oxlint-disable-next-line no-await-in-loop -- a few
      await writeFile(path, text)
    this.#log(`starts ${this.#installed.program} ${command.args.join(' ')}`)
    const running = new SupervisedProcess(this.#installed.program, command.args, {
      cwd: dirname(this.#script),
      env: { ...command.env, ...engineEnvironment(process.env, this.#folder) },
    })
    this.#process = running
    this.#followLog(running, command)
    const spawnedAt = Date.now()
    const watch = setInterval(() => {
      const begunAt = ticks.firstAt ?? spawnedAt + startMs
      if (Date.now() > begunAt + loadDurationMs(this.#task.profile.load) + drainMs) running.stop()
    }, 250)
    try {
      let hasEnded = false
      const ended = running.done.finally(() => (hasEnded = true))
      const reading = this.#read(running, command, () => hasEnded, ticks).catch((error: unknown) => {
        running.stop()
        throw error
      })
      const [outcome] = await Promise.all([ended, reading])
      await this.#tellEnd(outcome, ticks)
      return [...this.#words, ...ticks.words().map((words) => `${this.#task.engine.type}: ${words}`)]
    } finally {
      clearInterval(watch)
    }
  }

  stop(): void {
    this.#wasStopped = true
    this.#process?.stop()
  }

  /** Also in the middle of it: nothing of it is left. */
  async end(): Promise<void> {
    this.#wasStopped = true
    this.#process?.kill()
    await this.#process?.done.catch(() => {})
    if (this.#folder !== '') await rm(this.#folder, { recursive: true, force: true, maxRetries: 3 })
  }

  get #scripts(): string {
    return join(this.#folder, 'files')
  }

  get #script(): string {
    return join(this.#scripts, this.#task.engine.path)
  }

  #command(task: SharedEngineTask): EngineCommand {
    return task.engine.type === 'k6'
      ? k6Command(task, this.#script)
      : jmeterCommand(task, this.#script, this.#folder)
  }

  #read(
    { stdout }: SupervisedProcess,
    { results }: EngineCommand,
    hasEnded: () => boolean,
    ticks: ResultTicks,
  ): Promise<void> {
    if (results === 'stdout') return readK6Json(stdout, ticks)
    return readJtlCsv(followFile(join(this.#folder, results.file), hasEnded, resultBytesMax), ticks)
  }

  /** What it says is in the log of the agent, as far as there is room. */
  #followLog({ stdout, stderr }: SupervisedProcess, { results }: EngineCommand): void {
    for (const stream of results === 'stdout' ? [stderr] : [stdout, stderr]) {
      let rest = ''
      stream.setEncoding('utf8').on('data', (text: string) => {
        const lines = (rest + text).split('\n')
        // Of a line without an end as much as is kept of any.
        rest = lines.pop()?.slice(0, lineCharactersMax) ?? ''
        for (const line of lines) this.#tell(line)
      })
      stream.on('end', () => this.#tell(rest))
    }
  }

  #tell(whole: string): void {
    if (whole.trim() === '') return
    const line = withoutSecrets(whole.slice(0, lineCharactersMax))
    if (!this.#saidFault && this.#task.engine.type === 'jmeter' && jmeterFault.test(line)) {
      this.#saidFault = true
      this.#said = []
    }
    const said = [...this.#said, line]
    this.#said = this.#saidFault ? said.slice(0, saidLinesMax) : said.slice(-saidLinesMax)
    if (this.#lines > logLinesMax) return
    const isLast = this.#lines++ === logLinesMax
    this.#log(isLast ? 'what it said after that is left out' : line)
  }

  async #tellEnd({ exitCode, wasStopped }: EndedProcess, ticks: ResultTicks): Promise<void> {
    const { type } = this.#task.engine
    this.#log(`ended with ${exitCode ?? 'a signal'}${wasStopped ? ', as it was told to' : ''}`)
    if (type === 'jmeter') await this.#tellJmeterErrors()
    if (type === 'k6' && exitCode === thresholdsCrossed)
      this.#addWords(`Thresholds in the options of ${this.#task.engine.path} were crossed.`)
    else if (this.#saidFault || (exitCode !== 0 && !wasStopped))
      throw new Error(
        `${engineTitle(type)} ended with ${exitCode ?? 'a signal'}. ${this.#said.join(' / ')}`.trim(),
      )
    if (ticks.count === 0) this.#addWords(`${engineTitle(type)} told of no request.`)
  }

  /** It ends well whatever happened, and writes why into a file. */
  async #tellJmeterErrors(): Promise<void> {
    const log = await readFile(join(this.#folder, 'jmeter.log'), 'utf8').catch(() => '')
    for (const line of log
      .split('\n')
      .filter((each) => / (?:ERROR|FATAL) /.test(each))
      .slice(-20))
      this.#tell(line)
  }

  #addWords(words: string | undefined): void {
    if (words !== undefined) this.#words.push(words)
  }
}
