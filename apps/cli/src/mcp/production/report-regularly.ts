import type { McpReport, McpResourceSample } from '@flamegate/mcp-profiling'
import { ProcessTree } from '../load/process-tree.ts'
import { newReport } from '../report/new-report.ts'
import type { McpTarget } from '../target/mcp-target.ts'
import type { SampledCalls } from './sampled-calls.ts'

export interface RegularReports {
  target: McpTarget
  label: string | undefined
  calls: SampledCalls
  /** Of the server, where it is known. */
  pid: number | undefined
  /** Messages of clients so far. */
  messages: () => number
  intervalMs: number
  /** Between two looks at the processes. */
  sampleEveryMs: number
  samplingRate: number
  store: (report: McpReport) => Promise<void>
  /** Hears of findings that were not there the last time; undefined: nobody asks the rules. */
  tell: ((finding: string) => void) | undefined
}

/** Makes a report of every interval in which somebody called. */
export class RegularReporting {
  readonly #of: RegularReports
  readonly #tree: ProcessTree | undefined
  readonly #timers: NodeJS.Timeout[]
  #startedAt = new Date()
  #beganAtMs = performance.now()
  #messagesBefore = 0
  #resources: McpResourceSample[] = []
  #known = new Set<string>()

  constructor(of: RegularReports) {
    this.#of = of
    this.#tree = of.pid === undefined ? undefined : new ProcessTree(of.pid)
    // Of this one the next ones are told from.
    void this.#tree?.sample(this.#beganAtMs)
    this.#timers = [
      setInterval(() => void this.#sample(), of.sampleEveryMs),
      setInterval(() => void this.#report(), of.intervalMs),
    ]
  }

  /** With a last report. */
  async end(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer)
    await this.#report()
  }

  async #sample(): Promise<void> {
    const sample = await this.#tree?.sample(this.#beganAtMs)
    if (sample !== undefined) this.#resources.push(sample)
  }

  async #report(): Promise<void> {
    await this.#sample()
    const { target, label, calls, samplingRate, messages, store, tell } = this.#of
    const [startedAt, resources] = [this.#startedAt, this.#resources]
    const messagesNow = messages()
    const count = messagesNow - this.#messagesBefore
    const { samples } = calls
    const operations = calls.take()
    this.#startedAt = new Date()
    this.#beganAtMs = performance.now()
    this.#messagesBefore = messagesNow
    this.#resources = []
    if (operations.length === 0) return
    const report = newReport(
      { target, session: { server: calls.server }, connection: connectionOf(calls) },
      {
        command: 'production',
        startedAt,
        label,
        operations,
        resources,
        notes: [
          `Of ${count} messages of clients, ${samples} calls were timed: each with a probability of ${samplingRate}. Nothing of what was said is kept.`,
        ],
      },
    )
    await store(report)
    if (tell === undefined) return
    // Only now: until then this is to weigh little beside a server in use.
    const { diagnoseReport } = await import('@flamegate/mcp-profiling')
    const { findings } = diagnoseReport(report)
    for (const { rule, subject, title } of findings) if (!this.#known.has(`${rule} ${subject}`)) tell(title)
    this.#known = new Set(findings.map(({ rule, subject }) => `${rule} ${subject}`))
  }
}

function connectionOf({ initializeMs }: SampledCalls): McpReport['connection'] {
  return {
    processStartMs: null,
    oauthMs: null,
    initializeMs,
    toolsListMs: null,
    toolsListBytes: null,
    toolsListTokens: null,
    tools: null,
  }
}
