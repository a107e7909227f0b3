import { beforeAll, describe, expect, test } from 'vitest'
import type { Exchange } from '../recording/exchange.ts'
import { fixture, fixturePaths } from '../testing/fixtures.ts'
import { exchangeOf, ids, recordingOf, userOf } from '../testing/short-exchanges.ts'
import { applySuggestions } from './apply-suggestions.ts'
import { suggestCorrelations, type Suggestions } from './suggest-correlations.ts'
import { textSlots } from './text-slots.ts'

const path = 'har/correlation-shop.har'

interface Har {
  log: {
    entries: {
      request: { method: string; url: string; headers: Header[]; postData?: { text: string } }
      response: { status: number; headers: Header[]; content: { text?: string } }
    }[]
  }
}
interface Header {
  name: string
  value: string
}

function readExchanges(): Exchange[] {
  const { log }: Har = JSON.parse(Buffer.from(fixture(path)).toString())
  return log.entries.map(({ request, response }) =>
    exchangeOf({
      request: `${request.method} ${request.url}`,
      headers: Object.fromEntries(request.headers.map(({ name, value }) => [name, value])),
      ...(request.postData ? { body: request.postData.text } : {}),
      status: response.status,
      answerHeaders: Object.fromEntries(response.headers.map(({ name, value }) => [name, value])),
      ...(response.content.text ? { answer: response.content.text } : {}),
    }),
  )
}

const draw = ({ suggestions }: Suggestions) =>
  suggestions
    .map(
      ({ variable, source, uses }) =>
        `${variable} ${source.actionId} ${source.kind}: ${uses.map(({ actionId, target }) => `${actionId} ${target}`).join(', ')}`,
    )
    .toSorted()

describe.runIf(fixturePaths('har').includes(path))('correlation-shop.har', () => {
  let exchanges: Exchange[]
  let found: Suggestions
  beforeAll(async () => {
    exchanges = readExchanges()
    found = await suggestCorrelations(userOf(exchanges), recordingOf(exchanges))
  })
  test('the tokens, the session, the JWT and the order are found; cursor, nonce and products are not', () => {
    expect(draw(found)).toEqual([
      'order_id r6 json: r7 path',
      'request_verification_token r2 hidden_input: r3 body',
      'sid r3 location: r4 query',
      'token r4 script: r5 header, r6 header, r7 header',
      'viewstate r2 hidden_input: r3 body',
    ])
  })

  test('the session cookie needs nothing', () => {
    expect(found.cookies).toEqual([{ name: 'SESSIONID', exchange: 0, uses: 7 }])
  })

  test('where redirects are followed, what they lead to is found behind them', async () => {
    const document = userOf(exchanges, [0, 2, 3, 5, 6, 7], true)
    expect(draw(await suggestCorrelations(document, recordingOf(exchanges)))).toEqual([
      'order_id r6 json: r7 path',
      'request_verification_token r2 hidden_input: r3 body',
      'token r3 script: r5 header, r6 header, r7 header',
      'viewstate r2 hidden_input: r3 body',
    ])
  })

  test('with all of them applied nothing of the recording is sent any more', async () => {
    const { document } = applySuggestions(userOf(exchanges), found.suggestions, { newId: ids() })
    const sent = textSlots(document)
      .map(({ text }) => text)
      .join('\n')
    for (const { value } of found.suggestions) expect(sent).not.toContain(value)
    expect((await suggestCorrelations(document, recordingOf(exchanges))).suggestions).toEqual([])
  })
})
