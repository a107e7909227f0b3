import { newId } from '@flamegate/contract'
import { expect, test } from 'vitest'
import { sweepExpired } from '../sweep.ts'
import { preparePeople } from '../testing.ts'

const { at, ada, asAda, createProject } = preparePeople({ access: 'admin' })

async function projectOf(repository: string): Promise<{ id: string; workspaceId: string; userId: string }> {
  return { ...ada, id: await createProject({ name: repository, repository }) }
}

const allow = (id: string, keylessUploadsBy: string | null) =>
  at.stores.projects.update(asAda(), id, { keylessUploadsBy })

const newToken = (tokenHash: string, expiresAt = new Date(Date.now() + 60_000)) => ({
  id: newId('apiToken'),
  name: 'GitHub Actions of acme/checkout',
  prefix: 'fg_12345',
  tokenHash,
  expiresAt,
})

test('a repository is found when its project lets it, whatever the case, and while that person is a member', async () => {
  const project = await projectOf('acme/Checkout')
  expect(await at.identity.keyless.listProjects('acme/checkout')).toEqual([])
  await allow(project.id, ada.userId)
  expect(await at.identity.keyless.listProjects('acme/checkout')).toEqual([project])
  expect(await at.identity.keyless.listProjects('acme/other')).toEqual([])
  const stranger = await at.signUp('stranger')
  await allow(project.id, stranger.userId)
  expect(await at.identity.keyless.listProjects('acme/checkout')).toEqual([])
})

test('a token uploads to its project only, is listed nowhere, and ends with the permission', async () => {
  const project = await projectOf('acme/api')
  await allow(project.id, ada.userId)
  const token = newToken('hash of a job')
  await at.identity.keyless.addToken(project, token)
  expect(await at.identity.findApiToken('hash of a job')).toEqual({
    id: token.id,
    name: token.name,
    userId: ada.userId,
    workspaceId: ada.workspaceId,
    projectId: project.id,
    liveAppId: null,
    scopes: ['upload'],
    expiresAt: token.expiresAt,
  })
  expect(await at.stores.apiTokens.list(asAda(), ada.workspaceId)).toEqual([])
  await allow(project.id, null)
  expect(await at.identity.findApiToken('hash of a job')).toBeUndefined()
})

test('tokens that are over are swept a day later', async () => {
  const project = await projectOf('acme/swept')
  await allow(project.id, ada.userId)
  const count = async () => (await at.database.auth.query('SELECT FROM api_tokens')).rowCount
  const before = await count()
  await at.identity.keyless.addToken(project, newToken('old', new Date(Date.now() - 25 * 3_600_000)))
  await at.identity.keyless.addToken(project, newToken('young', new Date(Date.now() - 3_600_000)))
  await sweepExpired(at.database)
  expect(await count()).toBe((before ?? 0) + 1)
})
