import { operations, type Scope } from '@flamegate/contract'
import type { Browser } from 'playwright'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { fillLogIn, keepScreenshot, launchBrowser } from './browser.ts'
import { callAndConfirm, callTool } from './calls.ts'
import { apiToken, invite, platform, signUp, type Person } from './person.ts'
import { waitForTask } from './world.ts'

// Links to a profile: for members, and for people without an account.

let browser: Browser
let owner: Person
let viewer: Person
let outsider: Person
let profileId: string

beforeAll(async () => {
  owner = await signUp('Sharer')
  viewer = await invite(owner, 'viewer', 'Reader')
  outsider = await signUp('Stranger')
  const { project } = await owner.client.call(operations.createProject, {
    workspace_id: owner.workspaceId,
    name: 'Shared',
  })
  const upload = await owner.client.call(operations.createProfileUpload, {
    project_id: project.id,
    file_name: 'stacks.txt',
    content: 'main;parse;read 30\nmain;parse 10\nmain;render 5\n',
  })
  await waitForTask(owner, upload.task_id)
  profileId = upload.profile_id
  browser = await launchBrowser()
})
afterAll(() => browser?.close())

const share = (input: { public?: boolean; root_function_name?: string } = {}) =>
  owner.client.call(operations.openProfileViewer, { profile_id: profileId, ...input })

/** What somebody without an account gets for a link. */
async function follow(viewerUrl: string, query = '', secret = new URL(viewerUrl).hash.slice(1)) {
  const id = new URL(viewerUrl).pathname.split('/').at(-1) ?? ''
  const answer = await fetch(`${platform().url}/v1/shared/${id}${query}`, {
    headers: { authorization: `Bearer ${secret}` },
  })
  return { status: answer.status, body: await answer.json() }
}

test('a link of members leads them to the view, and nobody else anywhere', async () => {
  const { share_link: link, viewer_url: url } = await share({ root_function_name: 'parse' })
  expect(url).toBe(`${platform().url}/shared/${link.id}`)
  const read = (person: Person) => person.client.call(operations.getShareLink, { share_link_id: link.id })
  expect((await read(viewer)).url).toBe(`${platform().url}/profiles/${profileId}?root=parse`)
  await expect(read(outsider)).rejects.toMatchObject({ code: 'share_link_not_found' })
  expect((await follow(url, '', 'guessed')).status).toBe(404)
})

test('a public link opens its profile to whoever has it, until it is taken back', async () => {
  const { share_link: link, viewer_url: url } = await share({ public: true, root_function_name: 'parse' })
  const opened = await follow(url)
  expect(opened.body).toMatchObject({
    name: 'stacks.txt',
    root_function_name: 'parse',
    expires_at: link.expires_at,
    graph: { profile_id: profileId, total_value: 40 },
  })
  expect((await follow(url, '?root_function_name=&inverted=true')).body).toMatchObject({
    root_function_name: null,
    inverted: true,
    graph: { total_value: 45 },
  })
  // It is no credential for anything else.
  const secret = new URL(url).hash.slice(1)
  const elsewhere = await fetch(`${platform().url}/v1/profiles/${profileId}`, {
    headers: { authorization: `Bearer ${secret}` },
  })
  expect(elsewhere.status).toBe(401)
  expect((await follow(url, '', secret.slice(0, -1))).body).toMatchObject({ code: 'share_link_not_found' })
  expect((await follow(url, '?root_function_name=nothing')).body).toMatchObject({
    code: 'function_not_found',
  })

  const eventsOfLink = async () => {
    const { events } = await owner.client.call(operations.searchAuditLog, {
      workspace_id: owner.workspaceId,
    })
    return events.filter((event) => event.client_id === link.id)
  }
  await expect
    .poll(eventsOfLink)
    .toContainEqual(expect.objectContaining({ operation: 'generate_flamegraph', via: 'share_link' }))
  await owner.client.call(operations.closeProfileViewer, { share_link_id: link.id })
  expect((await follow(url)).status).toBe(404)
})

test('a public link is of one profile', async () => {
  const compared = owner.client.call(operations.openProfileViewer, {
    profile_id: profileId,
    base_profile_id: profileId,
    public: true,
  })
  await expect(compared).rejects.toMatchObject({ code: 'invalid_input' })
})

test('it does not outlive the access of whoever made it', async () => {
  const member = await invite(owner, 'member', 'Leaver')
  const { viewer_url: url } = await member.client.call(operations.openProfileViewer, {
    profile_id: profileId,
    public: true,
  })
  expect((await follow(url)).status).toBe(200)
  await owner.client.call(operations.setWorkspaceMember, {
    workspace_id: owner.workspaceId,
    email: member.email,
    role: 'none',
  })
  expect((await follow(url)).body).toMatchObject({ code: 'share_link_not_found' })
})

test('viewers make none', async () => {
  const made = viewer.client.call(operations.openProfileViewer, { profile_id: profileId })
  await expect(made).rejects.toMatchObject({ code: 'insufficient_role' })
})

test('an agent makes one, and takes it back when that is confirmed', async () => {
  const scopes: Scope[] = ['read', 'write']
  const token = await apiToken(owner, scopes)
  const made = await callTool(operations.openProfileViewer, { profile_id: profileId }, { token })
  const id = /shared\/(shl_\w+)/.exec(made.text)?.[1]
  const close = { share_link_id: id }
  expect((await callTool(operations.closeProfileViewer, close, { token })).answer).toHaveProperty(
    'confirmation_token',
  )
  expect((await callAndConfirm(operations.closeProfileViewer, close, { token })).answer).toMatchObject({
    share_link_id: id,
    closed: true,
  })
})

test('a person shares what they see, somebody without an account looks at it, and it is taken back', async () => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  const stranger = await browser.newContext({ viewport: { width: 1000, height: 700 } })
  onTestFinished(async () => {
    await context.close()
    await stranger.close()
  })
  const page = await context.newPage()
  await page.goto(`${platform().url}/log-in`)
  await fillLogIn(page, owner.email, owner.password)
  await page.waitForURL((url) => url.pathname !== '/log-in')
  await page.goto(`${platform().url}/profiles/${profileId}?root=parse`)
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  await page.getByRole('button', { name: /For$/ }).click()
  await page.getByRole('option', { name: /Whoever has the link/ }).click()
  await page.getByRole('button', { name: 'Create link' }).click()
  const url = await page.getByRole('textbox', { name: 'Link' }).inputValue()
  await page.getByText('Public link').first().waitFor()
  await keepScreenshot(page, 'share-dialog')

  const there = await stranger.newPage()
  await there.goto(url)
  await there.getByRole('tree', { name: /^Flame graph of stacks.txt/ }).waitFor()
  await there.getByRole('button', { name: 'Only below parse' }).click()
  await there.getByText('The whole profile').waitFor()
  await keepScreenshot(there, 'shared-profile')

  const takeBack = page.getByRole('button', { name: /^Take back/ })
  const before = await takeBack.count()
  await takeBack.first().click()
  await expect.poll(() => takeBack.count()).toBe(before - 1)
  await there.reload()
  await there.getByText('This link leads nowhere').waitFor()
})
