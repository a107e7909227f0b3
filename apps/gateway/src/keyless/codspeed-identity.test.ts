import { hashSecret } from '@flamegate/auth'
import type { FastifyPluginAsync } from 'fastify'
import { runnerErrorHandler } from '@flamegate/surfaces'
import { expect, onTestFinished, test } from 'vitest'
import { startTestGateway } from '../test-gateway.ts'
import { startTestGitHub } from './test-github.ts'

const publicUrl = 'http://127.0.0.1:4170'
const project = { id: 'prj_1', workspaceId: 'ws_1', userId: 'usr_1' }

/** A gateway in front of an API that says which credential reached it. */
async function start() {
  const github = await startTestGitHub('codspeed.io')
  const seen: (string | undefined)[] = []
  const plugin: FastifyPluginAsync = async (api) => {
    api.setErrorHandler(runnerErrorHandler('json'))
    api.post('/upload', async ({ headers }) => {
      seen.push(headers.authorization)
      return {}
    })
  }
  const gateway = await startTestGateway(publicUrl, { githubIssuer: github.issuer, rest: { plugin } })
  onTestFinished(() => gateway.close())
  gateway.identity.addKeylessProject('acme/checkout', project)
  const upload = (authorization: string, url = '/upload') =>
    gateway.app.inject({ method: 'POST', url, headers: { authorization }, payload: {} })
  return { gateway, github, seen, upload }
}

test('the identity that the runner asks GitHub for becomes a token of the project, and is recorded', async () => {
  const { gateway, github, seen, upload } = await start()
  expect((await upload(await github.idToken())).statusCode).toBe(200)
  const token = /^Bearer (fg_\S+)$/.exec(seen[0] ?? '')?.[1] ?? ''
  expect(await gateway.identity.findApiToken(hashSecret(token))).toMatchObject({
    projectId: 'prj_1',
    scopes: ['upload'],
  })
  expect(gateway.identity.securityEvents).toMatchObject([
    { action: 'issue_keyless_token', userId: 'usr_1', workspaceId: 'ws_1', target: 'prj_1', outcome: 'ok' },
  ])
})

test('one that was made for us counts as well', async () => {
  const { github, seen, upload } = await start()
  await upload(await github.idToken({ audience: publicUrl }))
  expect(seen[0]).toMatch(/^Bearer fg_/)
})

test('what is no identity goes on as it came, and is no event', async () => {
  const { gateway, seen, upload } = await start()
  await upload('fg_token')
  expect(seen).toEqual(['fg_token'])
  expect(gateway.identity.securityEvents).toEqual([])
})

test('where several projects have the repository, the upload URL says which', async () => {
  const { gateway, github, seen, upload } = await start()
  gateway.identity.addKeylessProject('acme/checkout', { ...project, id: 'prj_2', workspaceId: 'ws_2' })
  const refused = await upload(await github.idToken())
  expect(refused.statusCode).toBe(409)
  expect(refused.json<{ error: string }>().error).toContain('/upload?project=prj_')
  expect((await upload(await github.idToken(), '/upload?project=prj_2')).statusCode).toBe(200)
  expect(seen).toHaveLength(1)
})

test.each([
  ['for another audience', { audience: 'https://other.example' }, 401],
  ['that has expired', { expiresIn: -1 }, 401],
  ['signed by somebody else', { isForged: true }, 401],
  ['of a repository that no project lets', { repository: 'acme/other' }, 404],
])('an identity %s is refused in the words that the runner prints', async (_what, changes, status) => {
  const { github, seen, upload } = await start()
  const refused = await upload(await github.idToken(changes))
  expect(refused.statusCode).toBe(status)
  expect(Object.keys(refused.json())).toEqual(['error'])
  expect(seen).toEqual([])
})
