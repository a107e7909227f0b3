import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { operations } from '@flamegate/contract'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { Browser, Locator, Page } from 'playwright'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { keepScreenshot, launchBrowser } from './browser.ts'
import { apiToken, platform, signUp, type Person } from './person.ts'
import { showView } from './view-host.ts'
import { waitForTask } from './world.ts'

// The flame graph as MCP hosts show it: in a sandbox of a real browser, fed by the bridge that hosts are built with.

/** So many functions with such long names that a tool's result does not hold them. */
const wideStacks = Array.from(
  { length: 900 },
  (_, index) => `main;handler_${index}_of_a_service_that_has_a_name_for_every_step ${1000 - index}\n`,
).join('')

/** The machine may have much else to do. */
const patient = { timeout: 90_000 }

let browser: Browser
let person: Person
let client: Client
let goProfileId: string
let wideProfileId: string
let base: string
let head: string

beforeAll(async () => {
  person = await signUp('Host')
  const { project } = await person.client.call(operations.createProject, {
    workspace_id: person.workspaceId,
    name: 'Shown in a host',
  })
  const upload = async (part: { file_name: string; content: string; content_encoding?: 'base64' }) => {
    const input = { project_id: project.id, ...part }
    const { task_id, profile_id } = await person.client.call(operations.createProfileUpload, input)
    await waitForTask(person, task_id)
    return profile_id
  }
  const go = await readFile(join(import.meta.dirname, '../../packages/profiles/samples/pprof/go-cpu.pb.gz'))
  goProfileId = await upload({
    file_name: 'go.pb.gz',
    content: go.toString('base64'),
    content_encoding: 'base64',
  })
  wideProfileId = await upload({ file_name: 'wide.txt', content: wideStacks })
  base = await upload({ file_name: 'base.txt', content: 'main;parse 3000\nmain;render 6000\nmain 1000\n' })
  head = await upload({
    file_name: 'head.txt',
    content: 'main;parse 3000\nmain;match 11000\nmain;render 6000\n',
  })
  const authorization = `Bearer ${await apiToken(person, ['read'])}`
  client = new Client(
    { name: 'a-host', version: '1.0.0' },
    {
      versionNegotiation: { mode: 'auto' },
      capabilities: {
        extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } },
      },
    },
  )
  const requestInit = { headers: { authorization } }
  await client.connect(new StreamableHTTPClientTransport(new URL(platform().mcpUrl), { requestInit }))
  browser = await launchBrowser()
})
afterAll(async () => {
  await client?.close()
  await browser?.close()
})

async function openPage(): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 900, height: 760 } })
  onTestFinished(() => context.close())
  return context.newPage()
}

/** How many different colours are on the canvas. */
function coloursOf(canvas: Locator): Promise<number> {
  return canvas.evaluate((element: Canvas) => {
    const { data } = element.getContext('2d').getImageData(0, 0, element.width, element.height)
    return new Set(new Uint32Array(data.buffer)).size
  })
}

/** What of a canvas is asked for here. */
interface Canvas {
  width: number
  height: number
  getContext: (kind: '2d') => {
    getImageData: (...area: [number, number, number, number]) => { data: Uint8ClampedArray }
  }
}

test('a summary is drawn, filled up from the server, and zoomed, and the model hears of it', async () => {
  const page = await openPage()
  const { frame, asked, told, faults, bridge, links } = await showView(page, client, 'query_flamegraph', {
    profile_id: goProfileId,
    max_entries: 5,
  })
  const graph = frame.getByRole('tree', { name: 'Flame graph, cpu' })
  await graph.waitFor()
  await expect.poll(() => coloursOf(frame.locator('canvas')), patient).toBeGreaterThan(20)
  expect(asked[0]).toEqual({
    name: 'generate_flamegraph',
    arguments: { profile_id: goProfileId, inverted: false, max_nodes: 800 },
  })
  await expect.poll(() => frame.getByText('are on their way').count(), patient).toBe(0)
  await keepScreenshot(page, 'mcp-app-flame-graph')

  const zoom = frame.getByRole('navigation', { name: 'Zoom' })
  await graph.focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect.poll(() => zoom.getByRole('button').count(), patient).toBe(3)
  const name = await zoom.getByRole('button').last().textContent()
  await expect
    .poll(told, patient)
    .toContain(`the person has zoomed to ${name} in the flame graph of ${goProfileId} (cpu)`)

  await frame.getByRole('searchbox', { name: 'Find a function' }).fill('runtime.')
  await frame.getByText(/% matches below/).waitFor()
  await bridge.sendHostContextChange({ theme: 'dark' })
  await expect.poll(() => frame.locator('html').getAttribute('data-theme'), patient).toBe('dark')
  await keepScreenshot(page, 'mcp-app-zoomed-dark')

  await frame.getByRole('button', { name: 'Show only below this' }).click()
  await frame.getByRole('button', { name: `Only below ${name}` }).waitFor()
  await frame.getByRole('button', { name: 'Inverted' }).click()
  await expect
    .poll(() => asked.at(-1)?.arguments, patient)
    .toMatchObject({ profile_id: goProfileId, inverted: true, root_function_name: name })
  await expect
    .poll(async () => {
      await frame.getByRole('button', { name: 'Open in Flamegate' }).click()
      return links.at(-1)
    }, patient)
    .toMatch(/\/profiles\/prf_\w+\?root=.*&inverted=true$/)
  expect(faults).toEqual([])
})

test('where the host can, it takes the whole window and gives it back', async () => {
  const page = await openPage()
  const { frame, faults } = await showView(page, client, 'generate_flamegraph', { profile_id: goProfileId })
  await frame.getByRole('button', { name: 'Full screen', exact: true }).click()
  await frame.getByRole('button', { name: 'Leave full screen' }).click()
  await frame.getByRole('button', { name: 'Full screen', exact: true }).waitFor()
  expect(faults).toEqual([])
})

test('an answer that was too large to be more than text is asked for again, smaller', async () => {
  const page = await openPage()
  const { frame, asked } = await showView(page, client, 'generate_flamegraph', {
    profile_id: wideProfileId,
    max_nodes: 900,
  })
  await frame.getByRole('tree', { name: /^Flame graph/ }).waitFor()
  await expect.poll(() => coloursOf(frame.locator('canvas')), patient).toBeGreaterThan(20)
  expect(asked.map((call) => call.arguments?.['max_nodes'])).toEqual([800, 400, 200])
  await frame.getByText('The smallest frames are left out.').waitFor()
})

test('a comparison is drawn with both sides, in red and blue', async () => {
  const page = await openPage()
  const { frame, asked, told, faults } = await showView(page, client, 'compare_profiles', {
    base: [base],
    head: [head],
  })
  const graph = frame.getByRole('tree')
  await graph.waitFor()
  expect(asked).toEqual([
    {
      name: 'compare_profiles',
      arguments: { base: [base], head: [head], format: 'flamegraph-json', top_n: 1 },
    },
  ])
  await frame.getByText('Only in base, or less in head').waitFor()
  await expect.poll(() => coloursOf(frame.locator('canvas')), patient).toBeGreaterThan(5)
  await graph.focus()
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight', 'Enter']) {
    // oxlint-disable-next-line no-await-in-loop -- one key after the other
    await page.keyboard.press(key)
  }
  await expect.poll(told, patient).toMatch(/zoomed to match in .*the comparison.*: total 0 → 11,?000/)
  await keepScreenshot(page, 'mcp-app-comparison')
  expect(faults).toEqual([])
})
