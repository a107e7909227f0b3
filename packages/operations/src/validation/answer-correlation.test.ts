import { correlationRule, RecordingWriter, virtualUser, type Exchange } from '@flamegate/loadtest'
import { expect, test } from 'vitest'
import { answerCorrelation } from './answer-correlation.ts'

const answered = (url: string, content: string): Exchange => ({
  startedAt: '2026-11-20T10:00:00.000Z',
  request: { method: 'GET', url, httpVersion: null, headers: [], body: null },
  response: {
    status: 200,
    statusText: 'OK',
    httpVersion: null,
    headers: [],
    body: {
      contentType: 'text/html',
      sizeBytes: content.length,
      transferredBytes: null,
      content,
      encoding: 'text',
      isCut: false,
    },
  },
  error: null,
  timings: {
    blockedMs: null,
    dnsMs: null,
    connectMs: null,
    tlsMs: null,
    sendMs: null,
    firstByteMs: null,
    downloadMs: null,
    totalMs: 1,
  },
  remoteAddress: null,
})

async function fileOf(...exchanges: Exchange[]) {
  const pieces: Uint8Array[] = []
  const writer = new RecordingWriter((bytes) => {
    pieces.push(bytes)
  })
  // oxlint-disable-next-line no-await-in-loop -- one after the other
  for (const exchange of exchanges) await writer.keep(exchange)
  return { bytes: Buffer.concat(pieces), index: writer.index }
}

const token = 'Zx81Kq44WmPp'
const recording = await fileOf(
  answered('https://shop.example.com/', `<input type="hidden" name="token" value="${token}">`),
  answered(`https://shop.example.com/next?token=${token}`, 'done'),
)
const request = (
  id: string,
  path: string,
  recorded: number,
  query: { name: string; value: string }[] = [],
) => ({
  type: 'http_request',
  id,
  method: 'GET',
  server_id: 'srv_1',
  path,
  query,
  recorded,
})
const document = virtualUser.parse({
  name: 'Shop',
  actions: [request('a1', '/', 0), request('a2', '/next', 1, [{ name: 'token', value: token }])],
})
const asked = { document, recording, replays: [] }

test('rules take their values from the answers', async () => {
  const source = { type: 'regex', pattern: String.raw`name="token" value="(\w+)"` }
  const rules = [correlationRule.parse({ name: 'Token', variable: 'token', source })]
  const { applied } = await answerCorrelation({
    ...asked,
    name: 'applied_rules',
    params: { rules, taken: [] },
  })
  expect(applied).toMatchObject([{ by: 'Token', actionId: 'a1', value: token }])
})

test('suggestions are applied by their ids, and those that are none are told', async () => {
  const { suggestions } = await answerCorrelation({ ...asked, name: 'suggestions', params: { taken: [] } })
  const [suggestion] = suggestions
  const { applied, missing } = await answerCorrelation({
    ...asked,
    name: 'applied_suggestions',
    params: { taken: [], ids: [suggestion?.id ?? '', 'gone'], confidenceMin: 1 },
  })
  expect(applied).toMatchObject([{ by: suggestion?.id, value: token }])
  expect(missing).toEqual(['gone'])
})

test('the likely cause of a failure is a value that the replay answered anew', async () => {
  const replay = await fileOf(
    answered('https://shop.example.com/', '<input type="hidden" name="token" value="Yy92Lr55XnQq">'),
  )
  const actions = new Map([['a1', { outcome: 'passed', place: 0 }] as const])
  const causes = await answerCorrelation({
    ...asked,
    name: 'likely_causes',
    replays: [{ ...replay, actions }],
    params: {
      results: [{ actionId: 'a2', type: 'http_request', outcome: 'failed', status: 403, extractors: [] }],
    },
  })
  expect(causes).toMatchObject([{ actionId: 'a2', sent: token, given: 'Yy92Lr55XnQq' }])
})
