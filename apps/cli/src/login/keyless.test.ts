import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { credentialsOf } from './credentials.ts'
import { runForTest } from '../testing/run-for-test.ts'

interface Seen {
  path: string
  authorization: string | undefined
  body: string
}

/** GitHub and the platform in one: gives the identity `identity of <audience>`, and tokens one after the other. */
async function serve(options: { gitHubStatus?: number; exchange?: object } = {}) {
  const seen: Seen[] = []
  let given = 0
  const server = createServer((request, response) => {
    void answer(request, response)
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request)
    const path = request.url ?? ''
    seen.push({ path, authorization: request.headers.authorization, body })
    if (path.startsWith('/identity')) {
      const audience = new URL(path, url).searchParams.get('audience')
      response
        .writeHead(options.gitHubStatus ?? 200)
        .end(JSON.stringify({ value: `identity of ${audience}` }))
      return
    }
    given += 1
    response
      .writeHead(options.exchange === undefined ? 201 : 404, { 'content-type': 'application/json' })
      .end(JSON.stringify(options.exchange ?? { token: `fg_${given}` }))
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new TypeError('The server has no port')
  const url = `http://127.0.0.1:${address.port}`
  const env = {
    FLAMEGATE_URL: url,
    ACTIONS_ID_TOKEN_REQUEST_URL: `${url}/identity?api-version=2.0`,
    ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'of the job',
  }
  return { url, env, seen }
}

async function tokenOf(env: Record<string, string>, refused?: string): Promise<string> {
  const { token } = credentialsOf(env)
  return typeof token === 'string' ? token : token(refused)
}

test('a job of GitHub Actions gets its token for its identity, for this platform and project', async () => {
  const { url, env, seen } = await serve()
  expect(await tokenOf({ ...env, FLAMEGATE_PROJECT: 'prj_1' })).toBe('fg_1')
  expect(seen).toEqual([
    {
      path: `/identity?api-version=2.0&audience=${encodeURIComponent(url)}`,
      authorization: 'Bearer of the job',
      body: '',
    },
    {
      path: '/v1/keyless-uploads/github',
      authorization: undefined,
      body: JSON.stringify({ id_token: `identity of ${url}`, project_id: 'prj_1' }),
    },
  ])
})

test('the token is kept until it is refused', async () => {
  const { env, seen } = await serve()
  const { token } = credentialsOf(env)
  if (typeof token === 'string') throw new TypeError('A way to get a token')
  expect([await token(), await token(), await token('fg_1'), await token()]).toEqual([
    'fg_1',
    'fg_1',
    'fg_2',
    'fg_2',
  ])
  expect(seen.filter(({ path }) => path.startsWith('/v1'))).toHaveLength(2)
})

test('an API token goes before the identity of a job', async () => {
  const { env, seen } = await serve()
  expect(await tokenOf({ ...env, FLAMEGATE_TOKEN: 'fg_own' })).toBe('fg_own')
  expect(seen).toEqual([])
})

test('a job that gets no identity, or no token for it, is told what to do', async () => {
  const unidentified = await serve({ gitHubStatus: 401 })
  expect(await runForTest(['whoami'], { env: { ...unidentified.env, FLAMEGATE_TOKEN: '' } })).toMatchObject({
    exitCode: 2,
    error: expect.stringContaining('permissions: id-token: write'),
  })
  const refused = await serve({
    exchange: { code: 'repository_not_found', title: 'No such repository', detail: 'No project lets it.' },
  })
  expect(await runForTest(['whoami'], { env: { ...refused.env, FLAMEGATE_TOKEN: '' } })).toMatchObject({
    exitCode: 1,
    error: expect.stringContaining('No project lets it.'),
  })
})
