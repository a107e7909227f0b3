import { reportMonitor } from '@flamegate/contract/monitors/report-monitor'
import { countersMax, parseDocument } from '@flamegate/loadtest'
import { Choice, openCollector, Rates, type Collector } from '@flamegate/monitors'
import { untilOver } from '../capture/until-over.ts'
import { wordsOf, type MonitorAgentContext, type MonitorLease } from './monitor-agent-context.ts'

/** What only rises has to be seen twice. */
const betweenSeconds = 1

/** Connects to what is monitored once, and tells which counters it has. */
export async function checkMonitor(context: MonitorAgentContext, lease: MonitorLease): Promise<void> {
  const found = await look(context, lease).catch((error: unknown) => ({
    is_reachable: false,
    message: wordsOf(error),
    check: { counters: [], counter_count: 0 },
  }))
  await context.client.call(reportMonitor, {
    monitor_id: lease.monitor_id,
    agent: context.name,
    ...found,
  })
  context.log(`${lease.monitor_id}: checked: ${found.message}`)
}

async function look({ interruption }: MonitorAgentContext, { document, secret }: MonitorLease) {
  const monitor = parseDocument('monitor', document)
  let collector: Collector | undefined
  try {
    collector = await openCollector(monitor, secret)
    const rates = new Rates()
    rates.of(await collector.read(), performance.now())
    await untilOver(betweenSeconds, interruption)
    const readings = await collector.read()
    const kept = new Set(new Choice(monitor.counters).of(readings).map(({ name }) => name))
    const counters = rates
      .of(readings, performance.now())
      .map(({ name, unit, value }) => ({
        name: name.slice(0, 500),
        unit: unit.slice(0, 40),
        value,
        is_kept: kept.has(name),
      }))
      .toSorted((a, b) => Number(b.is_kept) - Number(a.is_kept))
    return {
      is_reachable: true,
      message:
        monitor.type === 'otlp' && counters.length === 0
          ? `It listens at http://127.0.0.1:${monitor.port}/v1/metrics, and nothing came within 5 s.`
          : `${counters.length} counters, of which ${kept.size} are kept.`,
      check: { counters: counters.slice(0, countersMax), counter_count: counters.length },
    }
  } finally {
    await collector?.close().catch(() => undefined)
  }
}
