import { redacted } from '@flamegate/loadtest'
import { expect, test } from 'vitest'
import { run } from './testing/run.ts'
import { echo, startTestServer } from './testing/test-server.ts'

const secret = 's3cr&t "päss"/+word'

test('messages, values and reasons that are too long do not tell the beginning of a secret', async () => {
  const long = 'a-secret-that-is-longer-than-most-of-them-are'
  const server = await startTestServer({ '/echo': echo })
  const { results } = await run(
    [
      { type: 'script', source: 'console.log("x".repeat(1970) + vars.get("pw"))' },
      { type: 'script', source: 'vars.set("copy", "x".repeat(9970) + vars.get("pw"))' },
      {
        type: 'http_request',
        method: 'GET',
        server_id: 'srv',
        path: '/echo',
        assertions: [{ type: 'body_contains', text: `${'x'.repeat(170)}\${pw}` }],
      },
    ],
    {
      servers: { srv: { base_url: server.url } },
      variables: [{ type: 'secret', name: 'pw' }],
      secrets: { pw: long },
    },
  )
  await server.stop()
  const told = JSON.stringify(results)
  expect(told).toContain('xxx•••…')
  expect(told).not.toContain('a-secret')
})

test('nothing that is told of a run has a secret in it', async () => {
  const server = await startTestServer({ '/echo': echo, [`/${encodeURIComponent(secret)}`]: echo })
  const authentication = { type: 'basic', user_name: 'ann', password: '${pw}' }
  const request = {
    type: 'http_request',
    method: 'POST',
    server_id: 'srv',
    path: '/echo',
    query: [{ name: 'q', value: '${pw}' }],
    headers: [{ name: 'x-pw', value: 'is ${pw}' }],
    body: { type: 'form', fields: [{ name: 'pw', value: '${pw}' }] },
    extractors: [{ type: 'json_path', variable: 'found', path: '$.headers' }],
    assertions: [{ type: 'body_equals', text: '${pw}' }],
  }
  const { results } = await run(
    [
      request,
      { type: 'script', source: 'console.log(vars.get("pw")); throw new Error(vars.get("pw"))' },
      { type: 'set_variable', variable: 'copy', value: 'a ${pw} b' },
      { ...request, id: 'again', path: '/nowhere/${pw}', body: { type: 'raw', text: 'pw ${pw}' } },
    ],
    {
      servers: { srv: { base_url: server.url, authentication } },
      variables: [{ type: 'secret', name: 'pw' }],
      secrets: { pw: secret },
    },
  )
  await server.stop()
  expect(results).toHaveLength(4)
  expect(results[2]?.variables).toEqual({ copy: `a ${redacted} b` })
  const told = JSON.stringify(results)
  expect(told).not.toContain(Buffer.from(`ann:${secret}`).toString('base64').slice(8, 20))
  expect(told).not.toMatch(/s3cr|word/)
})
