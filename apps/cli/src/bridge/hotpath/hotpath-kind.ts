import { readDuration } from '../../capture/read-duration.ts'
import { interruptible } from '../../harness/interruption.ts'
import { UsageError } from '../../usage-error.ts'
import type { BridgeKind } from '../bridge-kind.ts'
import { sendPush } from '../push-target.ts'
import { Screen } from '../screen.ts'
import { importReport } from './import-report.ts'
import { MetricsServer } from './metrics-server.ts'
import { runHotpathBridge } from './run-hotpath-bridge.ts'

/** `flamegate bridge hotpath`: reads a Rust program with hotpath-rs through its metrics server. */
export const hotpath: BridgeKind = {
  details:
    'The program serves its metrics on its own machine alone, so this runs beside it. It reads every section that the program offers and the logs of what moved, and goes on when the program ends and begins anew. What the platform cannot take yet is kept, and sent later. Ctrl-C ends it, with a last push. With --report it pushes a report that a program wrote as JSON instead. docs/live-metrics.md tells all of it.',
  examples: [
    'FLAMEGATE_LIVE_TOKEN=fg_… flamegate bridge hotpath --app app_…',
    'flamegate bridge hotpath --app app_… --report hotpath.json',
  ],
  options: [
    {
      name: 'port',
      value: '<number>',
      description: "Of the program's metrics server; HOTPATH_METRICS_PORT, or 6770, when left out.",
    },
    { name: 'host', value: '<name>', description: 'Where the program is; 127.0.0.1 when left out.' },
    {
      name: 'auth-token',
      value: '<text>',
      description: 'What the metrics server wants; HOTPATH_METRICS_AUTH_TOKEN when left out.',
    },
    { name: 'interval', value: '<time>', description: 'How often it reads; 1s when left out.' },
    { name: 'report', value: '<file>', description: 'Push this report, and end.' },
  ],
  async run({ line, terminal, target }) {
    const screen = new Screen(terminal, line.flag('quiet') === true)
    const send = (push: Parameters<typeof sendPush>[1]) => sendPush(target, push)
    const report = line.text('report')
    if (report !== undefined) return importReport(report, { cwd: terminal.cwd, send, screen })
    const { env } = terminal
    const port = portOf(line.text('port') ?? (env['HOTPATH_METRICS_PORT'] || '6770'))
    const authToken = line.text('auth-token') ?? (env['HOTPATH_METRICS_AUTH_TOKEN'] || undefined)
    const intervalMs = readDuration('interval', line.text('interval') ?? '1s') * 1000
    const server = new MetricsServer(serverUrl(line.text('host') ?? '127.0.0.1', port), authToken)
    return interruptible((interruption) =>
      runHotpathBridge({ server, send, intervalMs, screen, interruption }),
    )
  },
}

/** @throws UsageError */
function portOf(text: string): number {
  const port = Number(text)
  if (/^\d{1,5}$/.test(text) && port > 0 && port < 65_536) return port
  throw new UsageError(`The port ${text} is none: give a number from 1 to 65535.`)
}

/** @throws UsageError */
function serverUrl(host: string, port: number): string {
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}`
  if (/^[\w.:-]+$/.test(host) && URL.canParse(url)) return url
  throw new UsageError(`--host ${host}: Give the name or address of a machine.`)
}
