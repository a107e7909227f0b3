import { fetchText, type WebAddress } from './fetch-text.ts'
import type { Collector, Reading } from './reading.ts'

/** https://nginx.org/en/docs/http/ngx_http_stub_status_module.html */
export function nginxCollector(address: WebAddress, secret: string | null): Collector {
  return {
    read: async () => stubStatusReadings(await fetchText(address, secret)),
    close: () => Promise.resolve(),
  }
}

const format =
  /^Active connections: (\d+)\s+server accepts handled requests(?: request_time)?\s+(\d+) (\d+) (\d+)(?: \d+)?\s+Reading: (\d+) Writing: (\d+) Waiting: (\d+)\s*$/

/** @throws Error when it is another page */
export function stubStatusReadings(text: string): Reading[] {
  const numbers = format.exec(text)?.slice(1).map(Number)
  if (numbers === undefined) throw new Error('This is not what stub_status answers: look at the address.')
  const [active = 0, accepts = 0, handled = 0, requests = 0, reading = 0, writing = 0, waiting = 0] = numbers
  return [
    level('connections.active', active),
    level('connections.reading', reading),
    level('connections.writing', writing),
    level('connections.waiting', waiting),
    rate('connections.accepted', accepts),
    // Not handled are those for which there was no place.
    rate('connections.dropped', accepts - handled),
    rate('requests', requests),
  ]
}

function level(name: string, value: number): Reading {
  return { name, unit: '', kind: 'gauge', value, isUsual: true }
}

function rate(name: string, value: number): Reading {
  return { name, unit: '/s', kind: 'counter', value, isUsual: true }
}
