import { fetchText, type WebAddress } from './fetch-text.ts'
import { parseExposition } from './parse-exposition.ts'
import type { Collector } from './reading.ts'

const headers = { accept: 'application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5' }

/** What answers in the Prometheus text format, or OpenMetrics. */
export function prometheusCollector(address: WebAddress, secret: string | null): Collector {
  return {
    read: async () => parseExposition(await scrape(address, secret)),
    close: () => Promise.resolve(),
  }
}

/** The text that an address answers Prometheus with. @throws Error that says what went wrong */
export function scrape(address: WebAddress, secret: string | null): Promise<string> {
  return fetchText(address, secret, { headers })
}
