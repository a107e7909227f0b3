import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { operations } from '@flamegate/contract'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { launchBrowser } from './browser.ts'
import { expectAccessible, openPageOf, tabTo, waitForFocus } from './dialogs.ts'
import { logIn, platform, signUp, type Person } from './person.ts'
import { waitForTask } from './world.ts'

/** The pages of Administration as an administrator presses through them, in a real browser. */

let browser: Browser
let admin: Person
let tenant: Person
let name: string
let page: Page

/** Nobody else's, whatever other tests add meanwhile. */
const planId = `pages-${process.pid}-${Date.now()}`
const planTitle = `Tiny ${process.pid}`

beforeAll(async () => {
  const { demo } = platform()
  ;[browser, admin, tenant] = await Promise.all([
    launchBrowser(),
    logIn(demo.email, demo.password),
    signUp('Paged'),
  ])
  const { workspaces } = await tenant.client.call(operations.listWorkspaces, {})
  name = workspaces[0]?.name ?? ''
  const { project } = await tenant.client.call(operations.createProject, {
    workspace_id: tenant.workspaceId,
    name: 'Shop',
  })
  await tenant.client.call(operations.submitBenchmarkResults, {
    repository: project.id,
    branch: 'main',
    commit_hash: 'abcdef1',
    results: 'BenchmarkA-2 100 10 ns/op\n',
  })
  page = await openPageOf(browser, admin)
})
afterAll(() => browser?.close())

const press = (label: string) => page.getByRole('button', { name: label, exact: true }).click()

async function tenantNow() {
  const { tenants } = await admin.client.call(operations.listTenants, { search: tenant.workspaceId })
  return tenants[0]
}

/** Its row alone is on the page of workspaces. */
async function findTenant(): Promise<void> {
  await page.goto('/admin/workspaces')
  await page.getByRole('searchbox', { name: 'Name or slug' }).fill(tenant.workspaceId)
  await expect.poll(() => page.getByRole('button', { name: /^More actions: / }).count()).toBe(1)
}

async function choose(action: string): Promise<void> {
  await press(`More actions: ${name}`)
  await page.getByRole('menuitem', { name: action }).click()
}

test('a plan is added, with what is wrong said at its field, and changed with a word on what that means', async () => {
  await page.goto('/admin/plans')
  await press('Add a plan')
  const adding = page.getByRole('dialog', { name: 'Add a plan' })
  await adding.getByLabel('Title').fill(planTitle)
  await adding.getByLabel('Id', { exact: true }).fill('Not An Id')
  await adding.getByLabel('Uploads a day').fill('many')
  await adding.getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => adding.getByLabel('Uploads a day').getAttribute('aria-invalid')).toBe('true')
  expect(await adding.getByLabel('Id', { exact: true }).getAttribute('aria-invalid')).toBe('true')
  expect(await adding.getByLabel('Title').getAttribute('aria-invalid')).not.toBe('true')
  await expectAccessible(page, 'admin-plan-refused')
  await adding.getByLabel('Id', { exact: true }).fill(planId)
  await adding.getByLabel('Uploads a day').fill('5')
  await adding.getByRole('checkbox', { name: /^Live / }).press('Space')
  await adding.getByRole('button', { name: 'Save' }).click()
  await adding.waitFor({ state: 'detached' })
  await page.getByText(`The plan ${planTitle} is saved.`).waitFor()
  await page.getByRole('button', { name: `Change ${planTitle}` }).waitFor()
  const { plans } = await admin.client.call(operations.listPlans, {})
  expect(plans.find(({ id }) => id === planId)?.limits.features_off).toEqual(['live'])
  await expectAccessible(page, 'admin-plans')
})

test('a workspace gets another plan by keys alone, and what it uses more of is said before', async () => {
  const plans = Promise.withResolvers<void>()
  await page.route('**/v1/admin/plans', async (route) => {
    await plans.promise
    await route.continue()
  })
  onTestFinished(() => page.unroute('**/v1/admin/plans'))
  await page.goto('/admin/workspaces')
  await page.getByRole('searchbox', { name: 'Name or slug' }).waitFor()
  await tabTo(page, 'Name or slug')
  await page.keyboard.type(tenant.workspaceId)
  await expect.poll(() => page.getByRole('button', { name: /^More actions: / }).count()).toBe(1)
  await tabTo(page, `More actions: ${name}`)
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Plan…' }).waitFor()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: `Plan of ${name}` })
  // Escape leaves everything as it was, and the focus where one was.
  await dialog.waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await waitForFocus(page, `More actions: ${name}`)
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Plan…' }).waitFor()
  await page.keyboard.press('Enter')
  await dialog.waitFor()
  await tabTo(page, 'Plan')
  await page.keyboard.press('Enter')
  // Whoever is faster than the plans is shown them in the list that is open already.
  await page.getByText('Nothing to choose from yet.').waitFor()
  plans.resolve()
  await page.getByRole('option', { name: planTitle }).waitFor()
  await page.keyboard.type(planTitle)
  await page.keyboard.press('Enter')
  await tabTo(page, 'Save')
  await page.keyboard.press('Enter')
  // One upload is within five: nobody would notice.
  await dialog.waitFor({ state: 'detached' })
  await page.getByText(`${name} has the plan ${planTitle}.`).waitFor()
  expect((await tenantNow())?.plan).toBe(planId)
})

test('a plan with less than a workspace uses is saved when one says so', async () => {
  await page.goto('/admin/plans')
  await press(`Change ${planTitle}`)
  const dialog = page.getByRole('dialog', { name: `Change ${planTitle}` })
  await dialog.getByText('One workspace has it').waitFor()
  await dialog.getByLabel('Uploads a day').fill('0')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('one workspace has more than 0 now, up to 1').waitFor()
  await expectAccessible(page, 'admin-plan-consequences')
  // Whoever changes something is asked anew.
  await dialog.getByLabel('Uploads a day').fill('1')
  await dialog.getByRole('button', { name: 'Save', exact: true }).waitFor()
  await dialog.getByLabel('Uploads a day').fill('0')
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await dialog.getByRole('button', { name: 'Save all the same' }).click()
  await dialog.waitFor({ state: 'detached' })
  const { plans } = await admin.client.call(operations.listPlans, {})
  expect(plans.find(({ id }) => id === planId)?.limits.uploads_per_day).toBe(0)
})

test('a workspace is deleted by its name and no other, and brought back', async () => {
  await findTenant()
  await choose('Delete…')
  const dialog = page.getByRole('dialog', { name: `Delete ${name}?` })
  await dialog.getByRole('textbox').fill('Another')
  await dialog.getByRole('button', { name: 'Delete in 14 days' }).click()
  await expect.poll(() => dialog.getByRole('textbox').getAttribute('aria-invalid')).toBe('true')
  await expectAccessible(page, 'admin-workspace-deletion')
  expect((await tenantNow())?.deletes_at).toBeNull()
  await dialog.getByRole('textbox').fill(name)
  await dialog.getByRole('button', { name: 'Delete in 14 days' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('table', { name: 'Workspaces' }).getByText('goes').waitFor()
  await expectAccessible(page, 'admin-workspaces')
  await choose('Restore…')
  const asking = page.getByRole('alertdialog', { name: `Restore ${name}?` })
  await asking.getByRole('button', { name: 'Cancel' }).click()
  await asking.waitFor({ state: 'detached' })
  expect((await tenantNow())?.deletes_at).not.toBeNull()
  await choose('Restore…')
  await asking.getByRole('button', { name: 'Restore' }).click()
  await asking.waitFor({ state: 'detached' })
  expect((await tenantNow())?.deletes_at).toBeNull()
})

test('what all workspaces used in a month is downloaded as a table', async () => {
  await page.goto('/admin/usage')
  await page.getByRole('table', { name: 'Usage of workspaces' }).waitFor()
  await expectAccessible(page, 'admin-usage')
  const download = page.waitForEvent('download')
  await press('Export CSV')
  const month = new Date().toISOString().slice(0, 7)
  const file = await download
  expect(file.suggestedFilename()).toBe(`usage-${month}.csv`)
  const csv = await readFile(await file.path(), 'utf8')
  expect(csv).toMatch(new RegExp(`^${month},${tenant.workspaceId},[^\\r]*,${planId},\\d+,1,`, 'm'))
})

test('a job that was given up is done again once what it failed of is mended, or taken off the list', async () => {
  // Where the files of a workspace go is no folder, so that nothing can be stored for it.
  const unlucky = await signUp('Unlucky')
  const { workspaceId: workspace_id } = unlucky
  const place = join(platform().dataDir, 'objects', 'objects', workspace_id)
  await writeFile(place, 'in the way')
  onTestFinished(() => rm(place, { recursive: true, force: true }))
  const exporting = () => unlucky.client.call(operations.exportWorkspace, { workspace_id })
  const failedJobs = async () => {
    const { failed_jobs } = await admin.client.call(operations.listJobs, { name: 'export_workspace' })
    return failed_jobs.filter((job) => job.workspace_id === workspace_id)
  }
  const { task_id } = await exporting()
  await expect.poll(failedJobs).toHaveLength(1)
  const [failed] = await failedJobs()
  const more = `More actions: Export a workspace ${failed?.job_id}`

  await page.goto('/admin/jobs')
  await page.getByRole('button', { name: 'Kind' }).click()
  await page.getByRole('option', { name: 'Export a workspace' }).click()
  await press(more)
  await expectAccessible(page, 'admin-jobs')
  // Asked before, and left.
  await page.getByRole('menuitem', { name: 'Take off the list…' }).click()
  const asking = page.getByRole('alertdialog', { name: 'Take this job off the list?' })
  await asking.getByText('It cannot be done again then.').waitFor()
  await asking.getByRole('button', { name: 'Cancel' }).click()
  await asking.waitFor({ state: 'detached' })

  await rm(place)
  await press(more)
  await page.getByRole('menuitem', { name: 'Do again' }).click()
  await page.getByText('Export a workspace: queued again.').waitFor()
  await page.getByRole('button', { name: more }).waitFor({ state: 'detached' })
  const taskNow = async () => {
    const { task } = await unlucky.client.call(operations.getTaskResult, { task_id })
    return task.status
  }
  await expect.poll(taskNow).toBe('SUCCESS')
  expect(await waitForTask(unlucky, task_id)).toHaveProperty('file_id')

  // Another one, which nobody wants any more.
  await rm(place, { recursive: true })
  await writeFile(place, 'in the way')
  await exporting()
  await expect.poll(failedJobs).toHaveLength(1)
  const [second] = await failedJobs()
  const job_id = second?.job_id ?? ''
  await page.reload()
  const moreOfSecond = `More actions: Export a workspace ${job_id}`
  await press(moreOfSecond)
  await page.getByRole('menuitem', { name: 'Take off the list…' }).click()
  await asking.getByRole('button', { name: 'Take off' }).click()
  await asking.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: moreOfSecond }).waitFor({ state: 'detached' })
  expect(await failedJobs()).toEqual([])
})

test('whoever does a job again that somebody else has taken off the list is told so', async () => {
  const job_id = `flamegate:gone-${process.pid}`
  await page.route('**/v1/admin/jobs?*', async (route) => {
    const answer = await route.fetch()
    const jobs = operations.listJobs.output.parse(await answer.json())
    const gone = {
      job_id,
      name: 'export_workspace' as const,
      workspace_id: tenant.workspaceId,
      task_id: 'tsk_gone',
      request_id: 'req-gone',
      reason: 'away',
      attempts: 3,
      created_at: new Date().toISOString(),
      failed_at: new Date().toISOString(),
      can_retry: true,
    }
    await route.fulfill({ response: answer, json: { ...jobs, failed_jobs: [gone] } })
  })
  onTestFinished(() => page.unrouteAll())
  await page.goto('/admin/jobs')
  await press(`More actions: Export a workspace ${job_id}`)
  await page.getByRole('menuitem', { name: 'Do again' }).click()
  await page.getByRole('alert').getByText('There is no such failed job.').waitFor()
  await expectAccessible(page, 'admin-job-gone')
})
