import { operations } from '@flamegate/contract'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fillLogIn, launchBrowser } from './browser.ts'
import { invite, type Person, platform, signUp } from './person.ts'

let browser: Browser

beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser?.close())

async function openUploads(person: Person, projectId: string): Promise<Page> {
  const page = await (await browser.newContext()).newPage()
  await page.goto(`${platform().url}/log-in?return_to=/projects/${projectId}/uploads`)
  await fillLogIn(page, person.email, person.password)
  await page.getByRole('heading', { name: 'Keyless uploads' }).waitFor()
  return page
}

test('a member allows a repository and disallows it again; a viewer sees which', async () => {
  const owner = await signUp('Keeper')
  const viewer = await invite(owner, 'viewer', 'Onlooker')
  const repository = `acme/keyless-${Date.now()}`
  const { project } = await owner.client.call(operations.createProject, {
    workspace_id: owner.workspaceId,
    name: 'Keyless',
  })
  const now = async () => (await owner.client.call(operations.getProject, { project_id: project.id })).project

  const page = await openUploads(owner, project.id)
  await page.getByText('The project has no repository.').waitFor()
  await page.getByRole('button', { name: 'Allow a repository…' }).click()
  await page.getByRole('textbox', { name: 'Repository' }).fill('no repository')
  await page.getByRole('button', { name: 'Allow', exact: true }).click()
  await page.getByText('Write it as owner/name.').waitFor()
  expect(await now()).toMatchObject({ repository: null, keyless_uploads: false })
  await page.getByRole('textbox', { name: 'Repository' }).fill(repository)
  await page.getByRole('button', { name: 'Allow', exact: true }).click()
  await page
    .getByRole('paragraph')
    .filter({ hasText: `Actions of ${repository} may upload` })
    .waitFor()
  expect(await now()).toMatchObject({ repository, keyless_uploads: true })

  const seen = await openUploads(viewer, project.id)
  await seen.getByText(`GitHub Actions of ${repository} may upload.`).waitFor()
  expect(await seen.getByRole('button', { name: /allow/i }).count()).toBe(0)

  await page.getByRole('button', { name: 'Disallow…' }).click()
  await page.getByRole('button', { name: 'Disallow', exact: true }).click()
  await page.getByText(`GitHub Actions of ${repository} need an API token.`).waitFor()
  expect(await now()).toMatchObject({ repository, keyless_uploads: false })
})
