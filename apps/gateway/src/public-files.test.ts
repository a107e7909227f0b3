import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { startTestGateway, type TestGateway } from './test-gateway.ts'

const publicUrl = 'https://flamegate.example'
let gateway: TestGateway

beforeAll(async () => {
  gateway = await startTestGateway(publicUrl)
})
afterAll(() => gateway?.close())

const get = (
  path: string,
  headers: Record<string, string> = {},
  method: 'GET' | 'HEAD' | 'OPTIONS' = 'GET',
) => gateway.app.inject({ method, url: `/mcp/public${path}`, headers })

test.each([
  ['/AGENTS.md', 'text/markdown; charset=utf-8', /^# Flamegate for agents/],
  [
    '/skills/explain-regression.md',
    'text/markdown; charset=utf-8',
    /^---\nname: explain-regression\ndescription: .+\n---\n\n# /,
  ],
  [
    '/schema/run.json',
    'application/schema+json',
    /"\$id": "https:\/\/flamegate\.example\/mcp\/public\/schema\/run\.json"/,
  ],
  [
    '/schema/vu.json',
    'application/schema+json',
    /"\$schema": "https:\/\/json-schema\.org\/draft\/2020-12\/schema"/,
  ],
  ['/schema/', 'application/json', /^\{\s+"schemas": \[/],
])('anybody gets %s, from any page, and may keep it a while', async (path, type, content) => {
  const answer = await get(path, { origin: 'https://elsewhere.example', host: 'flamegate.example' })
  expect(answer.statusCode).toBe(200)
  expect(answer.headers).toMatchObject({
    'content-type': type,
    'access-control-allow-origin': '*',
    'cache-control': 'public, max-age=300',
    'x-content-type-options': 'nosniff',
    etag: expect.stringMatching(/^"[\w-]{22}"$/),
  })
  expect(answer.headers['set-cookie']).toBeUndefined()
  expect(answer.body).toMatch(content)
  expect(answer.body).not.toMatch(/\{(?:public_url|guides|schemas|toolsets)\}/)
})

test('a guide is also where skills have theirs, byte by byte', async () => {
  const [file, skill] = [
    await get('/skills/explain-regression.md'),
    await get('/skills/explain-regression/SKILL.md'),
  ]
  expect(skill.rawPayload.equals(file.rawPayload)).toBe(true)
})

test('the list of schemas has the address of each, and who asks for another one is told the names', async () => {
  const { schemas } = z
    .object({ schemas: z.array(z.object({ name: z.string(), title: z.string(), url: z.string() })) })
    .parse((await get('/schema')).json())
  const names = schemas.map(({ name }) => name)
  expect(names).toEqual(
    expect.arrayContaining([
      'run.json',
      'vu.json',
      'variables.json',
      'http-servers.json',
      'correlation-rules.json',
      'scenario.json',
    ]),
  )
  for (const { name, title, url } of schemas) {
    const answer = await get(url.slice(`${publicUrl}/mcp/public`.length))
    expect(answer.json()).toMatchObject({ $id: `${publicUrl}/mcp/public/schema/${name}`, title })
  }
  const missing = await get('/schema/virtual-user.json')
  expect(missing.statusCode).toBe(404)
  expect(missing.json()).toMatchObject({
    detail: `There is no such schema. There are: ${names.join(', ')}.`,
  })
})

test('HEAD tells the same as GET, without the file', async () => {
  const [head, whole] = [await get('/AGENTS.md', {}, 'HEAD'), await get('/AGENTS.md')]
  expect(head.statusCode).toBe(200)
  expect(head.body).toBe('')
  for (const name of ['etag', 'content-type', 'content-length'])
    expect(head.headers[name]).toBe(whole.headers[name])
})

test.each([
  ['the same', (etag: string) => etag],
  ['one of several', (etag: string) => `"other", W/${etag}`],
  ['anything', () => '*'],
])('who has it already is told so: %s', async (_what, header) => {
  const { headers } = await get('/AGENTS.md')
  const answer = await get('/AGENTS.md', { 'if-none-match': header(String(headers['etag'])) })
  expect(answer.statusCode).toBe(304)
  expect(answer.body).toBe('')
  expect(answer.headers['etag']).toBe(headers['etag'])
})

test('who has another version gets this one', async () => {
  expect((await get('/AGENTS.md', { 'if-none-match': '"other"' })).statusCode).toBe(200)
})

test.each(['/nothing.md', '/', '/skills/..%2f..%2fpackage.json', '/constructor'])(
  '%s is a problem that says where to look',
  async (path) => {
    const answer = await get(path)
    expect(answer.statusCode).toBe(404)
    expect(answer.headers['content-type']).toContain('application/problem+json')
    expect(answer.json()).toMatchObject({ code: 'not_found' })
  },
)

test('a browser may ask first', async () => {
  const answer = await get('/AGENTS.md', { origin: 'https://elsewhere.example' }, 'OPTIONS')
  expect(answer.statusCode).toBe(204)
  expect(answer.headers['access-control-allow-methods']).toBe('GET, HEAD')
})
