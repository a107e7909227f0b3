import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { operations, type auditDecisions } from '@flamegate/contract'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { axeOn } from './axe.ts'
import { fillLogIn, keepScreenshot, launchBrowser } from './browser.ts'
import { callAndConfirm, callRest, callTool } from './calls.ts'
import { apiToken, logIn, platform, signUp, type Person } from './person.ts'

type AuditDecision = (typeof auditDecisions)[number]

let ada: Person
let token: string
let projectId: string
let otherProjectId: string
let browser: Browser

/** Runs the command on the platform's own folder. */
const verifyAudit = (...args: string[]) =>
  promisify(execFile)(
    process.execPath,
    [join(import.meta.dirname, '../../apps/platform/src/verify-audit.ts'), ...args],
    { env: { ...process.env, FLAMEGATE_DATA_DIR: platform().dataDir } },
  )

beforeAll(async () => {
  ada = await signUp('Ada')
  token = await apiToken(ada, ['read'])
  browser = await launchBrowser()
  const created = await ada.client.call(operations.createProject, {
    workspace_id: ada.workspaceId,
    name: 'Watched',
  })
  projectId = created.project.id
  const other = await ada.client.call(operations.createProject, {
    workspace_id: ada.workspaceId,
    name: 'Other',
  })
  otherProjectId = other.project.id
  await callRest(operations.listProfiles, { project_id: projectId }, { token })
  await callTool(operations.listProfiles, { project_id: projectId }, { token })
  await callRest(operations.updateProject, { project_id: projectId, name: 'Hidden' }, { token })
})
afterAll(() => browser?.close())

async function search(filter: {
  operation?: string
  decision?: AuditDecision
  target?: string
  user_id?: string
}) {
  const input = { workspace_id: ada.workspaceId, ...filter }
  return (await ada.client.call(operations.searchAuditLog, input)).events
}

describe('the audit log of a workspace', () => {
  test('tells calls over REST and MCP alike, and that both had the same arguments', async () => {
    // Reads are stored within a second.
    await expect.poll(async () => (await search({ operation: 'list_profiles' })).length).toBe(2)
    const events = await search({ operation: 'list_profiles' })
    expect(events).toMatchObject([
      { user_email: ada.email, via: 'api_token', target: projectId, decision: 'allowed', outcome: 'ok' },
      { user_email: ada.email, via: 'api_token', target: projectId, decision: 'allowed', outcome: 'ok' },
    ])
    expect(events[0]?.arguments_digest).toMatch(/^[0-9a-f]{64}$/)
    expect(events[0]?.arguments_digest).toBe(events[1]?.arguments_digest)
    expect(events[0]?.answer_bytes).toBeGreaterThan(100)
  })

  test('is searched by what was decided, by person and by part of an id', async () => {
    expect(await search({ decision: 'refused' })).toMatchObject([
      { operation: 'update_project', outcome: 'insufficient_scope', status: 403, answer_bytes: 0 },
    ])
    expect((await search({ target: projectId.slice(8) })).map(({ operation }) => operation)).toEqual([
      'list_profiles',
      'list_profiles',
      'create_project',
    ])
    expect(await search({ user_id: ada.email, target: projectId })).toHaveLength(3)
    expect(await search({ user_id: 'nobody@example.com' })).toEqual([])
  })

  test('tells that a confirmation was asked for and given, once each, in the workspace that it is about', async () => {
    const { profile_id } = await ada.client.call(operations.createProfileUpload, {
      project_id: otherProjectId,
      file_name: 'a.txt',
      content: 'main;a 1\n',
    })
    const writing = await apiToken(ada, ['write'])
    await callAndConfirm(operations.deleteProfile, { profile_id }, { token: writing })
    const told = (await search({ operation: 'delete_profile' })).map(({ decision, outcome, target }) => {
      return [decision, outcome, target]
    })
    expect(told).toEqual([
      ['confirmed', 'ok', profile_id],
      ['confirmation_required', 'confirmation_required', profile_id],
    ])
  })

  test('has one event of what call_tool called, over REST and MCP', async () => {
    const input = { name: 'list_files', arguments: { owner: otherProjectId } }
    await callRest(operations.callTool, input, { token })
    await callTool(operations.callTool, input, { token })
    await expect.poll(async () => (await search({ operation: 'list_files' })).length).toBe(2)
    expect((await search({ operation: 'list_files' })).map(({ via }) => via)).toEqual([
      'call_tool',
      'call_tool',
    ])
    expect(await search({ operation: 'call_tool' })).toEqual([])
  })

  test('is exported page by page, as lines of JSON or CSV', async () => {
    const input = { workspace_id: ada.workspaceId, target: projectId, limit: 2 }
    const first = await ada.client.call(operations.exportAuditLog, { ...input, format: 'csv' })
    const second = await ada.client.call(operations.exportAuditLog, {
      ...input,
      format: 'csv',
      cursor: first.next_cursor ?? '',
    })
    const lines = (first.content + second.content).split('\r\n')
    expect(lines[0]).toMatch(/^id,at,user_id,.*,writer_id,sequence,previous_hash,hash$/)
    expect(lines.slice(1).map((line) => line.split(',')[7])).toEqual([
      'list_profiles',
      'list_profiles',
      'create_project',
      undefined,
    ])
    const json = await ada.client.call(operations.exportAuditLog, input)
    expect(
      json.content
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).target),
    ).toEqual([projectId, projectId])
  })

  test('is no tool, and for admins only', async () => {
    expect((await callTool(operations.exportAuditLog, {}, { token })).code).not.toBeUndefined()
    const refused = await callRest(operations.exportAuditLog, { workspace_id: ada.workspaceId }, { token })
    expect(refused.code).toBe('insufficient_scope')
  })

  test('is whole: the command that verifies it says so', async () => {
    await expect(verifyAudit('--anchor', 'x')).rejects.toMatchObject({
      code: 2,
      stderr: 'There is one option: --anchors <file>\n',
    })
    const { stdout } = await verifyAudit()
    expect(stdout).toMatch(/^[1-9]\d* events in [1-9]\d* chains, /)
    expect(stdout).toContain('The audit log is whole.')
  })
})

/** As `action outcome email`, newest first. */
const listed = async (person: Person, filter: { everybody?: boolean; user?: string } = {}) => {
  const { security_events } = await person.client.call(operations.listSecurityEvents, filter)
  return security_events.map(({ action, outcome, user_email }) => [action, outcome, user_email])
}

describe('security events', () => {
  test('are there for whoever they are about, and for administrators of the installation', async () => {
    const eve = await signUp('Eve')
    await fetch(`${platform().url}/auth/log-in`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: platform().url },
      body: JSON.stringify({ email: eve.email, password: 'not the right one' }),
    })
    const wrong = ['log_in', 'wrong_password', eve.email]
    await expect.poll(async () => (await listed(eve))[0]).toEqual(wrong)
    expect(await listed(eve)).toContainEqual(['sign_up', 'ok', eve.email])
    expect((await listed(ada)).flat()).not.toContain(eve.email)
    const admin = await logIn(platform().demo.email, platform().demo.password)
    expect((await listed(admin, { everybody: true, user: eve.email }))[0]).toEqual(wrong)
  })

  test('of others are for administrators alone, and are in no workspace’s log', async () => {
    await expect(listed(ada, { everybody: true })).rejects.toThrow(/[Aa]dministrators/)
    expect(await search({ operation: 'log_in' })).toEqual([])
  })

  test('stand on the account page, with what was wrong and from where', async () => {
    const context = await browser.newContext({ viewport: { width: 400, height: 900 } })
    const page = await context.newPage()
    await page.goto(`${platform().url}/log-in`)
    await fillLogIn(page, ada.email, ada.password)
    await page.waitForURL(({ pathname }) => pathname !== '/log-in')
    await page.goto(`${platform().url}/settings/account`)
    const list = page.getByRole('list', { name: 'What was done' })
    await expect.poll(() => list.textContent()).toMatch(/Log-in.*from 127\.0\.0\.1/)
    await keepScreenshot(page, 'security-events-narrow')
    const { violations } = await axeOn(page).analyze()
    expect(violations).toEqual([])
    await context.close()
  })
})

test.each([
  { name: 'light', width: 1280, colorScheme: 'light' },
  { name: 'dark-narrow', width: 400, colorScheme: 'dark' },
] as const)('the page narrows, shows one event whole, and saves what it shows: $name', async (view) => {
  const { name, width, colorScheme } = view
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme })
  const page = await context.newPage()
  await page.goto(`${platform().url}/log-in`)
  await fillLogIn(page, ada.email, ada.password)
  await page.waitForURL((url) => url.pathname !== '/log-in')
  await page.goto(`${platform().url}/workspaces/${ada.workspaceId}/audit`)
  await page.getByText('only collectors’ polls and reports without news are left out').waitFor()
  await page.getByLabel('On what').fill(projectId)
  await expect.poll(() => new URL(page.url()).searchParams.get('target')).toBe(projectId)
  const rows = page.getByRole('table', { name: 'Audit log' }).getByRole('row')
  await expect.poll(() => rows.count()).toBe(4)
  await keepScreenshot(page, `audit-narrowed-${name}`)
  await look(page)

  await rows.getByRole('button', { name: 'create_project' }).click()
  const dialog = page.getByRole('dialog', { name: 'create_project' })
  await dialog.getByText(projectId).waitFor()
  await keepScreenshot(page, `audit-event-${name}`)
  await look(page)
  await dialog.getByRole('button', { name: 'Same client' }).click()
  await page.getByRole('button', { name: 'Do not narrow to this client: web' }).waitFor()
  await expect.poll(() => rows.count()).toBe(2)

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export CSV' }).click(),
  ])
  const saved = await readFile(await download.path(), 'utf8')
  expect(saved.split('\r\n')).toHaveLength(3)
  expect(saved).toContain(`,create_project,write,${projectId},`)
  await context.close()
})

async function look(page: Page): Promise<void> {
  const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
  expect(overflow).toBeLessThanOrEqual(0)
  const { violations } = await axeOn(page).analyze()
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  expect(serious.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' | ')}`)).toEqual([])
}
