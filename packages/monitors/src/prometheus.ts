import { fetchText, type WebAddress } from './fetch-text.ts'
import { parseExposition } from './parse-exposition.ts'
import type { Collector } from './reading.ts'

/** What answers in the Prometheus text format, or OpenMetrics. */
export function prometheusCollector(address: WebAddress, secret: string | null): Collector {
  const headers = { accept: 'application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5' }
  return {
    read: async () => parseExposition(await fetchText(address, secret, { headers })),
    close: () => Promise.resolve(),
  }
}
