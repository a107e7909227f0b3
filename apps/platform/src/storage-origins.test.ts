import { readConfig } from '@flamegate/runtime'
import { openStorage } from '@flamegate/storage'
import { expect, test } from 'vitest'
import { platformConfig } from './platform-config.ts'
import { storageOriginsOf } from './storage-origins.ts'

const bucket = {
  S3_BUCKET: 'files',
  S3_REGION: 'eu-west-1',
  S3_ACCESS_KEY_ID: 'somebody',
  S3_SECRET_ACCESS_KEY: 'hush',
}

async function originsOf(env: Record<string, string>): Promise<readonly string[]> {
  const config = readConfig(platformConfig, env)
  const links = { baseUrl: 'http://localhost:4170', signingKey: 'k'.repeat(32) }
  return storageOriginsOf(config, (await openStorage(config, links)).storage)
}

test.each([
  [{}, 'https://files.s3.eu-west-1.amazonaws.com'],
  [{ S3_ENDPOINT: 'https://s3.example.com' }, 'https://files.s3.example.com'],
  [{ S3_ENDPOINT: 'http://store:7070', S3_FORCE_PATH_STYLE: 'true' }, 'http://store:7070'],
  [
    {
      S3_ENDPOINT: 'http://store:7070',
      S3_PUBLIC_ENDPOINT: 'https://files.example.com/',
      S3_FORCE_PATH_STYLE: 'true',
    },
    'https://files.example.com',
  ],
  [{ FLAMEGATE_STORAGE_ORIGINS: 'https://cdn.example.com' }, 'https://cdn.example.com'],
])('with a bucket and %j pages upload to %s', async (env, origin) => {
  expect(await originsOf({ ...bucket, ...env })).toEqual([origin])
})

const presignUpload = () => Promise.reject(new Error('No link is asked for.'))

test('without a bucket pages upload to us alone', async () => {
  expect(await storageOriginsOf(readConfig(platformConfig, {}), { presignUpload })).toEqual([])
})
