import { operations } from '@flamegate/contract'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fillLogIn, launchBrowser } from './browser.ts'
import { platform, signUp, type Person } from './person.ts'

/** A load test of so many actions that its report cannot show all of them at once. */

const actionCount = 60
const began = Date.UTC(2026, 10, 20, 10)

let owner: Person
let browser: Browser
let page: Page
let projectId: string
let reportId: string

/** `step 0` has one request, `step 59` sixty. */
function jtl(): string {
  const rows = Array.from({ length: actionCount }, (_, action) =>
    Array.from({ length: action + 1 }, (_row, index) => `${began + index * 100},20,step ${action}`),
  )
  return ['timeStamp,elapsed,label', ...rows.flat()].join('\n')
}

beforeAll(async () => {
  owner = await signUp('Surveyor')
  const { client, workspaceId } = owner
  const created = await client.call(operations.createProject, { workspace_id: workspaceId, name: 'Wide' })
  projectId = created.project.id
  const { task_id } = await client.call(operations.importJtlReport, {
    project_id: projectId,
    file_name: 'wide.jtl',
    content: jtl(),
  })
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- until it is there
    const { task, next_poll_seconds } = await client.call(operations.getTaskResult, { task_id })
    if (next_poll_seconds === null) {
      if (task.problem !== null) throw new Error(task.problem.detail)
      reportId = String(task.result?.['bench_report_id'])
      break
    }
    // oxlint-disable-next-line no-await-in-loop -- see above
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  browser = await launchBrowser()
  page = await (await browser.newContext({ viewport: { width: 1280, height: 900 } })).newPage()
  await page.goto(`${platform().url}/log-in`)
  await fillLogIn(page, owner.email, owner.password)
  await page.waitForURL((url) => url.pathname !== '/log-in')
})
afterAll(() => browser?.close())

test('a chart apart by action has those with the most requests, and says how many are left out', async () => {
  const lines = [{ metric: 'rate' }, { metric: 'p95' }]
  await owner.client.call(operations.patchBenchReport, {
    bench_report_id: reportId,
    patch: [
      {
        op: 'add',
        path: '/items/-',
        value: { id: 'apart', type: 'chart', apart: 'action', title: 'Apart', lines },
      },
    ],
  })
  const { values } = await owner.client.call(operations.getReportItemValues, {
    bench_report_id: reportId,
    item_id: 'apart',
  })
  if (values.type !== 'chart') throw new Error('It is a chart')
  const busiest = Array.from({ length: 12 }, (_, index) => `step ${actionCount - 12 + index}`)
  expect(values.lines.map(({ name }) => name)).toEqual([
    ...busiest.map((name) => `rate, ${name}`),
    ...busiest.map((name) => `p95, ${name}`),
  ])
  expect(values.actions_left_out).toBe(actionCount - 12)
  await page.goto(`${platform().url}/reports/${reportId}#item-apart`)
  await page.getByText(`${actionCount - 12} actions with fewer requests are not drawn.`).waitFor()
})

test('a long table is read in parts on the page, and has all its rows on paper', async () => {
  await page.goto(`${platform().url}/reports/${reportId}#item-table`)
  const rows = page.getByRole('table', { name: 'Results' }).locator('tbody tr')
  await expect.poll(() => rows.count()).toBe(50)
  await page.goto(`${platform().url}/reports/${reportId}?print=1`)
  await page.locator('html[data-ready=true]').waitFor({ state: 'attached' })
  await expect.poll(() => rows.count()).toBe(actionCount)
})
