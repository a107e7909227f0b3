import { expect, test } from 'vitest'
import { correlationRule, type CorrelationRule } from '../model/correlation-rule.ts'
import { exchangeOf, ids, recordingOf, type ShortExchange, userOf } from '../testing/short-exchanges.ts'
import { applyRules } from './apply-rules.ts'
import { textSlots } from './text-slots.ts'

const site = 'https://app.example.com'
const rule = (rest: Partial<CorrelationRule>) =>
  correlationRule.parse({
    name: 'Token',
    source: { type: 'json_path', path: '$.token' },
    variable: 'token',
    ...rest,
  })

async function apply(rules: CorrelationRule[], short: ShortExchange[]) {
  const exchanges = short.map(exchangeOf)
  const result = await applyRules(userOf(exchanges), rules, recordingOf(exchanges), { newId: ids() })
  return { ...result, texts: textSlots(result.document).map(({ action, text }) => `${action.id} ${text}`) }
}

const get = (path: string, answer?: string): ShortExchange => ({
  request: `GET ${site}${path}`,
  ...(answer === undefined ? {} : { answer }),
})

test('a rule sends the new value wherever the recorded one was sent afterwards', async () => {
  const { texts, applied } = await apply(
    [rule({})],
    [
      get('/before?t=a1b2c3d4'),
      get('/token', '{"token":"a1b2c3d4"}'),
      get('/x/a1b2c3d4?t=a1b2c3d4&u=a1b2c3d4e'),
    ],
  )
  expect(texts).toEqual([
    'r0 /before',
    'r0 a1b2c3d4',
    'r1 /token',
    'r2 /x/${token}',
    'r2 ${token}',
    'r2 a1b2c3d4e',
  ])
  expect(applied).toMatchObject([{ by: 'Token', actionId: 'r1', variable: 'token', value: 'a1b2c3d4' }])
})

test('targets, name and length limit what is replaced', async () => {
  const exchanges = [get('/token', '{"token":"a1b2c3d4"}'), get('/x/a1b2c3d4?t=a1b2c3d4&u=a1b2c3d4')]
  expect((await apply([rule({ targets: ['path'] })], exchanges)).texts.slice(1)).toEqual([
    'r1 /x/${token}',
    'r1 a1b2c3d4',
    'r1 a1b2c3d4',
  ])
  expect((await apply([rule({ target_name: 'U' })], exchanges)).texts.slice(1)).toEqual([
    'r1 /x/a1b2c3d4',
    'r1 a1b2c3d4',
    'r1 ${token}',
  ])
  expect((await apply([rule({ length_min: 9 })], exchanges)).applied).toEqual([])
  expect((await apply([rule({ enabled: false })], exchanges)).patch).toEqual([])
})

test('values that follow one another share a variable; those that are sent at the same time do not', async () => {
  const oneAfterTheOther = [
    get('/1', '{"token":"aaaa1111"}'),
    get('/2?t=aaaa1111', '{"token":"bbbb2222"}'),
    get('/3?t=bbbb2222'),
  ]
  expect((await apply([rule({})], oneAfterTheOther)).texts.filter((text) => text.includes('$'))).toEqual([
    'r1 ${token}',
    'r2 ${token}',
  ])
  const together = [
    get('/1', '{"token":"aaaa1111"}'),
    get('/2', '{"token":"bbbb2222"}'),
    get('/3?t=aaaa1111&u=bbbb2222'),
  ]
  expect((await apply([rule({})], together)).texts.filter((text) => text.includes('$'))).toEqual([
    'r2 ${token}',
    'r2 ${token_2}',
  ])
})

test('nothing is taken that is not sent', async () => {
  expect((await apply([rule({})], [get('/token', '{"token":"a1b2c3d4"}'), get('/x')])).patch).toEqual([])
})

test.each([
  [
    { type: 'regex' as const, pattern: 'a(', part: 'body' as const },
    'Rule “Token”: Its pattern is no regular expression.',
  ],
  [
    { type: 'regex' as const, pattern: 'abc', part: 'body' as const },
    'Rule “Token”: Its pattern has no group: put parentheses around the value.',
  ],
  [{ type: 'json_path' as const, path: '$[' }, 'Rule “Token”: Its path is no JSONPath of RFC 9535.'],
])('a rule that cannot be used is refused: %j', async (source, message) => {
  await expect(apply([rule({ source })], [get('/')])).rejects.toThrow(message)
})
