import type { McpReport } from '@flamegate/mcp-profiling'
import type { CommandLine } from '../../arguments/command-line.ts'
import type { CommandBody, CommandContext } from '../../commands/command.ts'
import { interruptible } from '../../harness/interruption.ts'
import { UsageError } from '../../usage-error.ts'
import { listeningProcess } from '../load/listening-process.ts'
import { askedTarget, countOf, durationMsOf, reportOptions, shareOf, targetOptions } from '../options.ts'
import { proxyHttp } from '../production/proxy-http.ts'
import { RegularReporting, type RegularReports } from '../production/report-regularly.ts'
import { SampledCalls } from '../production/sampled-calls.ts'
import { wrapStdio, type Ended } from '../production/wrap-stdio.ts'
import { readSettings } from '../settings.ts'
import { isLoopback } from '../target/allowed-load.ts'
import { findTarget } from '../target/find-target.ts'
import type { HttpTarget } from '../target/mcp-target.ts'

const sampledSeldomMs = 30_000
const sampledOftenMs = 1000
const lowRate = 0.01

const targetNames = new Set(['mcp', 'header', 'env', 'project'])
const reportNames = new Set(['label', 'keep', 'upload'])

export const production: CommandBody = {
  details:
    'Goes in place of the command of a server in the configuration of a client: everything is passed on as it is, and the server ends as it would. For a server at a URL it listens on a port of this machine. Reports are written every --interval, and at the end, when somebody called; they hold numbers, and nothing of what was said.',
  examples: [
    'mcp-profiler production --sampling-rate 0.01 --low-overhead -- node server.js',
    'mcp-profiler production --mcp http://localhost:3000/mcp --port 8080',
  ],
  positionals: ['-- command…'],
  options: [
    ...targetOptions.filter(({ name }) => targetNames.has(name)),
    {
      name: 'sampling-rate',
      value: '<share>',
      description:
        'Of the calls, such as 0.01 or 1%; profiler.samplingRate when left out, 0.01 with --low-overhead.',
    },
    {
      name: 'low-overhead',
      description: 'Look at the processes twice a minute, and not every second.',
    },
    { name: 'interval', value: '<time>', description: 'Of a report; 5m when left out.' },
    {
      name: 'port',
      value: '<port>',
      description: 'Where it listens, for a server at a URL; any free one when left out.',
    },
    ...reportOptions.filter(({ name }) => reportNames.has(name)),
  ],
  async run(context) {
    const { line, terminal } = context
    const target = await findTarget({ ...askedTarget(line), isSse: false }, terminal)
    if (target.kind === 'stdio') {
      if (line.text('port') !== undefined) throw new UsageError('--port is for a server at a URL.')
      const plan = planOf(context)
      const wrapped = await wrapStdio(target, terminal.env, plan.calls)
      const reports = reportingOf(plan, { target, ...wrapped })
      const ended = await wrapped.ended
      await reports?.end()
      return codeOf(ended)
    }
    return interruptible((interruption) => proxied(context, target, interruption))
  },
}

async function proxied(
  context: CommandContext,
  target: HttpTarget,
  interruption: AbortSignal,
): Promise<void> {
  const { line, terminal } = context
  const plan = planOf(context)
  const proxy = await proxyHttp(target, countOf(line, 'port', 65_535, 0) ?? 0, plan.calls)
  const { hostname, port, protocol } = new URL(target.url)
  const pid = isLoopback(hostname)
    ? await listeningProcess(Number(port) || (protocol === 'https:' ? 443 : 80))
    : undefined
  const reports = reportingOf(plan, { target, pid, messages: proxy.messages })
  terminal.writeOut(proxy.url)
  await new Promise<void>((resolve) => {
    if (interruption.aborted) resolve()
    interruption.addEventListener('abort', () => resolve(), { once: true })
  })
  await proxy.close()
  await reports?.end()
}

type Plan = Omit<RegularReports, 'target' | 'pid' | 'messages'> & { isEnabled: boolean }

/** @throws UsageError */
function planOf({ line, terminal }: CommandContext): Plan {
  const { profiler, performance: recorded } = readSettings(terminal.cwd).configuration
  const isLow = line.flag('low-overhead') === true
  const samplingRate = profiler.enabled ? rateOf(line, isLow ? lowRate : profiler.samplingRate) : 0
  const intervalMs = durationMsOf(line, 'interval', '5m')
  const say = (text: string) => terminal.writeError(`mcp-profiler: ${text}\n`)
  return {
    isEnabled: profiler.enabled,
    label: line.text('label'),
    calls: new SampledCalls({ samplingRate, maxSamples: profiler.maxSamples, intervalMs }),
    samplingRate,
    intervalMs,
    sampleEveryMs: isLow ? sampledSeldomMs : sampledOftenMs,
    store: async (report: McpReport) => {
      try {
        // Only now: until then this is to weigh little beside a server in use.
        const { storeReport } = await import('../report/store-report.ts')
        await storeReport(report, { line, terminal })
      } catch (error) {
        // A folder that cannot be written is no reason to end a server in use.
        say(`the report was not kept: ${error instanceof Error ? error.message : String(error)}`)
      }
    },
    tell: profiler.realTimeAnalysis && recorded.bottleneckDetection ? say : undefined,
  }
}

function rateOf(line: CommandLine, otherwise: number): number {
  return shareOf(line, 'sampling-rate') ?? otherwise
}

function reportingOf(
  { isEnabled, ...plan }: Plan,
  server: Pick<RegularReports, 'target' | 'pid' | 'messages'>,
): RegularReporting | undefined {
  return isEnabled ? new RegularReporting({ ...plan, ...server }) : undefined
}

/** As a shell tells it; who started this sees the signal too, where there was one. */
function codeOf({ code, signal }: Ended): number {
  if (signal === null) return code ?? 0
  process.kill(process.pid, signal)
  return 1
}
