import { diagnoseReport, type McpReport } from '@flamegate/mcp-profiling'
import { AlertStates, sendAlert, type AlertWebhook, type PerformanceAlert } from '@flamegate/profiler/alerts'
import type { CommandLine, Option } from '../../arguments/command-line.ts'
import type { CommandBody, CommandContext } from '../../commands/command.ts'
import { interruptible } from '../../harness/interruption.ts'
import { UsageError } from '../../usage-error.ts'
import { runChildCommand } from '../child-command.ts'
import { expireReports } from '../continuous/expire-reports.ts'
import { judgedValues } from '../continuous/report-alerts.ts'
import { isGone, sampleLine } from '../continuous/sample-report.ts'
import { CouldNotMeasure } from '../could-not-measure.ts'
import { measuring, type Measuring } from '../measuring.ts'
import { durationMsOf, operationOptions, rateOf, reportOptions, targetOptions } from '../options.ts'
import { storeReport } from '../report/store-report.ts'
import { readSettings } from '../settings.ts'

const reportNames = new Set(['label', 'keep', 'upload', 'json'])

export const continuous: CommandBody = {
  details:
    'The session stays open in between, and with it a server that was started for this. Each sample is a light, even load. Alerts are those of mcp-profiler.config.json: told when they begin and when they are over. A server that goes away is told, and tried again in the next interval. Ctrl-C ends it.',
  examples: ['mcp-profiler continuous --mcp my-server --interval 5m --retention 24h'],
  positionals: ['-- command…'],
  options: [
    ...targetOptions,
    ...operationOptions,
    {
      name: 'interval',
      value: '<time>',
      description: 'From one sample to the next, such as 5m, which it is when left out.',
    },
    {
      name: 'retention',
      value: '<time>',
      description: 'Reports that are older are removed; 24h when left out.',
    },
    { name: 'duration', value: '<time>', description: 'Of each sample; 10s when left out.' },
    { name: 'rps', value: '<n>', description: 'Calls per second meanwhile; 2 when left out.' },
    {
      name: 'webhook',
      value: '<url>',
      description:
        'Alerts are posted there as JSON, signed with the secret in MCP_PERFORMANCE_WEBHOOK_SECRET (Standard Webhooks).',
    },
    ...reportOptions.filter(({ name }) => reportNames.has(name)),
  ],
  run: (context) =>
    interruptible((interruption) => new ContinuousWatch(context).run(interruption), { isForReaders: true }),
}

class ContinuousWatch {
  readonly #context: CommandContext
  readonly #intervalMs: number
  readonly #retentionMs: number
  readonly #durationMs: number
  readonly #rps: number
  readonly #webhook: AlertWebhook | undefined
  readonly #alerts = new AlertStates()
  readonly #settings
  #known: ReadonlySet<string> = new Set()
  #wasThere = false
  #nextAtMs = 0

  /** @throws UsageError */
  constructor(context: CommandContext) {
    const { line, terminal } = context
    this.#context = context
    this.#intervalMs = durationMsOf(line, 'interval', '5m')
    this.#retentionMs = durationMsOf(line, 'retention', '24h')
    this.#durationMs = durationMsOf(line, 'duration', '10s')
    this.#rps = rateOf(line, 'rps') ?? 2
    if (this.#durationMs > this.#intervalMs && line.text('duration') !== undefined)
      throw new UsageError('--duration is part of --interval, and cannot be longer.')
    this.#durationMs = Math.min(this.#durationMs, this.#intervalMs)
    this.#webhook = webhookOf(context)
    this.#settings = readSettings(terminal.cwd).configuration
  }

  async run(interruption: AbortSignal): Promise<void> {
    while (!interruption.aborted) {
      try {
        await measuring(this.#context, { command: 'continuous', isWide: true }, (each) =>
          this.#watch(each, interruption),
        )
      } catch (error) {
        if (interruption.aborted && error instanceof CouldNotMeasure) return
        // What never was there is a mistake of who asked.
        if (!(error instanceof CouldNotMeasure) || !this.#wasThere) throw error
        this.#say(`${error.message} It is tried again in ${this.#intervalMs / 1000} s.`)
        this.#nextAtMs = performance.now() + this.#intervalMs
        await this.#untilNext(interruption)
      }
    }
  }

  /** Samples of one session, until it is over. */
  async #watch(each: Measuring, interruption: AbortSignal): Promise<void> {
    if (this.#wasThere) this.#say('The server is there again.')
    let isFirst = true
    while (!interruption.aborted) {
      this.#nextAtMs = performance.now() + this.#intervalMs
      const startedAt = new Date()
      const measured = await each.measure(
        'sample',
        { model: 'open', rps: this.#rps, durationMs: this.#durationMs, rampUpMs: 0 },
        isFirst ? {} : { warmUpCalls: 0 },
      )
      isFirst = false
      const report = {
        ...each.report(measured),
        startedAt: startedAt.toISOString(),
        durationMs: Date.now() - startedAt.getTime(),
      }
      if (isGone(report)) throw new CouldNotMeasure(`${report.target.name} went away: ${whyGone(report)}`)
      this.#wasThere = true
      const alerts = await this.#keep(report)
      if (alerts.some(({ type, state }) => type === 'slow_response' && state === 'open'))
        await this.#tune(each, interruption)
      await this.#untilNext(interruption)
    }
  }

  /** @returns what began or ended with it */
  async #keep(report: McpReport): Promise<PerformanceAlert[]> {
    const { line, terminal } = this.#context
    const { alerts, performance: recorded, profiler } = this.#settings
    const stored = await storeReport(report, { line, terminal })
    await expireReports(terminal.cwd, report, this.#retentionMs)
    terminal.writeOut(line.flag('json') === true ? JSON.stringify(stored) : sampleLine(stored))
    const told = alerts.enabled ? this.#alerts.judge(report.startedAt, judgedValues(report, alerts)) : []
    for (const alert of told) this.#tell(alert)
    if (profiler.realTimeAnalysis && recorded.bottleneckDetection) this.#diagnose(report)
    return told
  }

  /** Tries settings that cannot change what the server does, on servers of its own. Applies none. */
  async #tune({ server: { target } }: Measuring, signal: AbortSignal): Promise<void> {
    const { line, terminal } = this.#context
    const { profiler, alerts } = this.#settings
    if (!profiler.autoOptimization || target.kind !== 'stdio') return
    this.#say('Settings are tried that may make it faster, without another sample meanwhile.')
    const { out, said, exitCode } = await runChildCommand(
      [
        'auto-tune',
        '--safe-mode',
        '--target-latency',
        `${alerts.responseTimeThreshold}ms`,
        ...givenOptions(line, [...targetOptions, ...operationOptions]),
        '--',
        ...line.positionals,
      ],
      { cwd: terminal.cwd, env: terminal.env, signal, onProgress: () => {} },
    )
    this.#say(exitCode === 2 ? `Settings could not be tried: ${said}` : out)
  }

  #tell(alert: PerformanceAlert): void {
    const { type, state, message, threshold } = alert
    this.#say(`Alert ${type} ${state}: ${message}, where ${threshold} is the threshold.`)
    if (this.#webhook === undefined) return
    sendAlert(this.#webhook, alert).catch((error: unknown) =>
      this.#say(
        `The webhook was not told of ${type}: ${error instanceof Error ? error.message : 'why is not known'}`,
      ),
    )
  }

  /** Tells what was not there the last time. */
  #diagnose(report: McpReport): void {
    const { findings } = diagnoseReport(report)
    for (const { rule, subject, title, suggestion } of findings)
      if (!this.#known.has(`${rule} ${subject}`)) this.#say(`${title} ${suggestion}`)
    this.#known = new Set(findings.map(({ rule, subject }) => `${rule} ${subject}`))
  }

  #say(text: string): void {
    this.#context.terminal.writeError(`${text}\n`)
  }

  #untilNext(interruption: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (interruption.aborted) return resolve()
      const timer = setTimeout(end, Math.max(0, this.#nextAtMs - performance.now()))
      function end() {
        clearTimeout(timer)
        interruption.removeEventListener('abort', end)
        resolve()
      }
      interruption.addEventListener('abort', end)
    })
  }
}

/** As they were given, for another command. */
function givenOptions(line: CommandLine, options: readonly Option[]): string[] {
  return options.flatMap(({ name }) => {
    const text = line.text(name)
    if (text !== undefined) return [`--${name}`, text]
    if (line.flag(name) === true) return [`--${name}`]
    return (line.list(name) ?? []).flatMap((each) => [`--${name}`, each])
  })
}

function whyGone({ operations }: McpReport): string {
  return operations.flatMap(({ failures }) => failures.map(({ message }) => message))[0] ?? 'nobody answered.'
}

/** @throws UsageError */
function webhookOf({ line, terminal }: CommandContext): AlertWebhook | undefined {
  const url = line.text('webhook')
  if (url === undefined) return undefined
  if (!/^https?:\/\//.test(url) || !URL.canParse(url))
    throw new UsageError(`--webhook ${url} is no URL. Write one such as https://example.com/alerts.`)
  const secret = terminal.env['MCP_PERFORMANCE_WEBHOOK_SECRET']
  return secret ? { url, secret } : { url }
}
