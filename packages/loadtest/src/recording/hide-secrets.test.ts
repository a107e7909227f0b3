import { expect, test } from 'vitest'
import { piecesOf } from '../testing/har.ts'
import { redacted } from '../text/redactor.ts'
import type { Exchange } from './exchange.ts'
import { hideSecrets } from './hide-secrets.ts'
import { readRecording } from './read-recording.ts'
import { RecordingWriter } from './recording-writer.ts'

const bodyOf = (content: string) => ({
  contentType: 'text/plain',
  sizeBytes: content.length,
  transferredBytes: null,
  content,
  encoding: 'text' as const,
  isCut: false,
})

function exchangeOf(text: string, headers: Exchange['request']['headers'] = []): Exchange {
  return {
    startedAt: '2026-01-01T00:00:00.000Z',
    request: {
      method: 'POST',
      url: `https://shop.test/?${text}`,
      httpVersion: null,
      headers,
      body: bodyOf(text),
    },
    response: { status: 200, statusText: 'OK', httpVersion: null, headers, body: bodyOf(text) },
    error: null,
    timings: {
      blockedMs: null,
      dnsMs: null,
      connectMs: null,
      tlsMs: null,
      sendMs: 0,
      firstByteMs: 1,
      downloadMs: 0,
      totalMs: 1,
    },
    remoteAddress: null,
  }
}

function newRecording(): { pieces: Uint8Array[]; writer: RecordingWriter } {
  const pieces: Uint8Array[] = []
  return { pieces, writer: new RecordingWriter((bytes) => void pieces.push(bytes)) }
}

/** What is kept of exchanges when secrets are hidden afterwards. */
async function keptWithout(secrets: readonly string[], exchanges: readonly Exchange[]): Promise<Exchange[]> {
  const before = newRecording()
  for (const exchange of exchanges) await before.writer.keep(exchange)
  const after = newRecording()
  const content = piecesOf(Buffer.concat(before.pieces), 100)
  await hideSecrets({ content, index: before.writer.index }, new Set(secrets), after.writer)
  expect(JSON.stringify(after.writer.index)).not.toMatch(/s3cr|hunter2/)
  const read: Exchange[] = []
  for await (const exchange of readRecording(piecesOf(Buffer.concat(after.pieces), 100), after.writer.index))
    read.push(exchange)
  return read
}

const secret = `s3cr&t "p'ss"/<+word`

test.each([
  ['as it is', secret],
  ['in a form', new URLSearchParams({ p: secret }).toString()],
  ['in an address', encodeURIComponent(secret)],
  ['in JSON', JSON.stringify({ p: secret })],
  ['in JSON within JSON', JSON.stringify({ p: secret }).replaceAll('/', String.raw`\/`)],
  ['in JSON as .NET writes it', JSON.stringify({ p: secret }).replaceAll(/[&<'+]/g, jsonEscape)],
  ['in HTML', secret.replaceAll(/[&<>"]/g, htmlEscape)],
  ['in HTML with apostrophes', secret.replaceAll(/[&<>"']/g, htmlEscape)],
  ['in base64', Buffer.from(`ann:${secret}`).toString('base64')],
])(
  'a secret is hidden %s, in addresses, headers and bodies, and everything keeps its place',
  async (_name, text) => {
    const plain = exchangeOf('nothing=secret')
    const kept = await keptWithout([secret], [plain, exchangeOf(text, [{ name: 'x-a', value: text }]), plain])
    expect(kept).toHaveLength(3)
    expect([kept[0], kept[2]]).toEqual([plain, plain])
    const { request, response } = kept[1]!
    for (const part of [
      request.url,
      request.headers[0]?.value,
      request.body?.content,
      response?.body?.content,
    ])
      expect(part).toContain(redacted)
    expect(JSON.stringify(kept[1])).not.toMatch(/s3cr|czNjc|word/)
  },
)

test('more secrets than can be looked for are hidden with what requests send', async () => {
  const many = Array.from({ length: 60 }, (_, index) => `hunter2-${index}`)
  const kept = await keptWithout(many, [
    { ...exchangeOf(''), request: exchangeOf(many.join(' ')).request, response: null },
  ])
  expect(kept[0]?.request.body).toMatchObject({ content: null, isCut: true })
})

function htmlEscape(character: string): string {
  return { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }[character] ?? character
}

function jsonEscape(character: string): string {
  return String.raw`\u00${character.charCodeAt(0).toString(16).toUpperCase()}`
}
