import { gunzipSync } from 'node:zlib'
import { operations } from '@flamegate/contract'
import { beforeAll, describe, expect, test } from 'vitest'
import { callRest } from './calls.ts'
import { openPlatformDatabase } from './database-access.ts'
import { apiToken, invite, logIn, platform, signUp, type Person } from './person.ts'
import { waitForTask } from './world.ts'

/** The installation as a whole, for whoever administers it: here whoever has the demo's account. */

let admin: Person
let owner: Person

beforeAll(async () => {
  const { demo } = platform()
  admin = await logIn(demo.email, demo.password)
  owner = await signUp('Tenant')
})

const by = ({ cookie }: Person) => ({ cookie })
const me = (credential: Parameters<typeof callRest>[2]) => callRest(operations.getCurrentUser, {}, credential)

const disable = (person: Person, user_id: string) =>
  callRest(operations.disablePerson, { user_id }, by(person))

describe('whoever is disabled', () => {
  test('is out at once, by session and API token, cannot log in, and is let in again', async () => {
    const leaver = await signUp('Leaver')
    const token = await apiToken(leaver, ['read'])
    expect((await me({ token })).status).toBe(200)
    const user_id = leaver.userId
    const { person } = await admin.client.call(operations.disablePerson, { user_id, reason: 'Left.' })
    expect(person).toMatchObject({ email: leaver.email, disabled_reason: 'Left.', session_count: 0 })
    expect((await me({ cookie: leaver.cookie })).status).toBe(401)
    expect((await me({ token })).status).toBe(401)
    const refused = await fetch(`${platform().url}/auth/log-in`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: platform().url },
      body: JSON.stringify({ email: leaver.email, password: leaver.password }),
    })
    expect(await refused.json()).toMatchObject({ status: 403, code: 'account_disabled' })

    await admin.client.call(operations.disablePerson, { user_id, disabled: false })
    expect((await me({ token })).status).toBe(200)
    await logIn(leaver.email, leaver.password)

    const { security_events } = await admin.client.call(operations.listSecurityEvents, {
      everybody: true,
      action: 'disable_person',
    })
    expect(security_events).toContainEqual(
      expect.objectContaining({
        user_email: admin.email,
        action: 'disable_person',
        target: user_id,
        outcome: 'ok',
      }),
    )
  })

  test('is never oneself, and nobody else does it', async () => {
    expect((await disable(admin, admin.userId)).code).toBe('in_use')
    expect((await disable(owner, admin.userId)).code).toBe('person_not_found')
    expect((await disable(admin, 'usr_nobody')).code).toBe('person_not_found')
  })
})

test('an administrator makes another one, and ends that', async () => {
  const colleague = await signUp('Colleague')
  const user_id = colleague.userId
  const set = (installation_admin: boolean) =>
    callRest(operations.setInstallationAdmin, { user_id, installation_admin }, { cookie: admin.cookie })
  const isAdmin = async () => (await colleague.client.call(operations.getCurrentUser, {})).installation_admin
  const unconfirmed = await set(true)
  if (unconfirmed.code !== 'email_unconfirmed') {
    expect(unconfirmed.status).toBe(200)
    expect(await isAdmin()).toBe(true)
    await set(false)
  }
  expect(await isAdmin()).toBe(false)
})

describe('a plan', () => {
  test('is tried before it is set, and tells what workspaces use more of', async () => {
    const tenant = await signUp('Small')
    const { plans } = await admin.client.call(operations.listPlans, {})
    const limits = plans.find(({ id }) => id === 'free')?.limits
    if (limits === undefined) throw new Error('There is no plan for new workspaces')
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
    const none = { plan_id: 'no-uploads', title: 'No uploads', limits: { ...limits, uploads_per_day: 0 } }
    const trial = await admin.client.call(operations.setPlan, { ...none, dry_run: true })
    expect(trial).toMatchObject({
      plan: { id: 'no-uploads', workspace_count: 0 },
      exceeded: [],
      dry_run: true,
    })
    const after = await admin.client.call(operations.listPlans, {})
    expect(after.plans.map(({ id }) => id)).not.toContain(none.plan_id)

    await admin.client.call(operations.setPlan, none)
    const give = (dry_run: boolean) =>
      admin.client.call(operations.setTenantPlan, {
        workspace_id: tenant.workspaceId,
        plan_id: none.plan_id,
        dry_run,
      })
    const uploads = { limit: 'uploads_per_day', most: 0, workspace_count: 1, most_used: 1 }
    expect(await give(true)).toMatchObject({ exceeded: [uploads], removed: [], dry_run: true })
    const planNow = async () => {
      const found = await admin.client.call(operations.listTenants, { search: tenant.workspaceId })
      return found.tenants[0]?.plan
    }
    expect(await planNow()).toBe('free')
    expect(await give(false)).toMatchObject({ exceeded: [uploads], dry_run: false })
    expect(await planNow()).toBe('no-uploads')
    expect((await admin.client.call(operations.setPlan, { ...none, dry_run: true })).exceeded).toEqual([
      uploads,
    ])

    const day = new Date().toISOString().slice(0, 10)
    const { usage } = await admin.client.call(operations.listTenantUsage, { sort: 'uploads', limit: 100 })
    const counts = usage.map(({ uploads: count }) => count)
    expect(counts[0]).toBeGreaterThanOrEqual(1)
    expect(counts).toEqual(counts.toSorted((x, y) => y - x))
    const exported = await admin.client.call(operations.exportTenantUsage, { month: day.slice(0, 7) })
    expect(exported.csv).toMatch(
      new RegExp(`^${exported.month},${tenant.workspaceId},[^\\r]*,no-uploads,\\d+,1,`, 'm'),
    )
    const wrong = await callRest(operations.listTenantUsage, { month: '2026-13' }, by(admin))
    expect(wrong.code).toBe('invalid_input')
  })

  test('is nothing to anybody else', async () => {
    for (const operation of [operations.listTenantUsage, operations.exportTenantUsage]) {
      expect((await callRest(operation, {}, by(owner))).code).toBe('workspace_not_found')
    }
  })
})

test('queues are seen by administrators alone, and what they do to jobs is recorded', async () => {
  const { queues } = await admin.client.call(operations.listJobs, {})
  expect(queues.map(({ queue }) => queue)).toEqual(['flamegate', 'flamegate-watch'])
  expect((await callRest(operations.listJobs, {}, by(owner))).code).toBe('job_not_found')
  const job_id = 'flamegate:nothing'
  for (const operation of [operations.retryJob, operations.removeJob]) {
    expect((await callRest(operation, { job_id }, by(admin))).code).toBe('job_not_found')
    expect((await callRest(operation, { job_id }, by(owner))).code).toBe('job_not_found')
  }
  const { security_events } = await admin.client.call(operations.listSecurityEvents, {
    everybody: true,
    action: 'retry_job',
  })
  expect(security_events).toContainEqual(
    expect.objectContaining({ user_email: admin.email, target: job_id, outcome: 'job_not_found' }),
  )
})

describe('a workspace', () => {
  test('is exported for its owners, who download all of it as one archive', async () => {
    const { workspaceId: workspace_id } = owner
    const manager = await invite(owner, 'admin', 'Manager')
    const { task_id } = await owner.client.call(operations.exportWorkspace, { workspace_id })
    const result = await waitForTask(owner, task_id)
    const file_id = String(result['file_id'])
    const { download } = await owner.client.call(operations.downloadFile, { file_id })
    const answer = await fetch(download.url)
    const archive = gunzipSync(await answer.arrayBuffer()).toString('latin1')
    expect(archive).toContain('manifest.json')
    expect(archive).toContain('rows/memberships/000001.jsonl')
    expect(archive).toContain(owner.userId)
    expect(archive).not.toContain(admin.workspaceId)
    const denied = await callRest(operations.downloadFile, { file_id }, { cookie: manager.cookie })
    expect(denied.code).toBe('insufficient_role')
  })

  test('is frozen while it is being deleted, and restored by its owner alone', async () => {
    const { workspaceId: workspace_id } = owner
    const member = await invite(owner, 'admin', 'Frozen')
    const name = (await owner.client.call(operations.listWorkspaces, {})).workspaces[0]?.name ?? ''
    const wrong = await callRest(operations.deleteWorkspace, { workspace_id, confirm: 'x' }, by(owner))
    expect(wrong.code).toBe('confirmation_mismatch')
    const forbidden = await callRest(operations.deleteWorkspace, { workspace_id, confirm: name }, by(member))
    expect(forbidden.code).toBe('insufficient_role')

    const deleted = await owner.client.call(operations.deleteWorkspace, { workspace_id, confirm: name })
    const daysLeft = (Date.parse(deleted.deletes_at) - Date.now()) / 86_400_000
    expect(daysLeft).toBeGreaterThan(13)
    expect(daysLeft).toBeLessThanOrEqual(14)
    const create = (person: Person) =>
      callRest(operations.createProject, { workspace_id, name: 'Too late' }, by(person))
    expect((await create(owner)).code).toBe('insufficient_role')
    expect((await callRest(operations.listProjects, { workspace_id }, by(member))).status).toBe(200)
    const { tenants } = await admin.client.call(operations.listTenants, { search: workspace_id })
    expect(tenants).toMatchObject([{ id: workspace_id, deletes_at: deleted.deletes_at }])

    const denied = await callRest(operations.restoreWorkspace, { workspace_id }, by(member))
    expect(denied.code).toBe('insufficient_role')
    await owner.client.call(operations.restoreWorkspace, { workspace_id })
    expect((await create(owner)).status).toBe(201)
  })

  test('is deleted and restored by an administrator, who sees nothing of what is in it', async () => {
    const stranger = await signUp('Stranger')
    const { workspaceId: workspace_id } = stranger
    const { tenants } = await admin.client.call(operations.listTenants, { search: workspace_id })
    const confirm = tenants[0]?.name ?? ''
    const { tenant } = await admin.client.call(operations.deleteTenant, { workspace_id, confirm })
    expect(tenant.deletes_at).not.toBeNull()
    await admin.client.call(operations.deleteTenant, { workspace_id, deleted: false })
    const inside = await callRest(operations.listProjects, { workspace_id }, { cookie: admin.cookie })
    expect(inside.code).toBe('workspace_not_found')
  })

  test('is not kept any more when its time is over', async () => {
    const late = await signUp('Late')
    const { workspaceId: workspace_id } = late
    const name = (await late.client.call(operations.listWorkspaces, {})).workspaces[0]?.name ?? ''
    await late.client.call(operations.deleteWorkspace, { workspace_id, confirm: name })
    const database = await openPlatformDatabase()
    await database.asPerson(late.userId, (client) =>
      client.query("UPDATE workspaces SET deletes_at = now() - interval '1 second' WHERE id = $1", [
        workspace_id,
      ]),
    )
    await database.close()
    const tries = [
      callRest(operations.restoreWorkspace, { workspace_id }, by(late)),
      callRest(operations.deleteTenant, { workspace_id, deleted: false }, by(admin)),
    ]
    for (const { code, text } of await Promise.all(tries)) {
      expect(code).toBe('workspace_not_found')
      expect(text).toContain('cannot be kept any more')
    }
  })

  test('changes hands, and is left by who was its owner', async () => {
    const { workspace } = await owner.client.call(operations.createWorkspace, { name: 'Labs of Tenant' })
    expect(workspace).toMatchObject({ role: 'owner', slug: expect.stringMatching(/^labs-of-tenant-\w{8}$/) })
    const workspace_id = workspace.id
    const leave = () => callRest(operations.leaveWorkspace, { workspace_id }, { cookie: owner.cookie })
    expect((await leave()).code).toBe('last_owner')
    const next = await invite({ ...owner, workspaceId: workspace_id }, 'member', 'Heir')
    const unknown = await callRest(
      operations.transferWorkspace,
      { workspace_id, email: 'nobody@example.com' },
      { cookie: owner.cookie },
    )
    expect(unknown.code).toBe('member_not_found')
    await owner.client.call(operations.transferWorkspace, { workspace_id, email: next.email })
    const { members } = await next.client.call(operations.listWorkspaceMembers, { workspace_id })
    expect(Object.fromEntries(members.map(({ email, role }) => [email, role]))).toEqual({
      [owner.email]: 'admin',
      [next.email]: 'owner',
    })
    expect((await leave()).status).toBe(200)
    expect((await callRest(operations.listProjects, { workspace_id }, { cookie: owner.cookie })).code).toBe(
      'workspace_not_found',
    )
    await next.client.call(operations.updateWorkspace, { workspace_id, name: 'Labs' })
    const { workspaces } = await next.client.call(operations.listWorkspaces, {})
    expect(workspaces).toContainEqual(expect.objectContaining({ id: workspace_id, name: 'Labs' }))
  })
})
