import { expect, test } from 'vitest'
import type { Exchange, ExchangeHeader } from '../recording/exchange.ts'
import { RecordingWriter } from '../recording/recording-writer.ts'
import { recordedAnswer, replayedAnswer } from './judged-answer.ts'

const shop = 'https://shop.test'

function exchange(path: string, status: number | null, headers: ExchangeHeader[] = []): Exchange {
  const none = { blockedMs: null, dnsMs: null, connectMs: null, tlsMs: null }
  return {
    startedAt: '2026-01-01T00:00:00.000Z',
    request: { method: 'GET', url: `${shop}${path}`, httpVersion: null, headers: [], body: null },
    response: status === null ? null : { status, statusText: '', httpVersion: null, headers, body: null },
    error: status === null ? 'reset' : null,
    timings: { ...none, sendMs: 0, firstByteMs: 1, downloadMs: 0, totalMs: 1 },
    remoteAddress: null,
  }
}
const to = (value: string) => [{ name: 'Location', value }]

const chain = [
  exchange('/login', 302, to('/welcome')),
  exchange('/welcome', 303, to(`${shop}/catalog`)),
  exchange('/catalog', 200),
]
const bothRedirects = [
  { status: 302, to: `${shop}/welcome` },
  { status: 303, to: `${shop}/catalog` },
]

async function recorded(exchanges: readonly Exchange[]) {
  const writer = new RecordingWriter(() => undefined)
  // oxlint-disable-next-line no-await-in-loop -- in their order
  for (const each of exchanges) await writer.keep(each)
  return recordedAnswer(writer.index.exchanges)
}

test('a recorded answer has the redirects that were followed, and the one that was not', async () => {
  const url = `${shop}/login`
  expect(await recorded(chain)).toEqual({ status: 200, url, redirects: bothRedirects })
  expect(await recorded(chain.slice(0, 2))).toEqual({ status: 303, url, redirects: bothRedirects })
  expect(await recorded([exchange('/login', 302)])).toMatchObject({ redirects: [{ status: 302, to: null }] })
  expect(await recorded([exchange('/login', 304)])).toMatchObject({ status: 304, redirects: [] })
  expect(await recorded([exchange('/login', null)])).toMatchObject({ status: null, redirects: [] })
})

test('a replayed answer has its redirects, and neither challenges nor resources', () => {
  const [first, second, last] = chain
  const exchanges = [
    { role: 'challenge' as const, exchange: exchange('/login', 401) },
    { role: 'redirect' as const, exchange: first! },
    { role: 'redirect' as const, exchange: second! },
    { role: 'main' as const, exchange: last! },
    { role: 'resource' as const, exchange: exchange('/a.png', 302, to('/b.png')) },
  ]
  const url = `${shop}/login`
  expect(replayedAnswer(200, exchanges)).toEqual({ status: 200, url, redirects: bothRedirects })
  const unfollowed = [{ role: 'main' as const, exchange: first! }]
  expect(replayedAnswer(302, unfollowed)).toEqual({ status: 302, url, redirects: bothRedirects.slice(0, 1) })
  expect(replayedAnswer(null, [])).toEqual({ status: null, url: null, redirects: [] })
})
