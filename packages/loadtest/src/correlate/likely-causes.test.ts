import { expect, test } from 'vitest'
import { exchangeOf, ids, recordingOf, userOf } from '../testing/short-exchanges.ts'
import { applySuggestions } from './apply-suggestions.ts'
import { type FailedCandidate, likelyCauses } from './likely-causes.ts'
import { suggestCorrelations } from './suggest-correlations.ts'

const shop = 'https://shop.example.com'
const page = (token: string) =>
  exchangeOf({ request: `GET ${shop}/login`, answer: `<input type="hidden" name="csrf" value="${token}">` })
const exchanges = [
  page('f3a9c1d07be24a58'),
  exchangeOf({ request: `POST ${shop}/login`, body: 'csrf=f3a9c1d07be24a58&user=ann' }),
  exchangeOf({ request: `GET ${shop}/account` }),
]
const document = userOf(exchanges)
const recording = recordingOf(exchanges)

const result = (actionId: string, rest: Partial<FailedCandidate> = {}): FailedCandidate => ({
  actionId,
  type: 'http_request',
  outcome: 'failed',
  status: 403,
  extractors: [],
  ...rest,
})

test('the stale token is named, with what the server gives now, and what follows from it', async () => {
  const replay = {
    action: (id: string) => ({
      outcome: 'failed' as const,
      exchange: id === 'r0' ? page('0b1c2d3e4f5a6978') : null,
    }),
  }
  const causes = await likelyCauses(
    document,
    recording,
    [result('r0', { outcome: 'passed' }), result('r1'), result('r2')],
    replay,
  )
  expect(causes).toMatchObject([
    {
      actionId: 'r1',
      kind: 'stale_value',
      variable: 'csrf',
      sent: 'f3a9c1d07be24a58',
      given: '0b1c2d3e4f5a6978',
      confidence: 1,
    },
    { actionId: 'r2', kind: 'earlier_failure' },
  ])
  expect(causes[0]?.words).toBe(
    'csrf is sent as it was recorded; it came in the answer to “/login”. The server gives another one now. Apply the suggestion to send ${csrf} instead.',
  )
})

test('a value that an extractor did not find is the cause where it is sent', async () => {
  const { suggestions } = await suggestCorrelations(document, recording)
  const corrected = applySuggestions(document, suggestions, { newId: ids() })
  const causes = await likelyCauses(
    corrected.document,
    recording,
    [result('r0', { status: 200, extractors: [{ variable: 'csrf', outcome: 'missing' }] }), result('r1')],
    { action: () => undefined },
  )
  expect(causes).toMatchObject([{ actionId: 'r1', kind: 'missing_variable', variable: 'csrf' }])
})
