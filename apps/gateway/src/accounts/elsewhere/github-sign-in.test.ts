import { createServer } from 'node:http'
import { hash } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { ZodError } from 'zod'
import { portOf } from '../test-port.ts'
import { githubSignIn } from './github-sign-in.ts'

const redirectUri = 'https://flamegate.example/auth/sign-ins/github/callback'
let close = () => {}
afterEach(() => close())

const octocat = { id: 583_231, login: 'octocat', name: 'The Octocat' }
const mails = [
  { email: 'second@example.com', primary: false, verified: true, visibility: null },
  { email: 'Octocat@example.com', primary: true, verified: true, visibility: 'public' },
]

/** As much of GitHub as a log-in meets, which answers as its documentation shows. */
async function startGithub(answers: Record<string, unknown> = {}) {
  let challenge = ''
  const seen: string[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const form = new URLSearchParams(Buffer.concat(chunks).toString())
      const { url = '', headers } = request
      seen.push(`${request.method} ${url} ${headers['user-agent']}`)
      const isToken = url === '/login/oauth/access_token'
      const verifier = form.get('code_verifier') ?? ''
      const isRight =
        form.get('code') === 'c1' &&
        form.get('redirect_uri') === redirectUri &&
        hash('sha256', verifier, 'base64url') === challenge
      const token = { access_token: 'gho_1', scope: 'read:user,user:email', token_type: 'bearer' }
      const refused = { error: 'bad_verification_code', error_description: 'The code is incorrect.' }
      const known: Record<string, unknown> = { '/user': octocat, '/user/emails': mails, ...answers }
      const isAllowed = headers.authorization === 'Bearer gho_1'
      if (!isToken && !isAllowed) response.statusCode = 401
      const body = isToken ? (isRight ? token : refused) : (known[url] ?? {})
      response.setHeader('content-type', 'application/json; charset=utf-8').end(JSON.stringify(body))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  close = () => void server.close()
  const siteUrl = `http://127.0.0.1:${portOf(server)}`
  const signIn = githubSignIn({ clientId: 'id', clientSecret: 'hush', siteUrl, apiUrl: siteUrl })
  const { url, memory } = await signIn.begin(redirectUri)
  const query = new URL(url).searchParams
  challenge = query.get('code_challenge') ?? ''
  const comeBack = (code = 'c1', state = query.get('state') ?? '') =>
    signIn.finish(new URL(`${redirectUri}?${new URLSearchParams({ code, state }).toString()}`), memory)
  return { url, siteUrl, comeBack, seen }
}

test('the browser goes to GitHub with PKCE and state', async () => {
  const { url, siteUrl } = await startGithub()
  expect(url.startsWith(`${siteUrl}/login/oauth/authorize?`)).toBe(true)
  expect(Object.fromEntries(new URL(url).searchParams)).toEqual({
    client_id: 'id',
    response_type: 'code',
    redirect_uri: redirectUri,
    scope: 'read:user user:email',
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge_method: 'S256',
    state: expect.stringMatching(/^[\w-]{43}$/),
  })
})

test('a person is known by their number, with the primary address if it is verified', async () => {
  const { comeBack, siteUrl, seen } = await startGithub()
  expect(await comeBack()).toEqual({
    issuer: `${siteUrl}/login/oauth`,
    subject: '583231',
    email: 'octocat@example.com',
    isEmailVerified: true,
    name: 'The Octocat',
  })
  expect(seen.slice(1)).toEqual(['GET /user Flamegate', 'GET /user/emails Flamegate'])
})

test('another address is not taken for the primary one', async () => {
  const [second] = mails
  const { comeBack } = await startGithub({
    '/user': { ...octocat, name: null },
    '/user/emails': [second, { email: 'octocat@example.com', primary: true, verified: false }],
  })
  expect(await comeBack()).toMatchObject({
    email: 'octocat@example.com',
    isEmailVerified: false,
    name: 'octocat',
  })
})

test('a code or a state that is not right is nobody', async () => {
  const { comeBack } = await startGithub()
  await expect(comeBack('c2')).rejects.toThrow('invalid response encountered')
  await expect(comeBack('c1', 'forged')).rejects.toThrow('invalid response encountered')
})

test('an answer of another shape is nobody', async () => {
  const { comeBack } = await startGithub({ '/user': { id: 'octocat', login: 'octocat' } })
  await expect(comeBack()).rejects.toThrow(ZodError)
})
