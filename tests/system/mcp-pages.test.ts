import { operations } from '@flamegate/contract'
import { compareReports, type McpComparison, type McpReport } from '@flamegate/mcp-profiling'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  histogramOfMs,
  madeOperation,
  madeReport,
  spread,
} from '../../packages/mcp-profiling/src/testing/made-report.ts'
import { axeOn } from './axe.ts'
import { fillLogIn, keepScreenshot, launchBrowser, openSettled } from './browser.ts'
import { type Person, platform, signUp } from './person.ts'

let browser: Browser
let page: Page
let person: Person
let projectId: string
const errors: string[] = []

beforeAll(async () => {
  browser = await launchBrowser()
  person = await signUp('Serverly')
  const { project } = await person.client.call(operations.createProject, {
    workspace_id: person.workspaceId,
    name: 'Servers',
  })
  projectId = project.id
  page = await (await browser.newContext({ viewport: { width: 1280, height: 900 } })).newPage()
  page.on('pageerror', (error) => errors.push(error.message))
  await page.goto(`${platform().url}/log-in?return_to=/projects/${projectId}/mcp-servers`)
  await fillLogIn(page, person.email, person.password)
})

afterAll(() => browser?.close())

/** A load test whose calls take so long. */
function loadReport(middleMs: number, startedAt: string): McpReport {
  const latency = histogramOfMs(spread(middleMs, 400))
  const blockMeansMs = Array.from({ length: 40 }, (_, at) => middleMs * (1 + 0.002 * Math.sin(7 * at)))
  return { ...madeReport({ operations: [madeOperation({ latency, blockMeansMs })] }), startedAt }
}

function upload(label: string, report: McpReport, result?: McpComparison) {
  return person.client.call(operations.uploadMcpReport, {
    project_id: projectId,
    report: { ...report },
    label,
    ...(result === undefined ? {} : { result: { ...result } }),
  })
}

/** In the light, in the dark, and on a narrow screen. */
async function lookedAt(name: string): Promise<void> {
  const violations = async () => (await axeOn(page).analyze()).violations.map(({ id }) => id)
  expect(await violations()).toEqual([])
  await keepScreenshot(page, name)
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await violations()).toEqual([])
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 390, height: 800 })
  const widthPx = await page.evaluate('document.documentElement.scrollWidth')
  expect(widthPx, `${name} is no wider than the screen`).toBe(390)
  await keepScreenshot(page, `${name}-narrow`)
  await page.setViewportSize({ width: 1280, height: 900 })
}

test('a server is added, and without a collector the page says what to run', async () => {
  await page.getByText('No MCP servers yet').waitFor()
  await page.getByRole('button', { name: 'Add an MCP server' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('no such name')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByText('Use letters, digits, dots, underscores and dashes.').waitFor()
  await page.getByRole('textbox', { name: 'Name' }).fill('orders')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('heading', { name: 'orders', level: 1 }).waitFor()
  await page.getByText('It was not measured yet.').waitFor()
  await page.getByRole('button', { name: 'Measure…' }).click()
  await page.getByRole('button', { name: 'Measure', exact: true }).click()
  await page.getByText('No connected collector may measure this server').waitFor()
  const command = page.getByRole('dialog').getByRole('textbox').first()
  await expect.poll(() => command.inputValue()).toMatch(/mcp-profiler load-test .*--concurrent 4/)
  await lookedAt('mcp-measure')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Monitor…' }).click()
  await page.getByRole('textbox', { name: 'Every so many seconds' }).fill('600')
  await page.getByRole('button', { name: 'Monitor', exact: true }).click()
  await page.getByText('every 600 s, sessions kept for 24 h').waitFor()
  await page.keyboard.press('Escape')
  expect(errors).toEqual([])
})

test('what was measured is there: numbers, diagnosis, comparison; and goes when it is deleted', async () => {
  const reports = [loadReport(10, '2026-11-20T10:00:00Z'), loadReport(14, '2026-11-21T10:00:00Z')] as const
  await upload('v1', reports[0])
  const comparison = compareReports(...reports)
  const { mcp_session: second } = await upload('v2', reports[1], comparison)
  await openSettled(page, `${platform().url}/projects/${projectId}/mcp-servers`)
  await page.getByRole('row', { name: /notes/ }).waitFor()
  await lookedAt('mcp-servers')
  await page.getByRole('link', { name: /^notes/ }).click()
  const sessions = page.getByRole('table', { name: 'Sessions' })
  await sessions.getByRole('row', { name: /v2/ }).waitFor()
  await page.getByRole('img', { name: /^p95 of the last 2 sessions/ }).waitFor()
  await page
    .getByRole('table', { name: 'Operations' })
    .getByRole('row', { name: /look_up/ })
    .waitFor()
  await page
    .getByText(/^Score/)
    .first()
    .waitFor()
  await lookedAt('mcp-server')

  await page.getByRole('button', { name: 'Set thresholds…' }).click()
  await page.getByRole('textbox', { name: 'Longer than, in ms' }).fill('12')
  await lookedAt('mcp-thresholds')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('It is beyond a threshold').waitFor()
  await page.getByRole('link', { name: '1 alert', exact: true }).click()
  const alerts = page.getByRole('table', { name: 'Alerts of MCP servers' })
  await alerts.getByRole('link', { name: 'notes: slow calls' }).waitFor()
  await lookedAt('mcp-alerts')
  await alerts.getByRole('link', { name: 'notes: slow calls' }).click()

  await page.getByRole('checkbox', { name: 'Choose v1' }).press(' ')
  await page.getByRole('checkbox', { name: 'Choose v2' }).press(' ')
  await page.getByRole('link', { name: 'Compare', exact: true }).last().click()
  const metrics = page.getByRole('table', { name: 'Metrics' })
  await metrics
    .getByRole('row', { name: /look_up.*10\.0?\d* ms.*14\.?\d* ms.*\+.*worse/ })
    .first()
    .waitFor()
  await lookedAt('mcp-compare')

  await openSettled(page, `${platform().url}/mcp-sessions/${second.id}`)
  await page.getByRole('heading', { name: 'load-test v2', level: 1 }).waitFor()
  await page.getByText(comparison.summary).waitFor()
  await page
    .getByRole('table', { name: 'Compared' })
    .getByRole('row', { name: /look_up mean_ms 10\S* 14\S* \+\S+ %.* worse/ })
    .waitFor()
  await page.getByRole('table', { name: 'Operations' }).waitFor()
  await lookedAt('mcp-session')
  await page.getByRole('button', { name: 'More actions: this session' }).click()
  await page.getByRole('menuitem', { name: 'Delete…' }).click()
  await page.getByRole('button', { name: 'Delete for good' }).click()
  await page.getByRole('heading', { name: 'notes', level: 1 }).waitFor()
  await sessions.getByRole('row', { name: /v2/ }).waitFor({ state: 'detached' })
  expect(errors).toEqual([])
})
