import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { operations } from '@flamegate/contract'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { axeOn } from './axe.ts'
import { fillLogIn, keepScreenshot, launchBrowser, openSettled } from './browser.ts'
import { platform, signUp, type Person } from './person.ts'
import { waitForTask } from './world.ts'

/** Questions about one profile, by the operations, and as a person asks them in a real browser. */

/** Two threads; the first parses for a second, reads for half a second, and does nothing for the rest of four. */
const trace = {
  shared: {
    frames: [
      { name: 'main', file: 'src/main.ts' },
      { name: 'parse', file: 'src/parse.ts' },
      { name: 'JSON.parse' },
      { name: 'render', file: 'src/render.ts' },
    ],
  },
  profiles: [
    {
      type: 'sampled',
      name: 'first',
      unit: 'milliseconds',
      startValue: 0,
      endValue: 1500,
      samples: [
        [0, 1],
        [0, 1, 2],
      ],
      weights: [1000, 500],
    },
    {
      type: 'sampled',
      name: 'second',
      unit: 'milliseconds',
      startValue: 0,
      endValue: 4000,
      samples: [[0, 3]],
      weights: [4000],
    },
  ],
}

let browser: Browser
let page: Page
let person: Person
let profileId: string
let goProfileId: string
let projectId: string

beforeAll(async () => {
  person = await signUp('Viewer')
  const { project } = await person.client.call(operations.createProject, {
    workspace_id: person.workspaceId,
    name: 'Views',
  })
  projectId = project.id
  const go = await readFile(join(import.meta.dirname, '../../packages/profiles/samples/pprof/go-cpu.pb.gz'))
  const upload = async (part: { file_name: string; content: string; content_encoding?: 'base64' }) => {
    const input = { project_id: project.id, ...part }
    const { task_id, profile_id } = await person.client.call(operations.createProfileUpload, input)
    await waitForTask(person, task_id)
    return profile_id
  }
  profileId = await upload({ file_name: 'two-threads.json', content: JSON.stringify(trace) })
  goProfileId = await upload({
    file_name: 'go.pb.gz',
    content: go.toString('base64'),
    content_encoding: 'base64',
  })
  browser = await launchBrowser()
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  page = await context.newPage()
  await page.goto(`${platform().url}/log-in`)
  await fillLogIn(page, person.email, person.password)
  await page.waitForURL((url) => url.pathname !== '/log-in')
})
afterAll(() => browser?.close())

const inAddress = (name: string) => new URL(page.url()).searchParams.get(name)
const open = (path: string) => page.goto(new URL(path, platform().url).href)
const analyze = (part: object) =>
  person.client.call(operations.analyzeProfile, { profile_id: profileId, ...part })
const refused = (part: object) => analyze(part).catch((error: unknown) => error)

test('rows are of the samples that are asked for, and the link of the answer shows just those', async () => {
  const answer = await analyze({ group_by: 'category', labels: ['thread=first'], from_ms: 1000 })
  expect(answer.groups).toMatchObject([
    { name: 'Serialization', self_value: 500, self_percent: 100, top_functions: ['JSON.parse'] },
  ])
  await open(answer.url)
  const table = page.getByRole('table', { name: 'Kinds of work' })
  await table.getByText('Serialization').waitFor()
  await expect.poll(() => table.getByRole('row').count()).toBe(2)
  await expect.poll(() => page.getByRole('button', { name: /^first/ }).count()).toBe(1)
})

test('what a group, a label or a pattern is not is said to whoever asks', async () => {
  expect(await refused({ group_by: 'label:tenant' })).toMatchObject({ code: 'invalid_input', status: 400 })
  expect(await refused({ group_by: 'colour' })).toMatchObject({ code: 'invalid_input' })
  expect(await refused({ search: '(' })).toMatchObject({ code: 'invalid_input' })
  expect(await refused({ group_by: 'path', search: 'a', focus: 'b' })).toMatchObject({
    code: 'invalid_input',
  })
  const { client } = person
  await expect(
    client.call(operations.getFunctionCallers, { profile_id: profileId, function_name: 'nothing' }),
  ).rejects.toMatchObject({ code: 'function_not_found' })
  await expect(
    client.call(operations.getSourceLines, { profile_id: profileId, file: 'nothing.ts' }),
  ).rejects.toMatchObject({ code: 'invalid_input' })
  const lines = await client.call(operations.getSourceLines, { profile_id: profileId, function_name: 'main' })
  expect(lines).toMatchObject({ lines: [], note: 'The format of this profile does not tell lines.' })
})

test('a stretch of time is dragged on the timeline, and the other views show only that', async () => {
  await open(`/profiles/${profileId}`)
  await page.getByRole('tab', { name: 'Timeline' }).click()
  const band = page.getByRole('img', { name: /^first/ })
  const box = (await band.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  await page.mouse.move(box.x + box.width * 0.5, box.y + 10)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * 0.9, box.y + 10, { steps: 5 })
  await page.mouse.up()
  await expect.poll(() => Number(inAddress('to'))).toBeGreaterThan(3500)
  expect(Number(inAddress('from'))).toBeGreaterThan(1900)
  await keepScreenshot(page, 'profile-timeline')

  // The same by keyboard: what began in the first half second.
  await page.getByLabel('From, ms').fill('0')
  await page.getByLabel('To, ms').fill('500')
  await page.keyboard.press('Enter')
  await expect.poll(() => inAddress('from')).toBe('0')
  await page.getByRole('tab', { name: 'Table' }).click()
  await page.getByRole('button', { name: /^parse/ }).waitFor()
  expect(await page.getByRole('button', { name: /^JSON\.parse/ }).count()).toBe(0)
})

test('from the table to callers and callees, and on to the flame graph, by keyboard', async () => {
  await open(`/profiles/${profileId}?view=table`)
  await page.getByRole('searchbox', { name: 'Find a function or file' }).fill('json.')
  await page.getByText(/1 function found/).waitFor()
  expect(inAddress('search')).toBe('json.')
  await page.getByRole('button', { name: /^JSON\.parse/ }).press('Enter')
  await expect.poll(() => inAddress('function')).toBe('JSON.parse')
  await page.getByText('It calls nothing.').waitFor()
  const callers = page.getByRole('tree', { name: 'Callers of JSON.parse' })
  await callers.focus()
  await page.keyboard.press('ArrowUp')
  await page.getByRole('button', { name: 'Its callers and callees' }).press('Enter')
  await expect.poll(() => inAddress('function')).toBe('parse')
  await page.getByRole('tree', { name: 'Callees of parse' }).waitFor()
  await keepScreenshot(page, 'profile-sandwich')
  await page.getByRole('tab', { name: 'Callers and callees' }).press('ArrowLeft')
  await expect.poll(() => inAddress('view')).toBeNull()
})

test('where the flame graph is zoomed to is in the address, and leads others there', async () => {
  await open(`/profiles/${profileId}`)
  const graph = page.getByRole('tree', { name: /^Flame graph/ })
  await graph.focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect.poll(() => inAddress('zoom')).not.toBeNull()
  const path = page.getByRole('navigation', { name: 'Zoom' })
  const shown = await path.innerText()
  await page.reload()
  await expect.poll(() => path.innerText()).toBe(shown)
  expect(shown).toContain('render')
  await page.goBack()
  await expect.poll(() => path.innerText()).toBe('all')
})

test('a profile of many nodes comes through a worker, whole, and its address leads to just what is seen', async () => {
  const stacks = Array.from({ length: 30_000 }, (_, index) => `main;part${index % 300};leaf${index} 1`)
  const { task_id, profile_id } = await person.client.call(operations.createProfileUpload, {
    project_id: projectId,
    file_name: 'many.txt.gz',
    content: gzipSync(stacks.join('\n')).toString('base64'),
    content_encoding: 'base64',
  })
  await waitForTask(person, task_id)
  await open(`/profiles/${profile_id}`)
  const graph = page.getByRole('tree', { name: /^Flame graph/ })
  await graph.focus()
  for (const key of ['ArrowDown', 'ArrowDown', 'Enter', '+']) await page.keyboard.press(key)
  await expect.poll(() => inAddress('part')).not.toBeNull()
  const words = await graph.innerText()
  expect(words).toContain('total 100')
  await page.getByRole('searchbox', { name: 'Find a function' }).fill('leaf')
  await page.getByText('100.0 % matches below part').waitFor()
  await page.getByRole('button', { name: 'Root below' }).click()
  await expect.poll(() => [inAddress('search'), inAddress('mode')]).toEqual(['leaf', 'flame'])
  const [zoom, part] = [inAddress('zoom'), inAddress('part')]
  await page.reload()
  await page.getByText('100.0 % matches below part').waitFor()
  expect([inAddress('zoom'), inAddress('part'), inAddress('mode')]).toEqual([zoom, part, 'flame'])
  await keepScreenshot(page, 'profile-many-nodes')

  await open(`/profiles/${profile_id}?root=nothing`)
  await page.getByText('nothing is not in this profile').waitFor()
  expect(page.url()).toContain('root=nothing')
})

test.each([400, 1280])('no view is wider than %i pixels, or hard to use without seeing it', async (width) => {
  await page.setViewportSize({ width, height: 900 })
  const found: string[] = []
  for (const path of [
    `${profileId}?view=sandwich`,
    `${profileId}?view=sandwich&function=parse`,
    `${goProfileId}?view=table`,
    `${goProfileId}?view=table&group=category`,
    `${goProfileId}?view=table&group=path`,
    `${goProfileId}?view=lines&file=main.go`,
    `${profileId}?view=timeline`,
    `${profileId}?labels=thread%3Dfirst&from=0&to=1000`,
  ]) {
    // oxlint-disable-next-line no-await-in-loop -- one browser, one page
    await openSettled(page, `${platform().url}/profiles/${path}`)
    // oxlint-disable-next-line no-await-in-loop
    const isTooWide = await page.evaluate<boolean>(
      `[document.documentElement, ...document.querySelectorAll(':has(> table)')]
        .some((box) => box.scrollWidth > box.clientWidth)`,
    )
    if (isTooWide) found.push(`${path} is too wide`)
    // oxlint-disable-next-line no-await-in-loop
    const { violations } = await axeOn(page).analyze()
    for (const { id, impact, nodes } of violations) {
      if (impact === 'serious' || impact === 'critical') found.push(`${path}: ${id} ${nodes[0]?.html}`)
    }
  }
  expect(found).toEqual([])
})
