import { operations } from '@flamegate/contract'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { launchBrowser } from './browser.ts'
import { openPageOf } from './dialogs.ts'
import { invite, type Person, signUp } from './person.ts'
import { waitForTask } from './world.ts'

/** What pages offer to people of different roles in a workspace, and to those who are in several. */

let browser: Browser
let owner: Person
let workspaceName: string

beforeAll(async () => {
  browser = await launchBrowser()
})
beforeEach(async () => {
  owner = await signUp('Founder')
  const { workspaces } = await owner.client.call(operations.getCurrentUser, {})
  workspaceName = workspaces[0]?.name ?? ''
})
afterAll(() => browser?.close())

async function windowOf(person: Person): Promise<Page> {
  const page = await openPageOf(browser, person)
  onTestFinished(() => page.context().close())
  return page
}

test('an admin is not offered to remove an owner, and offered nothing more after giving up the role', async () => {
  const admin = await invite(owner, 'admin', 'Deputy')
  const page = await windowOf(admin)
  await page.goto(`/workspaces/${owner.workspaceId}/members`)
  await page.getByRole('button', { name: `Remove ${admin.email}` }).waitFor()
  expect(await page.getByRole('button', { name: `Remove ${owner.email}` }).count()).toBe(0)
  await page.getByRole('button', { name: `Role of ${admin.email}` }).click()
  await page.getByRole('option', { name: 'viewer' }).click()
  await page.getByRole('button', { name: 'Add a member' }).waitFor({ state: 'detached' })
  expect(await page.getByRole('button', { name: /^Remove/ }).count()).toBe(0)
})

test('of a workspace that is going to be deleted only an owner is offered the way back', async () => {
  const { workspaceId: workspace_id } = owner
  const member = await invite(owner, 'member', 'Staff')
  await owner.client.call(operations.deleteWorkspace, { workspace_id, confirm: workspaceName })
  const page = await windowOf(member)
  await page.goto(`/workspaces/${workspace_id}/projects`)
  await page.getByText('An owner can restore it.').waitFor()
  expect(await page.getByRole('button', { name: 'Restore' }).count()).toBe(0)
  const own = await windowOf(owner)
  await own.goto(`/workspaces/${workspace_id}/projects`)
  await own.getByRole('button', { name: 'Restore' }).click()
  await own.getByText('Until then it can be read').waitFor({ state: 'detached' })
})

test('a page goes by the workspace of its project, whichever another window shows', async () => {
  const { project } = await owner.client.call(operations.createProject, {
    workspace_id: owner.workspaceId,
    name: 'Shop',
  })
  const { task_id, profile_id } = await owner.client.call(operations.createProfileUpload, {
    project_id: project.id,
    file_name: 'stacks.txt',
    content: 'main;parse 30\nmain;render 5\n',
  })
  await waitForTask(owner, task_id)
  const viewer = await invite(owner, 'viewer', 'Guest')
  const { workspace: own } = await viewer.client.call(operations.createWorkspace, { name: 'Of the guest' })
  const page = await windowOf(viewer)
  await page.goto(`/profiles/${profile_id}`)
  await page.getByRole('tree', { name: /^Flame graph of/ }).waitFor()
  const other = await page.context().newPage()
  await other.goto(`/workspaces/${own.id}/projects`)
  await page.getByRole('button', { name: `Workspace: ${own.name}` }).waitFor()
  const [crumb] = await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link').allInnerTexts()
  expect(crumb).toBe(workspaceName)
  expect(await page.getByRole('button', { name: 'Share' }).count()).toBe(0)
  expect(await page.getByRole('button', { name: /^More actions/ }).count()).toBe(0)
})
