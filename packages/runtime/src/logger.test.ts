import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { createLogger } from './logger.ts'
import type { LoggerOptions } from './logger.ts'

function collect(format: LoggerOptions['format']) {
  const lines: string[] = []
  const log = createLogger({ level: 'info', format, destination: { write: (line) => lines.push(line) } })
  return { log, lines }
}

test('JSON lines carry an ISO time, the level as a word and the fields', () => {
  const { log, lines } = collect('json')
  log.info({ port: 4170 }, 'listening')
  log.debug('not shown')
  expect(lines).toHaveLength(1)
  expect(JSON.parse(lines[0] ?? '')).toEqual({
    level: 'info',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    port: 4170,
    msg: 'listening',
  })
})

test('text lines are short, one per message, with an error and its stack below', () => {
  const { log, lines } = collect('text')
  log.warn({ route: '/v1/runs', note: 'two words' }, 'slow')
  log.error({ err: new Error('broken') }, 'failed')
  expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d warn  slow route=\/v1\/runs note="two words"\n$/)
  expect(lines[1]).toMatch(/^\d\d:\d\d:\d\d error failed\n {2}Error: broken\n {4,}at /)
})

test.each(['authorization', 'cookie', 'set-cookie', 'password', 'token', 'refresh_token', 'clientSecret'])(
  '%s is cut out at the top and in nested objects',
  (field) => {
    const { log, lines } = collect('json')
    log.info(
      { [field]: 'hush-1', headers: { [field]: 'hush-2' }, req: { headers: { [field]: 'hush-3' } } },
      'x',
    )
    expect(lines[0]).not.toContain('hush')
    expect(lines[0]?.match(/\[redacted\]/g)).toHaveLength(3)
  },
)

test('of a row that broke a rule of the database, the rule is told and not the row', () => {
  const { log, lines } = collect('json')
  const err = Object.assign(new Error('null value in column "name"'), {
    code: '23502',
    detail: 'Failing row contains (usr_1, ada@example.com, hush).',
  })
  log.error({ err }, 'failed')
  expect(lines[0]).not.toContain('hush')
  expect(JSON.parse(lines[0] ?? '').err).toMatchObject({
    code: '23502',
    message: 'null value in column "name"',
  })
})

test('a process whose output nobody reads any more goes on, and still stops tidily', async () => {
  const runtime = JSON.stringify(new URL('./', import.meta.url).href)
  const program = `
    const { createLogger } = await import(${runtime} + 'logger.ts')
    const { installShutdown } = await import(${runtime} + 'shutdown.ts')
    const log = createLogger({ level: 'info' })
    installShutdown({ log, steps: [] })
    setInterval(() => log.info('still here'), 5)
    setTimeout(() => process.kill(process.pid, 'SIGTERM'), 300)
  `
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program])
  child.stdout.once('data', () => child.stdout.destroy())
  expect(await once(child, 'exit')).toEqual([0, null])
})
