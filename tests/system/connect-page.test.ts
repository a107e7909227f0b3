import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { clients } from '../../packages/connect/src/index.ts'
import { axeOn } from './axe.ts'
import { fillLogIn, launchBrowser, openSettled, settle } from './browser.ts'
import { platform } from './person.ts'

let browser: Browser
let page: Page

beforeAll(async () => {
  browser = await launchBrowser()
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, colorScheme: 'dark' })
  page = await context.newPage()
  const { url, demo } = platform()
  await page.goto(`${url}/log-in`)
  await fillLogIn(page, demo.email, demo.password)
  await page.waitForURL((at) => !at.pathname.startsWith('/log-in'))
})
afterAll(() => browser?.close())

const openAll = () =>
  page.evaluate("document.querySelectorAll('main details').forEach((each) => (each.open = true))")
async function lines(): Promise<string[]> {
  const fields = await page.getByRole('tabpanel').locator('textarea').all()
  return Promise.all(fields.map((field) => field.inputValue()))
}

test('each client is in sight, is chosen by a press, and keeps its address', async () => {
  const site = { origin: platform().url }
  await openSettled(page, `${site.origin}/connect`)
  for (const client of clients(site)) {
    await page.getByRole('tab', { name: client.name, exact: true }).click()
    await page.getByRole('heading', { name: `Add Flamegate to ${client.name}`, exact: true }).waitFor()
    expect(new URL(page.url()).searchParams.get('client')).toBe(client.id)
    await page.getByText(client.ask).waitFor()
    const [first] = client.add
    if (typeof first === 'object' && 'link' in first) {
      const link = page.getByRole('link', { name: first.label })
      await expect.poll(() => link.getAttribute('href')).toBe(first.link)
    } else if (typeof first === 'object') {
      expect((await lines())[0]).toBe(first.copy)
    }
    await openAll()
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0)
  }
  await page.reload()
  await page.getByRole('heading', { name: 'Add Flamegate to Any other' }).waitFor()
  const { violations } = await axeOn(page).analyze()
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([])
})

test('who opens it on a machine of their own is told that Claude.ai cannot reach that', async () => {
  await openSettled(page, `${platform().url}/connect?client=claude-ai`)
  await page.getByText(`cannot reach ${platform().url}`).waitFor()
  await openAll()
  await settle(page)
  const { violations } = await axeOn(page).analyze()
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([])
})

test('its curl lines put the guides where each client reads them', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'flamegate-connect-'))
  try {
    const agents = await (await fetch(`${platform().url}/mcp/public/AGENTS.md`)).text()
    const curls = new Set<string>()
    await openSettled(page, `${platform().url}/connect`)
    for (const { name, skills } of clients({ origin: platform().url })) {
      await page.getByRole('tab', { name, exact: true }).click()
      await page.getByRole('heading', { name: `Add Flamegate to ${name}`, exact: true }).waitFor()
      const own = (await lines()).filter((line) => line.startsWith('curl '))
      expect(own.length > 0).toBe(skills !== undefined)
      for (const line of own) curls.add(line)
    }
    for (const line of curls) {
      await promisify(execFile)('sh', ['-ec', line.replace('curl ', 'curl --fail -s ')], { cwd: folder })
      const path = / -o (\S+) /.exec(line)?.[1] ?? ''
      const text = await readFile(join(folder, path), 'utf8')
      if (/SKILL\.md$|\.mdc$/.test(path)) expect(text).toMatch(/^---\n(?:name|description): /)
      else expect(text).toBe(agents)
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
