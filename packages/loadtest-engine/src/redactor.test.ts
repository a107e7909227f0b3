import { assert, property, string } from 'fast-check'
import { expect, test } from 'vitest'
import { redacted, Redactor } from './redactor.ts'
import { run } from './testing/run.ts'
import { echo, startTestServer } from './testing/test-server.ts'

const secret = 's3cr&t "päss"/+word'

test('a secret is found as it is, and as requests encode it', () => {
  const redactor = new Redactor([secret])
  const forms = [
    secret,
    encodeURIComponent(secret),
    new URLSearchParams({ x: secret }).toString().slice(2),
    JSON.stringify(secret).slice(1, -1),
    secret.replaceAll('&', '&amp;').replaceAll('"', '&quot;'),
  ]
  for (const form of forms) expect(redactor.redact(`a ${form} b`)).toBe(`a ${redacted} b`)
})

test('a secret is found in base64, wherever in it it stands', () => {
  assert(
    property(string({ maxLength: 8 }), string({ maxLength: 8 }), (before, after) => {
      const redactor = new Redactor(['correct horse battery'])
      for (const encoding of ['base64', 'base64url'] as const) {
        const shown = redactor.redact(
          Buffer.from(`${before}correct horse battery${after}`).toString(encoding),
        )
        expect(Buffer.from(shown.replaceAll(redacted, ''), encoding).toString()).not.toMatch(
          /corre|horse|atter/,
        )
        expect(shown).toContain(redacted)
      }
    }),
  )
})

test('a secret at a cut is not told in part', () => {
  const text = `${'x'.repeat(10)}${secret}`
  for (let cut = 1; cut < text.length; cut++)
    expect(new Redactor([secret]).redactStart(text, cut).replaceAll(/x/g, '')).toMatch(/^•{0,3}$/)
})

test('what is left of a secret in front of a cut is not told, however much it is', () => {
  const redactor = new Redactor([secret])
  for (let left = 3; left < secret.length; left++) {
    const told = redactor.redact(`got "say ${secret.slice(0, left)}…" and "other…"`)
    expect(told).toBe(`got "say ${redacted}…" and "other…"`)
  }
})

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
