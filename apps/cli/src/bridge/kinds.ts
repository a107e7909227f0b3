import type { BridgeKind } from './bridge-kind.ts'

/** What a bridge can read, in the order of the help. */
export const bridgeKinds: readonly {
  name: string
  /** One sentence for the help. */
  summary: string
  load: () => Promise<BridgeKind>
}[] = [
  {
    name: 'hotpath',
    summary: 'Read a Rust program with hotpath-rs, and push it to a live app.',
    load: async () => (await import('./hotpath/hotpath-kind.ts')).hotpath,
  },
  {
    name: 'prometheus',
    summary: 'Scrape metrics that are there for Prometheus, and push them to a live app.',
    load: async () => (await import('./prometheus/prometheus-kind.ts')).prometheus,
  },
  {
    name: 'otlp',
    summary: 'Take metrics and traces of OpenTelemetry exporters, and push them to a live app.',
    load: async () => (await import('./otlp/otlp-kind.ts')).otlp,
  },
]
