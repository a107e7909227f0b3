import { readConfig } from '@flamegate/runtime'
import { expect, test } from 'vitest'
import { platformConfig } from './platform-config.ts'
import { workerEnvironment } from './worker-environment.ts'

function environmentOf(env: Record<string, string>) {
  const config = readConfig(platformConfig, env)
  return workerEnvironment(config, {
    publicUrl: 'https://flamegate.example.com',
    localUrl: 'http://127.0.0.1:4170',
    urls: { app: 'postgresql://app', auth: 'postgresql://auth', queue: 'postgresql://queue' },
    storageDir: '/data/objects',
    keySettings: config,
  })
}

test('the worker keeps for as long as the platform was told', () => {
  expect(environmentOf({ FLAMEGATE_LIVE_HOURS: '48', FLAMEGATE_BENCH_RESULT_DAYS: '90' })).toMatchObject({
    FLAMEGATE_LIVE_HOURS: '48',
    FLAMEGATE_BENCH_RESULT_DAYS: '90',
  })
})

test('where nothing was said of it, the plan decides', () => {
  expect(environmentOf({})).toMatchObject({
    FLAMEGATE_LIVE_HOURS: undefined,
    FLAMEGATE_BENCH_RESULT_DAYS: undefined,
  })
})
