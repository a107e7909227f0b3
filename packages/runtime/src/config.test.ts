import { expect, test } from 'vitest'
import { z } from 'zod'
import { ConfigError, describeConfig, readConfig } from './config.ts'

const schema = z.object({
  APP_PORT: z.coerce.number().int().min(1).max(65535).default(4170).describe('Where to listen.'),
  APP_MODE: z.enum(['json', 'text']).default('json'),
  APP_VERBOSE: z.stringbool().default(false).describe('Say more.'),
  APP_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('What people type.'),
  APP_KEY: z.string().min(8).meta({ secret: true, description: 'Signs things.' }),
  APP_HOSTS: z
    .string()
    .transform((text) => text.split(','))
    .default([])
    .meta({ kind: 'a list, comma-separated' }),
})

test('readConfig() gives typed values, with defaults for what is not set or empty', () => {
  const config = readConfig(schema, {
    APP_KEY: 'longenough',
    APP_VERBOSE: 'true',
    APP_PORT: '',
    APP_HOSTS: 'a,b',
  })
  expect(config).toEqual({
    APP_PORT: 4170,
    APP_MODE: 'json',
    APP_VERBOSE: true,
    APP_KEY: 'longenough',
    APP_HOSTS: ['a', 'b'],
  })
})

test('readConfig() names every variable that is wrong, what was wrong and what to do, and never shows a secret', () => {
  const env = { APP_PORT: 'abc', APP_MODE: 'xml', APP_KEY: 'hush', APP_URL: 'ftp://x' }
  expect(() => readConfig(schema, env)).toThrow(
    new ConfigError(
      [
        '4 settings are not right:',
        '  APP_PORT is "abc". Set it to a whole number from 1 to 65535, or leave it out for 4170. Where to listen.',
        '  APP_MODE is "xml". Set it to one of json, text, or leave it out for json.',
        '  APP_URL is "ftp://x". Set it to a URL. What people type.',
        '  APP_KEY has a value that does not fit. Set it to text. Signs things.',
      ].join('\n'),
    ),
  )
})

test('readConfig() refuses a variable of ours that is nearly called like a setting, and leaves alone what is of others', () => {
  const small = z.object({
    FLAMEGATE_RATE_LIMITS: z.string().optional(),
    FLAMEGATE_LIST: z.string().default(''),
  })
  const others = {
    FLAMEGATE_RATE: 'x',
    FLAMEGATE_OTHER_LIMITS: 'x',
    RATE_LIMITS: 'x',
    FLAMEGATE_RATE_LIMITS: 'a',
  }
  expect(readConfig(small, others)).toMatchObject({ FLAMEGATE_RATE_LIMITS: 'a' })
  for (const name of [
    'FLAMEGATE_RATE_LIMTS',
    'FLAMEGATE_RATE_LIMIT',
    'FLAMEGATE_RATELIMITS',
    'FLAMEGATE_RATE_LIMTIS',
  ])
    expect(() => readConfig(small, { [name]: 'off' })).toThrow(
      `A setting is not right:\n  ${name} is no setting. Is FLAMEGATE_RATE_LIMITS meant? Rename it, or leave it out.`,
    )
})

test('readConfig() says of a list that is empty by default that it may be left out', () => {
  const list = z.object({ APP_LIST: z.string().regex(/^a*$/).default('') })
  expect(() => readConfig(list, { APP_LIST: 'b' })).toThrow(
    '  APP_LIST is "b". Set it to text, or leave it out.',
  )
})

test('readConfig() says when a variable without a default is missing', () => {
  expect(() => readConfig(schema, {})).toThrow('  APP_KEY is not set. Set it to text. Signs things.')
})

test('readConfig() passes on the message of a rule over several variables', () => {
  const both = z
    .object({ A: z.string().optional(), B: z.string().optional() })
    .refine(
      (config) => (config.A === undefined) === (config.B === undefined),
      'A and B belong together: set both.',
    )
  expect(() => readConfig(both, { A: '1' })).toThrow('  A and B belong together: set both.')
})

test('describeConfig() gives one row per setting', () => {
  expect(
    describeConfig(schema).map((row) => [row.name, row.type, row.default, row.description, row.secret]),
  ).toEqual([
    ['APP_PORT', 'a whole number from 1 to 65535', '4170', 'Where to listen.', false],
    ['APP_MODE', 'one of json, text', 'json', '', false],
    ['APP_VERBOSE', 'true or false', 'false', 'Say more.', false],
    ['APP_URL', 'a URL', undefined, 'What people type.', false],
    ['APP_KEY', 'text', undefined, 'Signs things.', true],
    ['APP_HOSTS', 'a list, comma-separated', '', '', false],
  ])
})
