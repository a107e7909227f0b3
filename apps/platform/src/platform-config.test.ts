import { readConfig } from '@flamegate/runtime'
import { expect, test } from 'vitest'
import { platformConfig } from './platform-config.ts'

test('everything may be left out', () => {
  expect(readConfig(platformConfig, {})).toMatchObject({
    FLAMEGATE_PORT: 4170,
    FLAMEGATE_HOST: '127.0.0.1',
    FLAMEGATE_DATA_DIR: '.flamegate',
    FLAMEGATE_PUSHED_PROFILE_DAYS: 7,
    FLAMEGATE_TRUSTED_PROXIES: [],
  })
})

test('what is wrong is named all at once', () => {
  const env = { FLAMEGATE_PORT: '70000', DATABASE_URL: 'mysql://root:hush@db/x', REDIS_URL: 'localhost' }
  const reading = () => readConfig(platformConfig, env)
  expect(reading).toThrow('FLAMEGATE_PORT is "70000". Set it to a whole number from 0 to 65535')
  expect(reading).toThrow('DATABASE_URL has a value that does not fit. Set it to a postgres:// URL.')
  expect(reading).toThrow('REDIS_URL has a value that does not fit. Set it to a redis:// URL.')
  expect(reading).not.toThrow('hush')
})
