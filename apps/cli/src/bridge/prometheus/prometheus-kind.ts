import { readDuration } from '../../capture/read-duration.ts'
import { interruptible } from '../../harness/interruption.ts'
import { UsageError } from '../../usage-error.ts'
import type { BridgeKind } from '../bridge-kind.ts'
import { sendPush } from '../push-target.ts'
import { Screen } from '../screen.ts'

/** `flamegate bridge prometheus`: scrapes what has metrics for Prometheus. */
export const prometheus: BridgeKind = {
  details:
    'Every series becomes a gauge of the live app: counters count, and histograms and summaries of durations and sizes tell percentiles. What the platform cannot take yet is kept, and sent later. Ctrl-C ends it. docs/live-metrics.md tells all of it.',
  examples: [
    'FLAMEGATE_LIVE_TOKEN=fg_… flamegate bridge prometheus --app app_… --target http://127.0.0.1:9100/metrics',
  ],
  options: [
    {
      name: 'target',
      value: '<url>',
      description:
        'What to scrape, in the Prometheus text format or OpenMetrics; with user:password@ where it wants them.',
    },
    { name: 'interval', value: '<time>', description: 'How often; 5s when left out.' },
  ],
  async run({ line, terminal, target: pushTarget }) {
    const target = targetOf(line.text('target'))
    const intervalMs = readDuration('interval', line.text('interval') ?? '5s') * 1000
    const screen = new Screen(terminal, line.flag('quiet') === true)
    // Drivers of databases come with it: not for every other command.
    const { runPrometheusBridge } = await import('./run-prometheus-bridge.ts')
    return interruptible((interruption) =>
      runPrometheusBridge({
        target,
        send: (push) => sendPush(pushTarget, push),
        intervalMs,
        screen,
        interruption,
      }),
    )
  },
}

/** @throws UsageError */
function targetOf(text: string | undefined): URL {
  if (text === undefined)
    throw new UsageError('Say what it scrapes: --target http://127.0.0.1:9100/metrics, for instance.')
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url
  throw new UsageError(`--target ${text} is no address: write such as http://127.0.0.1:9100/metrics.`)
}
