import { hashSecret } from '@flamegate/auth'
import { UnsecuredJWT } from 'jose'
import { expect, onTestFinished, test } from 'vitest'
import { startTestGateway, type TestGateway } from '../test-gateway.ts'
import { startTestGitHub, type TestGitHub } from './test-github.ts'

const publicUrl = 'http://127.0.0.1:4170'
const project = { id: 'prj_1', workspaceId: 'ws_1', userId: 'usr_1' }

async function start(): Promise<{ gateway: TestGateway; github: TestGitHub }> {
  const github = await startTestGitHub(publicUrl)
  const gateway = await startTestGateway(publicUrl, { githubIssuer: github.issuer })
  onTestFinished(() => gateway.close())
  return { gateway, github }
}

const exchange = ({ app }: TestGateway, payload: Record<string, unknown>) =>
  app.inject({ method: 'POST', url: '/v1/keyless-uploads/github', payload })

test('a job gets a token that uploads to the project of its repository, for a quarter of an hour', async () => {
  const { gateway, github } = await start()
  gateway.identity.addKeylessProject('Acme/Checkout', project)
  const answer = await exchange(gateway, { id_token: await github.idToken() })
  expect(answer.statusCode).toBe(201)
  expect(answer.headers['cache-control']).toBe('no-store')
  const { token, expires_at: expiresAt, ...said } = answer.json()
  expect(said).toEqual({ project_id: 'prj_1', scopes: ['upload'] })
  const leftMs = Date.parse(expiresAt) - Date.now()
  expect(leftMs).toBeGreaterThan(14 * 60_000)
  expect(leftMs).toBeLessThanOrEqual(15 * 60_000)
  expect(await gateway.identity.findApiToken(hashSecret(token))).toMatchObject({
    name: 'GitHub Actions of acme/checkout, run 17',
    userId: 'usr_1',
    workspaceId: 'ws_1',
    projectId: 'prj_1',
    scopes: ['upload'],
  })
  expect(gateway.identity.securityEvents).toMatchObject([
    { action: 'issue_keyless_token', userId: 'usr_1', workspaceId: 'ws_1', target: 'prj_1', outcome: 'ok' },
  ])
})

test.each<[string, (github: TestGitHub) => Promise<string>, number]>([
  ['for another audience', (github) => github.idToken({ audience: 'https://other.example' }), 401],
  ['of another issuer', (github) => github.idToken({ issuer: 'https://other.example' }), 401],
  ['that has expired', (github) => github.idToken({ expiresIn: -1 }), 401],
  ['signed by somebody else', (github) => github.idToken({ isForged: true }), 401],
  ['without a repository', (github) => github.idToken({ repository: undefined }), 401],
  ['of a repository that no project lets', (github) => github.idToken({ repository: 'acme/other' }), 404],
  ['that is none', () => Promise.resolve('nonsense'), 401],
  [
    'that nobody signed',
    (github) =>
      Promise.resolve(
        new UnsecuredJWT({ repository: 'acme/checkout', run_id: '17' })
          .setIssuer(github.issuer)
          .setAudience(publicUrl)
          .setIssuedAt()
          .setExpirationTime('5m')
          .encode(),
      ),
    401,
  ],
])('an identity token %s gets nothing', async (_name, idToken, status) => {
  const { gateway, github } = await start()
  gateway.identity.addKeylessProject('acme/checkout', project)
  const answer = await exchange(gateway, { id_token: await idToken(github) })
  expect(answer.statusCode).toBe(status)
  expect(answer.json()).not.toHaveProperty('token')
  expect(gateway.identity.securityEvents).toEqual([])
})

test('where several projects have the repository, the job says which', async () => {
  const { gateway, github } = await start()
  gateway.identity.addKeylessProject('acme/checkout', project)
  gateway.identity.addKeylessProject('acme/checkout', { ...project, id: 'prj_2', workspaceId: 'ws_2' })
  const idToken = await github.idToken()
  expect((await exchange(gateway, { id_token: idToken })).json()).toMatchObject({ code: 'conflict' })
  const named = (id: string) => exchange(gateway, { id_token: idToken, project_id: id })
  expect((await named('prj_2')).json()).toMatchObject({ project_id: 'prj_2' })
  expect((await named('prj_3')).statusCode).toBe(404)
})

test('the token of a job is no client secret', async () => {
  const { gateway, github } = await start()
  gateway.identity.addKeylessProject('acme/checkout', project)
  const { token } = (await exchange(gateway, { id_token: await github.idToken() })).json()
  const { id } = (await gateway.identity.findApiToken(hashSecret(token)))!
  const answer = await gateway.app.inject({
    method: 'POST',
    url: '/oauth/token',
    headers: {
      authorization: `Basic ${Buffer.from(`${id}:${token}`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    payload: 'grant_type=client_credentials',
  })
  expect(answer.statusCode).toBe(401)
})

test('an issuer that does not answer is no fault of the job', async () => {
  const gateway = await startTestGateway(publicUrl, { githubIssuer: 'http://127.0.0.1:9' })
  onTestFinished(() => gateway.close())
  const github = await startTestGitHub(publicUrl)
  const idToken = await github.idToken({ issuer: 'http://127.0.0.1:9' })
  expect((await exchange(gateway, { id_token: idToken })).statusCode).toBe(503)
})

test('who tries too often has to wait', async () => {
  const { gateway } = await start()
  const statuses = new Set<number>()
  for (let attempt = 0; attempt < 62; attempt += 1) {
    statuses.add((await exchange(gateway, { id_token: 'nonsense' })).statusCode)
  }
  expect(statuses).toEqual(new Set([401, 429]))
})
