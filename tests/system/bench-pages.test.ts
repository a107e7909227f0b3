import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { operations } from '@flamegate/contract'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { axeOn } from './axe.ts'
import { fillLogIn, keepScreenshot, launchBrowser, settle } from './browser.ts'
import { openPageOf } from './dialogs.ts'
import { invite, type Person, platform, signUp } from './person.ts'
import { programEnv } from './program-env.ts'

/** A load test as a person runs and reads it, in a real browser, with a real agent and a real server. */

const cli = join(import.meta.dirname, '../../apps/cli/src/main.ts')

let browser: Browser
let person: Person
let page: Page
let target: Server
let projectId: string
let scenarioId: string
let agent: ChildProcess | undefined
/** How often the server was asked, by path, and how often it failed. */
const asked = { '/slow': 0, '/orders': 0, failed: 0 }

beforeAll(async () => {
  target = createServer((request, response) => {
    const path = request.url === '/slow' ? '/slow' : '/orders'
    asked[path]++
    const isFailing = path === '/orders' && asked[path] % 10 === 0
    if (isFailing) asked.failed++
    setTimeout(
      () => {
        response.writeHead(isFailing ? 500 : 200, { 'content-type': 'application/json' })
        response.end(JSON.stringify(isFailing ? { error: 'out of stock' } : { id: asked[path] }))
      },
      path === '/slow' ? 40 : 5,
    )
  })
  target.listen(0, '127.0.0.1')
  await once(target, 'listening')
  browser = await launchBrowser()
  person = await signUp('Runner')
  const { project } = await person.client.call(operations.createProject, {
    workspace_id: person.workspaceId,
    name: 'Shop',
  })
  projectId = project.id
  const { http_server: server } = await person.client.call(operations.createHttpServer, {
    project_id: projectId,
    name: 'shop',
    base_url: `http://127.0.0.1:${portOf(target)}`,
  })
  const request = (id: string, method: string, path: string) => ({
    type: 'http_request',
    id,
    name: `${method} ${path}`,
    method,
    server_id: server.id,
    path,
  })
  const { virtual_user: user } = await person.client.call(operations.createVirtualUser, {
    project_id: projectId,
    name: 'Buyer',
    document: {
      actions: [
        {
          type: 'container',
          id: 'act_checkout',
          name: 'checkout',
          actions: [
            request('act_slow', 'GET', '/slow'),
            { ...request('act_orders', 'POST', '/orders'), body: { type: 'json', text: '{"item":7}' } },
          ],
        },
        { type: 'delay', id: 'act_think', duration: { distribution: 'constant', ms: 100 } },
      ],
    },
  })
  const { scenario } = await person.client.call(operations.createScenario, {
    project_id: projectId,
    name: 'Sale',
    document: {
      profiles: [
        {
          id: 'p1',
          name: 'buyers',
          virtual_user_id: user.id,
          load: { type: 'ramp_up', users: 6, ramp_up_ms: 1000, plateau_ms: 6000 },
          agent_group: 'default',
        },
      ],
      thresholds: ['p95 duration < 5 s', 'error share of action "act_orders" < 1 %'],
    },
  })
  scenarioId = scenario.id
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  page = await context.newPage()
  await page.goto(`${platform().url}/log-in`)
  await fillLogIn(page, person.email, person.password)
  await page.waitForURL((url) => url.pathname !== '/log-in')
})
afterAll(async () => {
  if (agent !== undefined && agent.exitCode === null && agent.signalCode === null) {
    const ended = once(agent, 'exit')
    agent.kill('SIGKILL')
    await ended
  }
  target?.close()
  await browser?.close()
})

function portOf(server: Server): number {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('It does not listen')
  return address.port
}

const open = (path: string) => page.goto(new URL(path, platform().url).href)
const violationsOf = async () => (await axeOn(page).analyze()).violations.map(({ id }) => id)
const number = (name: string) =>
  page
    .locator('dl[aria-label=Numbers] > div')
    .filter({ has: page.getByText(name, { exact: true }) })
    .locator('dd > span')
    .first()
const requestsSeen = async () => Number((await number('Requests').innerText()).replaceAll(',', ''))
const chart = (title: string) => page.getByRole('figure', { name: title, exact: true })

test('a run without an agent says what it waits for, and the command that it shows starts one', async () => {
  await open(`/scenarios/${scenarioId}`)
  await page.getByText('It was never run.').waitFor()
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Run “Sale”' })
  await dialog.getByText('No agent of the group default is online.').waitFor()
  expect(await violationsOf()).toEqual([])
  await dialog.getByRole('textbox', { name: 'Agents of each group, at most' }).fill('0')
  await dialog.getByRole('button', { name: 'Start anyway' }).click()
  await dialog.getByText(/>=1|at least 1|1 or more/i).waitFor()
  await dialog.getByRole('textbox', { name: 'Agents of each group, at most' }).fill('1')
  await dialog.getByRole('textbox', { name: 'Name of the run' }).fill('First sale')
  await dialog.getByRole('button', { name: 'Start anyway' }).click()
  await page.getByRole('heading', { name: 'First sale', level: 1 }).waitFor()
  const waiting = page.getByRole('region', { name: 'Waiting for agents' })
  await waiting.getByText('the group default').waitFor()
  await keepScreenshot(page, 'bench-result-waiting')
  expect(await violationsOf()).toEqual([])
  await waiting.getByRole('button', { name: 'Add an agent of default' }).click()
  await page.getByRole('button', { name: 'Make the command' }).click()
  const command = await page.getByRole('textbox', { name: 'Command' }).inputValue()
  expect(await violationsOf()).toEqual([])
  await page.getByRole('button', { name: 'Done' }).click()
  const [, url, token, rest = ''] =
    /^FLAMEGATE_URL=(\S+) FLAMEGATE_TOKEN=(\S+) flamegate (.+)$/.exec(command) ?? []
  agent = spawn(process.execPath, [cli, ...rest.split(' '), '--name', 'eu-1'], {
    env: { ...programEnv, FLAMEGATE_URL: url, FLAMEGATE_TOKEN: token },
    stdio: 'ignore',
  })
  await page.getByText('running', { exact: true }).first().waitFor()
  await waiting.waitFor({ state: 'detached' })
})

test('the numbers move while it runs, without the charts being made anew', async () => {
  await expect.poll(requestsSeen).toBeGreaterThan(0)
  const before = await requestsSeen()
  const canvas = await chart('Users and requests').locator('canvas').elementHandle()
  await page.getByRole('progressbar').waitFor()
  await expect.poll(requestsSeen).toBeGreaterThan(before)
  await keepScreenshot(page, 'bench-result-live')
  expect(await canvas?.evaluate((element) => element.isConnected)).toBe(true)
  await page.getByText('finished', { exact: true }).first().waitFor()
  expect(await page.getByRole('button', { name: 'Stop' }).count()).toBe(0)
  expect(await canvas?.evaluate((element) => element.isConnected)).toBe(true)
  await expect.poll(requestsSeen).toBe(asked['/slow'] + asked['/orders'])
  await expect.poll(() => number('Users').innerText()).toBe('6')
  const thresholds = page.getByRole('region', { name: 'Thresholds' }).getByRole('listitem')
  await expect
    .poll(() => thresholds.allInnerTexts())
    .toEqual([
      expect.stringMatching(/^kept\s+p95 duration < 5000 ms\s+measured [\d.]+ ms$/),
      expect.stringMatching(/^breached\s+error share of action "act_orders" < 1%\s+measured \d[\d.]* %$/),
    ])
})

test('the table has what the server saw, indented below its container, and sorted on request', async () => {
  const table = page.getByRole('table', { name: 'Results' })
  const cells = async (name: string) =>
    table.getByRole('row').filter({ hasText: name }).getByRole('cell').allInnerTexts()
  await expect.poll(async () => (await cells('GET /slow'))[1]).toBe(asked['/slow'].toLocaleString('en'))
  const orders = await cells('POST /orders')
  expect(orders[1]).toBe(asked['/orders'].toLocaleString('en'))
  expect(orders.find((text) => text.includes('%'))).toMatch(new RegExp(`^${asked.failed} \\(`))
  expect((await cells('All requests'))[1]).toBe((asked['/slow'] + asked['/orders']).toLocaleString('en'))
  await expect
    .poll(() => table.getByText('GET /slow', { exact: true }).getAttribute('style'))
    .toBe('padding-left: 1.25rem;')
  await expect
    .poll(() => table.getByText('checkout', { exact: true }).getAttribute('style'))
    .toBe('padding-left: 0rem;')
  const names = async () =>
    (await table.locator('tbody tr td:first-child').allInnerTexts()).map((text) => text.trim())
  expect(await names()).toEqual(['checkout', 'GET /slow', 'POST /orders'])
  await table.getByRole('button', { name: 'p50' }).click()
  await expect.poll(names).toEqual(['checkout', 'checkout / GET /slow', 'checkout / POST /orders'])
  await table.getByRole('button', { name: 'p50' }).click()
  await expect.poll(names).toEqual(['checkout / POST /orders', 'checkout / GET /slow', 'checkout'])
  await keepScreenshot(page, 'bench-result')
  expect(await violationsOf()).toEqual([])
})

test('values are read by keyboard and as a table, and a part of the time can be chosen', async () => {
  const slider = page.getByRole('slider', { name: 'Time of Users and requests' })
  await slider.focus()
  await page.keyboard.press('Home')
  for (const _ of [1, 2, 3]) await page.keyboard.press('ArrowRight')
  await expect
    .poll(() => slider.getAttribute('aria-valuetext'))
    .toMatch(/^3 s: Requests [\d.]+\/s, Users \(right\) 6$/)
  // The others are at the same second.
  await chart('Response times').getByText('3 s', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Response times as a table', exact: true }).click()
  const row = page.getByRole('table', { name: 'Response times' }).getByRole('row').nth(3)
  await expect
    .poll(() => row.getByRole('cell').allInnerTexts())
    .toEqual(['2 s', ...Array.from({ length: 3 }, () => expect.stringMatching(/^[\d.]+ ms$/))])
  await page.getByRole('button', { name: 'Response times as a table', exact: true }).click()
  const plot = await chart('Users and requests').locator('.u-over').boundingBox()
  if (plot === null) throw new Error('There is no chart')
  const across = (share: number) => [plot.x + plot.width * share, plot.y + plot.height / 2] as const
  await page.mouse.move(...across(0.25))
  await page.mouse.down()
  await page.mouse.move(...across(0.6), { steps: 4 })
  await page.mouse.up()
  await page.getByText(/^From \d s to \d s, charts and tables\.$/).waitFor()
  const count = page.getByRole('table', { name: 'Results' }).getByRole('row').last().getByRole('cell').nth(1)
  const all = asked['/slow'] + asked['/orders']
  await expect.poll(async () => Number((await count.innerText()).replaceAll(',', ''))).toBeLessThan(all)
  await page.getByRole('button', { name: 'Show all' }).click()
  await expect.poll(async () => Number((await count.innerText()).replaceAll(',', ''))).toBe(all)
  await page.getByRole('button', { name: 'Choose the time' }).click()
  await page.getByRole('textbox', { name: 'From', exact: true }).fill('1 s')
  await page.getByRole('textbox', { name: 'To', exact: true }).fill('soon')
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await page.getByText('Write a time such as 1 min 30 s.').waitFor()
  await page.getByRole('textbox', { name: 'To', exact: true }).fill('')
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await page.getByText('From 1 s to the end, charts and tables.').waitFor()
  await page.getByRole('button', { name: 'Choose the time' }).click()
  await page.getByRole('textbox', { name: 'To', exact: true }).fill('3')
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await page.getByText('From 1 s to 3 s, charts and tables.').waitFor()
  await page.getByRole('button', { name: 'Show all' }).click()
})

test('an error leads to the request that failed, and to what the server said', async () => {
  await page.getByRole('link', { name: /^\w+ samples? of checkout \/ POST \/orders/ }).click()
  const sample = page.getByRole('region', { name: 'Chosen sample' })
  await sample.getByText(/^500/).waitFor()
  await expect
    .poll(() => sample.getByRole('textbox', { name: 'Body of the request' }).inputValue())
    .toBe('{"item":7}')
  await expect
    .poll(() => sample.getByRole('textbox', { name: 'Body of the answer' }).inputValue())
    .toContain('out of stock')
  expect(await violationsOf()).toEqual([])
  await page.emulateMedia({ colorScheme: 'dark' })
  await keepScreenshot(page, 'bench-result-dark')
  expect(await violationsOf()).toEqual([])
  await page.setViewportSize({ width: 390, height: 800 })
  // Charts are made as wide as their place when it has changed.
  await settle(page)
  expect(
    await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth'),
  ).toBeLessThanOrEqual(0)
  await keepScreenshot(page, 'bench-result-narrow')
  expect(await violationsOf()).toEqual([])
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.emulateMedia({ colorScheme: 'light' })
})

test('a chart of ten thousand seconds is drawn, and tells each of them exactly', async () => {
  await page.route('**/v1/bench-results/*/series*', async (route) => {
    const answer = await route.fetch()
    const series: { seconds: number[]; lines: { values: (number | null)[] }[] } = await answer.json()
    series.seconds = Array.from({ length: 10_000 }, (_, second) => second)
    for (const line of series.lines) line.values = series.seconds.map((second) => 1 + (second % 997))
    await route.fulfill({ response: answer, json: series })
  })
  await page.reload()
  const slider = page.getByRole('slider', { name: 'Time of Users and requests' })
  await slider.focus()
  await page.keyboard.press('End')
  await page.keyboard.press('ArrowLeft')
  const value = 1 + (9998 % 997)
  await expect
    .poll(() => slider.getAttribute('aria-valuetext'))
    .toBe(`2 h 46 min 38 s: Requests ${value}/s, Users (right) ${value}`)
  await page.unroute('**/v1/bench-results/*/series*')
})

test('a run is found in its project and at its scenario, and can be stopped', async () => {
  await open(`/projects/${projectId}/scenarios`)
  await page.getByRole('link', { name: 'Load tests' }).click()
  await page.getByRole('heading', { name: 'Load tests', level: 1 }).waitFor()
  await page.getByRole('link', { name: /^First sale/ }).waitFor()
  await keepScreenshot(page, 'bench-results')
  expect(await violationsOf()).toEqual([])
  const viewer = await openPageOf(browser, await invite(person, 'viewer', 'Looking'))
  await viewer.goto(page.url())
  await viewer.getByRole('link', { name: /^First sale/ }).waitFor()
  expect(await viewer.getByRole('checkbox').count()).toBe(0)
  await viewer.context().close()
  await page.getByRole('link', { name: 'Scenario of First sale, version 1' }).click()
  await page.getByRole('region', { name: 'Runs' }).getByRole('link', { name: 'First sale' }).waitFor()
  await keepScreenshot(page, 'scenario-runs')
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await page.getByRole('button', { name: 'Start', exact: true }).click()
  await page.getByRole('heading', { name: 'Sale', level: 1, exact: true }).waitFor()
  await page.getByText('running', { exact: true }).first().waitFor()
  await open(`/workspaces/${person.workspaceId}/load-generators`)
  const generator = page.getByRole('table', { name: 'Load generators' }).getByRole('row').nth(1)
  await generator.getByText('online').waitFor()
  await generator.getByText('eu-1').waitFor()
  await generator.getByRole('link', { name: 'Sale' }).waitFor()
  await keepScreenshot(page, 'load-generators')
  expect(await violationsOf()).toEqual([])
  await generator.getByRole('link', { name: 'Sale' }).click()
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Stop it' }).click()
  await page.getByText('It was stopped by hand.').first().waitFor()
  await page.getByText('stopped', { exact: true }).first().waitFor()
})
