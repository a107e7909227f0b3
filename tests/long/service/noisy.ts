// A program of its own: a tenant that calls more than it may. It is told by its parent how often, and tells what came of it.
import { z } from 'zod'

const { url, tokens, calls } = z
  .object({
    url: z.url(),
    tokens: z.array(z.string()),
    calls: z.array(z.object({ name: z.string(), arguments: z.record(z.string(), z.unknown()) })),
  })
  .parse(JSON.parse(process.argv[2] ?? '{}'))

let perSecond = 0
let sent = 0
let due = 0
let underWay = 0
const counts = { answered: 0, limited: 0, failed: 0, reasons: Array<string>() }
const tickMs = 20
/** More than are answered at once for one person. */
const underWayMost = 100

process.on('message', (rate: number) => {
  perSecond = rate
})
process.once('disconnect', () => process.exit())
process.once('SIGTERM', () => {
  perSecond = 0
  process.send?.(counts, undefined, {}, () => process.exit())
})
setInterval(() => {
  for (due += (perSecond * tickMs) / 1_000; due >= 1; due -= 1)
    if (underWay < underWayMost) void callOnce(sent++)
}, tickMs)

async function callOnce(number: number): Promise<void> {
  const params = calls[number % calls.length]
  const token = tokens[number % tokens.length]
  underWay += 1
  try {
    const answer = await fetch(`${url}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2025-11-25',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: number, method: 'tools/call', params }),
    })
    const text = await answer.text()
    if (text.includes('(rate_limited)') || answer.status === 429) counts.limited += 1
    else if (answer.ok && !text.includes('"isError":true')) counts.answered += 1
    else fail(`${answer.status} ${text.slice(0, 300)}`)
  } catch (error) {
    fail(String(error))
  } finally {
    underWay -= 1
  }
}

function fail(reason: string): void {
  counts.failed += 1
  if (counts.reasons.length < 5) counts.reasons.push(reason)
}
