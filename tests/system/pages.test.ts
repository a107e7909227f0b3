import { AxeBuilder } from '@axe-core/playwright'
import { operations } from '@flamegate/contract'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fillLogIn, keepScreenshot, launchBrowser } from './browser.ts'
import { logIn, type Person, platform, signUp } from './person.ts'
import { recordWatchedProject } from './watched-project.ts'

/**
 * Every page with the demo in it, light and dark, narrow and wide: no error on the console, nothing wider than the
 * window, no table that scrolls sideways, nothing serious that axe finds. The pictures are kept for people to look at.
 */

const views = [
  { name: 'light-1280', width: 1280, height: 800, colorScheme: 'light' },
  { name: 'dark-1280', width: 1280, height: 800, colorScheme: 'dark' },
  { name: 'light-400', width: 400, height: 800, colorScheme: 'light' },
  { name: 'dark-400', width: 400, height: 800, colorScheme: 'dark' },
  { name: 'light-2560', width: 2560, height: 1300, colorScheme: 'light' },
  { name: 'dark-2560', width: 2560, height: 1300, colorScheme: 'dark' },
] as const

/** Colours and layouts that differ for axe; the others would only repeat them. */
const viewsForAxe = new Set(['light-1280', 'dark-1280', 'light-400'])

const viewTimeoutMs = 240_000

const publicPages = [
  'log-in',
  'sign-up',
  'join',
  'verify-email',
  'forgot-password',
  'reset-password',
  'undo-email-change',
  'nowhere',
]

const pages = [
  'home',
  'workspaces',
  'workspace-projects',
  'members',
  'api-tokens',
  'audit',
  'connected-apps',
  'account',
  'change-email',
  'projects',
  'project-runs',
  'project-benchmarks',
  'project-profiles',
  'run',
  'compare',
  'explanation',
  'benchmark',
  'profile',
  'connect',
  'tool-addresses',
  'doctor',
  'oauth-clients',
  'device',
] as const

/** Of a project with a longer history than the demo has, in which a benchmark became slower. */
const watchedPages = [
  'watched-benchmarks',
  'watched-benchmark',
  'watched-pair',
  'watched-alerts',
  'no-alerts',
  'thresholds',
  'new-threshold',
  'watched-run',
  'report',
  'environments',
  'distributions',
] as const

let browser: Browser
let paths: Record<string, string>
let watcher: Person

beforeAll(async () => {
  browser = await launchBrowser()
  watcher = await signUp('Pages')
  paths = { ...(await pathsOfDemo()), ...(await pathsOfWatched()) }
})
afterAll(() => browser?.close())

async function pathsOfDemo(): Promise<Record<string, string>> {
  const { email, password } = platform().demo
  const { client, workspaceId } = await logIn(email, password)
  const comparison = await client.call(operations.compareRuns, {
    repository: 'flamegate-demo/checkout-service',
  })
  const projectId = comparison.head.project_id
  const [worst] = comparison.benchmarks
  const graph = await client.call(operations.queryFlamegraph, {
    run_id: comparison.head.id,
    benchmark: worst?.uri,
  })
  return {
    'log-in': '/log-in',
    'sign-up': '/sign-up',
    join: '/join?token=abc',
    'verify-email': '/verify-email?token=abc',
    'forgot-password': '/forgot-password',
    'reset-password': '/reset-password?token=abc',
    'undo-email-change': '/undo-email-change?token=abc',
    'change-email': '/change-email?token=abc',
    nowhere: '/nowhere/at/all',
    home: '/',
    workspaces: '/workspaces',
    'workspace-projects': `/workspaces/${workspaceId}/projects`,
    members: `/workspaces/${workspaceId}/members`,
    'api-tokens': `/workspaces/${workspaceId}/api-tokens`,
    audit: `/workspaces/${workspaceId}/audit`,
    'connected-apps': '/connected-apps',
    account: '/settings/account',
    projects: '/projects',
    'project-runs': `/projects/${projectId}`,
    'project-benchmarks': `/projects/${projectId}/benchmarks`,
    'project-profiles': `/projects/${projectId}/profiles`,
    run: `/runs/${comparison.head.id}`,
    compare: `/compare?base=${comparison.base.id}&head=${comparison.head.id}`,
    explanation: `/compare?base=${comparison.base.id}&head=${comparison.head.id}&benchmark=${worst?.benchmark_id}&explain=yes`,
    benchmark: `/benchmarks/${worst?.benchmark_id}?run=${comparison.head.id}`,
    profile: `/profiles/${graph.profile_id}`,
    connect: '/connect',
    'tool-addresses': '/connect/tools',
    doctor: '/doctor',
    'oauth-clients': '/oauth-clients',
    device: '/device',
  }
}

async function pathsOfWatched(): Promise<Record<string, string>> {
  const { projectId, baseRunId, headRunId, slowedBenchmarkId } = await recordWatchedProject(watcher)
  const compared = `/compare?base=${baseRunId}&head=`
  return {
    'watched-benchmarks': `/projects/${projectId}/benchmarks?sort=-alerts`,
    'watched-benchmark': `/benchmarks/${slowedBenchmarkId}?scale=log`,
    'watched-pair': `/benchmarks/${slowedBenchmarkId}?branch=main&metric=user_time&from=${baseRunId}`,
    'watched-alerts': `/projects/${projectId}/alerts`,
    'no-alerts': `/projects/${projectId}/alerts?state=muted`,
    thresholds: `/projects/${projectId}/thresholds`,
    'new-threshold': `/projects/${projectId}/thresholds?benchmark=${slowedBenchmarkId}`,
    'watched-run': `/runs/${headRunId}`,
    report: `/runs/${headRunId}/report?base=${baseRunId}`,
    environments: `${compared}feat/quick&project=${projectId}&sort=-change`,
    distributions: `${compared}${headRunId}&benchmark=${slowedBenchmarkId}`,
  }
}

describe.each(views)('$name', ({ name, width, height, colorScheme }) => {
  test('without an account', { timeout: viewTimeoutMs }, async () => {
    const context = await browser.newContext({ viewport: { width, height }, colorScheme })
    const page = await context.newPage()
    for (const each of publicPages) await look(page, each, name, [401])
    await context.close()
  })

  test('logged in', { timeout: viewTimeoutMs }, async () => {
    const context = await browser.newContext({ viewport: { width, height }, colorScheme })
    const page = await context.newPage()
    await page.goto(`${platform().url}/log-in`)
    await fillLogIn(page, platform().demo.email, platform().demo.password)
    await page.waitForURL((url) => url.pathname !== '/log-in')
    for (const each of pages) await look(page, each, name, [])
    await context.close()
  })

  test('with a history', { timeout: viewTimeoutMs }, async () => {
    const context = await browser.newContext({ viewport: { width, height }, colorScheme })
    const page = await context.newPage()
    await page.goto(`${platform().url}/log-in`)
    await fillLogIn(page, watcher.email, watcher.password)
    await page.waitForURL((url) => url.pathname !== '/log-in')
    for (const each of watchedPages) await look(page, each, name, [])
    await context.close()
  })
})

/** Opens a page, waits until it shows what it loads, and holds it against what every page promises. */
async function look(
  page: Page,
  pageName: string,
  viewName: string,
  expectedStatuses: number[],
): Promise<void> {
  const complaints: string[] = []
  const onConsole = (message: { type(): string; text(): string }) => {
    const isExpected = expectedStatuses.some((status) => message.text().includes(`status of ${status}`))
    if (message.type() === 'error' && !isExpected) complaints.push(message.text())
  }
  const onError = (error: Error) => complaints.push(String(error))
  page.on('console', onConsole)
  page.on('pageerror', onError)
  await page.goto(platform().url + paths[pageName])
  await page.waitForLoadState('networkidle')
  await page.getByRole('heading').first().waitFor({ timeout: 10_000 })
  await keepScreenshot(page, `${pageName}-${viewName}`)

  page.off('console', onConsole)
  page.off('pageerror', onError)
  expect(complaints, `${pageName} at ${viewName}`).toEqual([])
  const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
  expect(overflow, `${pageName} at ${viewName} is wider than the window`).toBeLessThanOrEqual(0)
  const tooWide = await page.evaluate<string[]>(
    `[...document.querySelectorAll('table')].filter(({ parentElement: box }) => box.scrollWidth > box.clientWidth)
      .map((table) => table.getAttribute('aria-label') ?? table.textContent.slice(0, 80))`,
  )
  expect(tooWide, `${pageName} at ${viewName} has tables that scroll sideways`).toEqual([])
  if (!viewsForAxe.has(viewName)) return
  const { violations } = await new AxeBuilder({ page }).analyze()
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  expect(
    serious.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 120)).join(' | ')}`),
    `${pageName} at ${viewName}`,
  ).toEqual([])
}

test('the flame graph is walked, zoomed and searched by keyboard alone', async () => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  const page = await context.newPage()
  await page.goto(`${platform().url}/log-in`)
  await fillLogIn(page, platform().demo.email, platform().demo.password)
  await page.waitForURL((url) => url.pathname !== '/log-in')
  await page.goto(platform().url + paths['profile'])
  const graph = page.getByRole('tree')
  await graph.focus()
  const name = () => graph.getByRole('treeitem').first().textContent()
  const top = await name()
  for (let step = 0; step < 4; step++) await page.keyboard.press('ArrowDown')
  const deeper = await name()
  expect(deeper).not.toBe(top)
  await page.keyboard.press('Enter')
  await keepScreenshot(page, 'profile-zoomed')
  await page.keyboard.press('Escape')
  await page.keyboard.press('/')
  await page.keyboard.type('findMatchingRules')
  await expect.poll(() => new URL(page.url()).searchParams.get('search')).toBe('findMatchingRules')
  await page.getByText(/\d %/).first().waitFor()
  await keepScreenshot(page, 'profile-search')
  await context.close()
})
