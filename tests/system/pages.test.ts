import { gzipSync } from 'node:zlib'
import { operations } from '@flamegate/contract'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { axeOn, rulesOfColours } from './axe.ts'
import { fillLogIn, keepScreenshot, launchBrowser, openSettled, settle } from './browser.ts'
import { logIn, type Person, platform, signUp } from './person.ts'
import { recordWatchedProject } from './watched-project.ts'
import { uploadHeapSeries } from './world.ts'

/**
 * Every page with the demo in it, light and dark, narrow and wide: no error on the console, nothing wider than the
 * window, no table that scrolls sideways, nothing serious that axe finds. Pictures are kept for people to look at.
 */

interface Size {
  name: string
  width: number
  height: number
  /** One after the other, as where the system goes dark in the evening. */
  colorSchemes: readonly ('light' | 'dark')[]
}

const sizes: Size[] = [
  { name: '1280', width: 1280, height: 800, colorSchemes: ['light', 'dark'] },
  // Colours are the same at any width.
  { name: '400', width: 400, height: 800, colorSchemes: ['light'] },
]

/** Colours and layouts that differ for axe; the others would only repeat them. In the dark, nothing but colours does. */
const viewsForAxe = new Set(['light-1280', 'light-400'])
const viewForColours = 'dark-1280'
/** Of which pictures are kept. To paint a long page whole takes as long as all else that is done with it. */
const viewsForPictures = new Set(['dark-1280', 'light-400'])

const allPagesTimeoutMs = 480_000

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
  'usage',
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
  'compare-profiles',
  'connect',
  'tool-addresses',
  'doctor',
  'oauth-clients',
  'admin-jobs',
  'admin-people',
  'admin-plans',
  'admin-usage',
  'admin-workspaces',
  'workspace-settings',
  'device',
] as const

/** Of a project with a longer history than the demo has, in which a benchmark became slower. */
const watchedPages = [
  'watched-benchmarks',
  'watched-benchmark',
  'watched-pair',
  'watched-zoomed',
  'watched-alerts',
  'no-alerts',
  'thresholds',
  'new-threshold',
  'notifications',
  'uploads',
  'watched-run',
  'report',
  'environments',
  'distributions',
  'heap-series',
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
    usage: `/workspaces/${workspaceId}/usage`,
    audit: `/workspaces/${workspaceId}/audit`,
    'workspace-settings': `/workspaces/${workspaceId}/settings`,
    'admin-jobs': '/admin/jobs',
    'admin-people': '/admin/people',
    'admin-plans': '/admin/plans',
    'admin-usage': '/admin/usage',
    'admin-workspaces': '/admin/workspaces',
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
    'compare-profiles': `/profiles/compare?base=${comparison.base.id}&head=${comparison.head.id}&benchmark=${worst?.benchmark_id}`,
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
  await watcher.client.call(operations.setWebhook, {
    project_id: projectId,
    target_url: 'https://hooks.invalid/a/path/that/is/far/too/long/for/any/column/of/a/narrow/screen',
  })
  await watcher.client.call(operations.setBadge, { project_id: projectId, is_public: true })
  await tellOfAlert(projectId)
  const heapProfileIds = await uploadHeapSeries(watcher, projectId, [1e6, 2e6, 2.9e6, 4.1e6, 5e6])
  return {
    'watched-benchmarks': `/projects/${projectId}/benchmarks?sort=-alerts`,
    'watched-benchmark': `/benchmarks/${slowedBenchmarkId}?scale=log`,
    'watched-pair': `/benchmarks/${slowedBenchmarkId}?branch=main&metric=user_time&from=${baseRunId}`,
    'watched-zoomed': `/benchmarks/${slowedBenchmarkId}?hidden=feat/quick&since=2026-10-12T00:00:00Z&until=2026-10-27T00:00:00Z`,
    'watched-alerts': `/projects/${projectId}/alerts`,
    'no-alerts': `/projects/${projectId}/alerts?state=muted`,
    thresholds: `/projects/${projectId}/thresholds`,
    'new-threshold': `/projects/${projectId}/thresholds?benchmark=${slowedBenchmarkId}`,
    notifications: `/projects/${projectId}/notifications`,
    uploads: `/projects/${projectId}/uploads`,
    'watched-run': `/runs/${headRunId}`,
    report: `/runs/${headRunId}/report?base=${baseRunId}`,
    environments: `${compared}feat/quick&project=${projectId}&sort=-change`,
    'heap-series': `/profiles/heap-series?ids=${heapProfileIds.join(',')}`,
    distributions: `${compared}${headRunId}&benchmark=${slowedBenchmarkId}`,
  }
}

/** Resolves an alert and opens it again, so that there are deliveries. */
async function tellOfAlert(projectId: string): Promise<void> {
  const { client } = watcher
  const { alerts } = await client.call(operations.listPerformanceAlerts, { project_id: projectId })
  const alert_id = alerts[0]?.id ?? ''
  await client.call(operations.resolveAlert, { alert_id, action: 'resolve' })
  await client.call(operations.resolveAlert, { alert_id, action: 'reopen' })
}

test('without an account', { timeout: allPagesTimeoutMs }, async () => {
  const page = await (await browser.newContext()).newPage()
  await lookAtAll(page, publicPages, [401])
  await page.context().close()
})

test('logged in', { timeout: allPagesTimeoutMs }, async () => {
  const page = await loggedIn(platform().demo)
  await lookAtAll(page, pages, [])
  await page.context().close()
})

test('with a history', { timeout: allPagesTimeoutMs }, async () => {
  const page = await loggedIn(watcher)
  await lookAtAll(page, watchedPages, [])
  await page.context().close()
})

async function loggedIn({ email, password }: { email: string; password: string }): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  const page = await context.newPage()
  await page.goto(`${platform().url}/log-in`)
  await fillLogIn(page, email, password)
  await page.waitForURL((url) => url.pathname !== '/log-in')
  return page
}

/** Each page is loaded at one size, in turn, and then made as wide or narrow as the others. */
async function lookAtAll(page: Page, names: readonly string[], expectedStatuses: number[]): Promise<void> {
  for (const [index, name] of names.entries()) {
    const first = index % sizes.length
    await look(page, name, [...sizes.slice(first), ...sizes.slice(0, first)], expectedStatuses)
  }
}

/** Opens a page, and holds it against what every page promises, at each size, light and dark. */
async function look(
  page: Page,
  pageName: string,
  inSizes: readonly Size[],
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
  let isOpen = false
  for (const { name, width, height, colorSchemes } of inSizes) {
    await page.setViewportSize({ width, height })
    for (const colorScheme of colorSchemes) {
      await page.emulateMedia({ colorScheme })
      if (!isOpen) await openSettled(page, platform().url + paths[pageName])
      isOpen = true
      await settle(page)
      await examine(page, pageName, `${colorScheme}-${name}`)
    }
  }
  page.off('console', onConsole)
  page.off('pageerror', onError)
  expect(complaints, `the page ${pageName}`).toEqual([])
}

async function examine(page: Page, pageName: string, viewName: string): Promise<void> {
  if (viewsForPictures.has(viewName)) await keepScreenshot(page, `${pageName}-${viewName}`)
  const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
  expect(overflow, `${pageName} at ${viewName} is wider than the window`).toBeLessThanOrEqual(0)
  const tooWide = await page.evaluate<string[]>(
    `[...document.querySelectorAll('table')].filter(({ parentElement: box }) => box.scrollWidth > box.clientWidth)
      .map((table) => table.getAttribute('aria-label') ?? table.textContent.slice(0, 80))`,
  )
  expect(tooWide, `${pageName} at ${viewName} has tables that scroll sideways`).toEqual([])
  const axe = axeOn(page)
  if (viewName === viewForColours) axe.withRules(rulesOfColours)
  else if (!viewsForAxe.has(viewName)) return
  const { violations } = await axe.analyze()
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  expect(
    serious.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 120)).join(' | ')}`),
    `${pageName} at ${viewName}`,
  ).toEqual([])
}

test('the flame graph is walked, zoomed and searched by keyboard alone', async () => {
  const page = await loggedIn(platform().demo)
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
  await page.context().close()
})

/** What a first visit may load, packed as every browser understands it. */
const firstPageBytesMax = 200_000

test('the first page of a new visitor is light', async () => {
  const context = await browser.newContext({ baseURL: platform().url })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const files: Promise<number>[] = []
  page.on('response', (response) => {
    files.push(response.body().then((body) => gzipSync(body).length))
  })
  await openSettled(page, '/log-in')
  const sizesBytes = await Promise.all(files)
  expect(sizesBytes.length).toBeGreaterThan(3)
  expect(sizesBytes.reduce((sum, each) => sum + each, 0)).toBeLessThan(firstPageBytesMax)
})
