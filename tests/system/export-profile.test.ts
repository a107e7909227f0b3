import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { operations } from '@flamegate/contract'
import { readProfile } from '@flamegate/profiles'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fillLogIn, keepScreenshot, launchBrowser } from './browser.ts'
import { platform, signUp, type Person } from './person.ts'
import { waitForTask } from './world.ts'

/** Exports by the way that everybody goes: ask, get a link, download. And what the picture does in a browser. */

const stacks = `main;parse;(native code) / read 30
main;parse 10
main;render;</script><img src=x onerror=window.hacked=1>;paint 40
main;render;]]><script>window.hacked=1</script> 20
`
let owner: Person
let profileId: string
let browser: Browser
let folder: string

beforeAll(async () => {
  owner = await signUp('Exporter')
  const { project } = await owner.client.call(operations.createProject, {
    workspace_id: owner.workspaceId,
    name: 'Exports',
  })
  const upload = await owner.client.call(operations.createProfileUpload, {
    project_id: project.id,
    file_name: 'stacks.v2.txt',
    content: stacks,
  })
  await waitForTask(owner, upload.task_id)
  profileId = upload.profile_id
  browser = await launchBrowser()
  folder = await mkdtemp(join(tmpdir(), 'flamegate-export-'))
})
afterAll(async () => {
  await browser?.close()
  await rm(folder, { recursive: true, force: true })
})

const exported = (format: 'pprof' | 'collapsed' | 'svg' | 'png', part: object = {}) =>
  owner.client.call(operations.exportProfile, { profile_id: profileId, format, ...part })

test('the link gives the file once, under its name, and to viewers on other sites too', async () => {
  const answer = await exported('pprof')
  expect(answer).toMatchObject({ file_name: 'stacks.v2.pb.gz', content: null, notes: [] })
  const file = await fetch(answer.download.url)
  expect(Object.fromEntries(file.headers)).toMatchObject({
    'content-type': 'application/gzip',
    'content-length': String(answer.size_bytes),
    'content-disposition': expect.stringContaining('filename="stacks.v2.pb.gz"'),
    'access-control-allow-origin': '*',
  })
  const profile = readProfile(new Uint8Array(await file.arrayBuffer()))
  expect(profile.selfValues[0]?.reduce((sum, value) => sum + value, 0)).toBe(100)
  expect((await fetch(answer.download.url)).status).toBe(409)
})

test('a small text comes inline as well', async () => {
  const { content, size_bytes, download } = await exported('collapsed')
  expect(content?.split('\n').toSorted()).toEqual(stacks.split('\n').toSorted())
  expect(await (await fetch(download.url)).text()).toBe(content)
  expect(size_bytes).toBe(content?.length)
})

test('what the profile does not tell cannot be chosen by', async () => {
  await expect(exported('svg', { labels: ['thread=main'] })).rejects.toMatchObject({
    code: 'invalid_input',
    message: expect.stringContaining('its samples have no labels'),
  })
  await expect(exported('svg', { from_ms: 5 })).rejects.toMatchObject({ code: 'invalid_input' })
  await expect(exported('svg', { sample_type: 'heap' })).rejects.toMatchObject({ code: 'invalid_input' })
})

/** How wide and high a PNG says that it is: https://www.w3.org/TR/png-3/#11IHDR */
async function sizeOfPng(url: string): Promise<{ width: number; height: number }> {
  const answer = await fetch(url)
  expect(answer.headers.get('content-type')).toBe('image/png')
  const bytes = Buffer.from(await answer.arrayBuffer())
  expect(bytes.toString('latin1', 1, 4)).toBe('PNG')
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
}

test('a PNG is as wide as asked for, and as high as its rows need', async () => {
  const { download, content, file_name } = await exported('png')
  expect([file_name, content]).toEqual(['stacks.v2.png', null])
  // All, and four rows below it.
  expect(await sizeOfPng(download.url)).toEqual({ width: 1600, height: 82 + 5 * 18 + 28 })
  const wide = await exported('png', { width_px: 2400 })
  expect(await sizeOfPng(wide.download.url)).toMatchObject({ width: 2400 })
  await expect(exported('png', { width_px: 100_000 })).rejects.toMatchObject({ code: 'invalid_input' })
})

const difference = (format: 'svg' | 'png') =>
  owner.client.call(operations.exportDifferentialFlamegraph, { base: [profileId], head: [profileId], format })

test('a difference is exported as a picture, too', async () => {
  const png = await difference('png')
  expect(png).toMatchObject({ file_name: 'stacks.v2 difference.png', content_type: 'image/png', notes: [] })
  expect(await sizeOfPng(png.download.url)).toMatchObject({ width: 1600 })
  const svg = await difference('svg')
  const text = await (await fetch(svg.download.url)).text()
  expect(text).toContain('stacks.v2.txt against stacks.v2.txt')
  expect(text).toContain('samples before 100, now 100 (±0.0 %)')
})

/** The picture alone in a browser, as somebody would open the file that they saved. */
async function openPicture(options: { scripts: boolean }): Promise<Page> {
  const path = join(folder, 'stacks.svg')
  const { download } = await exported('svg')
  await writeFile(path, await (await fetch(download.url)).bytes())
  const context = await browser.newContext({ javaScriptEnabled: options.scripts })
  const page = await context.newPage()
  await page.goto(`file://${path}`)
  return page
}
const boxOf = (page: Page, name: string) => page.locator('.f', { hasText: name }).first()

test('the picture zooms by click, searches, and goes back', async () => {
  const page = await openPicture({ scripts: true })
  await boxOf(page, 'parse').click()
  await expect.poll(() => boxOf(page, 'parse').getAttribute('width')).toBe('100%')
  expect(await boxOf(page, 'render').isVisible()).toBe(false)
  await page.keyboard.press('/')
  await page.keyboard.type('READ')
  await expect.poll(() => page.locator('output').textContent()).toBe('75.0 % in 1 frame')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await expect.poll(() => boxOf(page, 'render').isVisible()).toBe(true)
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await expect
    .poll(() => page.locator('.details').textContent())
    .toContain('main  ·  Unknown  ·  100 (100.00%)')
  await page.context().close()
})

test('what is too long for its box is shortened to its last part', async () => {
  const page = await openPicture({ scripts: true })
  await expect.poll(() => boxOf(page, 'read').locator('text').textContent()).toBe('(native code) / read')
  await page.setViewportSize({ width: 400, height: 600 })
  await expect.poll(() => boxOf(page, 'read').locator('text').textContent()).toBe('read')
  await page.context().close()
})

test('names in the picture are inert', async () => {
  const page = await openPicture({ scripts: true })
  expect(await page.locator('img').count()).toBe(0)
  await expect.poll(() => page.locator('script').count()).toBe(1)
  expect(await page.evaluate('window.hacked')).toBeUndefined()
  await expect
    .poll(() => boxOf(page, '<img').locator('title').textContent())
    .toContain('</script><img src=x onerror=window.hacked=1>')
  await page.context().close()
})

test('where scripts are blocked, the picture stays, without a search that would do nothing', async () => {
  const page = await openPicture({ scripts: false })
  await expect.poll(() => boxOf(page, 'paint').isVisible()).toBe(true)
  expect(await page.locator('input').count()).toBe(0)
  await page.context().close()
})

test('the page of a profile saves exports from its menu', async () => {
  const page = await browser.newPage()
  await page.goto(`${platform().url}/log-in`)
  await fillLogIn(page, owner.email, owner.password)
  await page.waitForURL((url) => url.pathname !== '/log-in')
  await page.goto(`${platform().url}/profiles/${profileId}`)
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  await keepScreenshot(page, 'profile-export-menu')
  const saved = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'Flame graph' }).click()
  expect((await saved).suggestedFilename()).toBe('stacks.v2.svg')
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  const picture = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'Picture' }).click()
  expect((await picture).suggestedFilename()).toBe('stacks.v2.png')
  // Without https, speedscope cannot fetch it from here.
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  const handed = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'Open in speedscope' }).click()
  expect((await handed).suggestedFilename()).toBe('stacks.v2.speedscope.json')
  await page.getByText('drop it on www.speedscope.app').waitFor()
  await page.close()
})
