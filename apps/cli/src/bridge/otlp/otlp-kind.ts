import { interruptible } from '../../harness/interruption.ts'
import { UsageError } from '../../usage-error.ts'
import type { BridgeKind } from '../bridge-kind.ts'
import { sendPush } from '../push-target.ts'
import { Screen } from '../screen.ts'

const usualListen = '127.0.0.1:4318'

/** `flamegate bridge otlp`: takes what exporters of OpenTelemetry send. */
export const otlp: BridgeKind = {
  details:
    'Exporters can send to the platform themselves; through this they need no token, and what the platform cannot take yet is kept, and sent later. It takes OTLP over HTTP, as protobuf or JSON, and not over gRPC. Ctrl-C ends it, with a last push. docs/live-metrics.md tells all of it.',
  examples: ['FLAMEGATE_LIVE_TOKEN=fg_… flamegate bridge otlp --app app_… --listen 127.0.0.1:4318'],
  options: [
    {
      name: 'listen',
      value: '<host:port>',
      description: `Where exporters send to, without a token; ${usualListen} when left out.`,
    },
  ],
  async run({ line, terminal, target }) {
    const { host, port } = placeOf(line.text('listen') ?? usualListen)
    const screen = new Screen(terminal, line.flag('quiet') === true)
    // Drivers of databases come with it: not for every other command.
    const { runOtlpBridge } = await import('./run-otlp-bridge.ts')
    return interruptible((interruption) =>
      runOtlpBridge({ host, port, send: (push) => sendPush(target, push), screen, interruption }),
    )
  },
}

/** @throws UsageError */
function placeOf(text: string): { host: string; port: number } {
  const [, host, digits] = /^\[?([^\]]+?)\]?:(\d{1,5})$/.exec(text) ?? []
  const port = Number(digits)
  if (host !== undefined && port > 0 && port < 65_536) return { host, port }
  throw new UsageError(`--listen ${text} is no place: write such as ${usualListen}.`)
}
