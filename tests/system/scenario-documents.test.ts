import { operations } from '@flamegate/contract'
import { beforeAll, describe, expect, test } from 'vitest'
import { callTool } from './calls.ts'
import { apiToken, signUp, type Person } from './person.ts'

/** What becomes of a scenario between its creation and a run, as agents and programs see it. */

let owner: Person
let token: string
let projectId: string
let virtualUserId: string

const load = { type: 'ramp_up', users: 20, ramp_up_ms: 10_000, plateau_ms: 50_000 }

beforeAll(async () => {
  owner = await signUp('Planner')
  token = await apiToken(owner, ['read', 'write'])
  projectId = await createProject('Shop')
  virtualUserId = await makeBuyer(projectId, 'Buyer')
})

async function createProject(name: string): Promise<string> {
  const { project } = await owner.client.call(operations.createProject, {
    workspace_id: owner.workspaceId,
    name,
  })
  return project.id
}

/** A virtual user that asks one page of a host that nobody has verified. */
async function makeBuyer(project_id: string, name: string): Promise<string> {
  const { http_server } = await owner.client.call(operations.createHttpServer, {
    project_id,
    name: `Server of ${name}`,
    base_url: 'https://shop.example.com',
  })
  const request = { type: 'http_request', id: 'act_1', method: 'GET', server_id: http_server.id, path: '/' }
  const { virtual_user } = await owner.client.call(operations.createVirtualUser, {
    project_id,
    name,
    document: { actions: [request] },
  })
  return virtual_user.id
}

const create = async (name: string, input: object = {}) =>
  (
    await owner.client.call(operations.createScenario, {
      project_id: projectId,
      name,
      virtual_user_ids: [virtualUserId],
      load,
      ...input,
    })
  ).scenario

const documentOf = async (id: string) =>
  (await owner.client.call(operations.getScenario, { scenario_id: id })).document

test('an agent makes one out of virtual users, a load and thresholds as text', async () => {
  const created = await callTool(
    operations.createScenario,
    {
      project_id: projectId,
      name: 'By an agent',
      virtual_user_ids: [virtualUserId],
      load,
      thresholds: ['p95 duration of profile profile_1 < 400 ms', 'error share < 1 %, abort after 10 s'],
    },
    { token },
  )
  expect(created.answer).toMatchObject({
    scenario: {
      version: 1,
      loads: ['Buyer: ramp up, 20 users, 1 min'],
      thresholds: ['p95 duration of profile "profile_1" < 400 ms', 'error share < 1%, abort after 10000 ms'],
      virtual_user_ids: [virtualUserId],
      duration_ms: 60_000,
      users_max: 20,
      rate_per_second_max: 0,
    },
  })
  const listed = await callTool(
    operations.listScenarios,
    { project_id: projectId, search: 'agent' },
    { token },
  )
  expect(listed.text).toContain('Buyer: ramp up, 20 users, 1 min')
})

describe('what is not valid is refused, with the field that it came in', () => {
  test.each<[string, object, string, string]>([
    ['a load with too much in it', { load: { ...load, steps: 3 } }, 'load.steps', 'no such field'],
    ['a load of no type', { load: { type: 'wave' } }, 'load.type', 'Invalid'],
    [
      'a threshold that says nothing',
      { thresholds: ['count > 1', 'p95 latency < 4'] },
      'thresholds.1',
      'metric',
    ],
    ['users without a load', { load: undefined }, 'load', 'ramp_up'],
    ['a load without users', { virtual_user_ids: [] }, 'virtual_user_ids', 'whose load'],
    ['profiles given twice', { document: { profiles: [] } }, 'document', 'It has profiles'],
    ['a field that there is not', { document: { duration: 5 } }, 'document.duration', 'no such field'],
  ])('%s', async (_what, input, field, message) => {
    const refused = await create('Refused', input).catch((error: unknown) => error)
    expect(refused).toMatchObject({
      code: 'invalid_input',
      errors: [{ field, message: expect.stringContaining(message) }],
    })
  })

  test('a virtual user of another project', async () => {
    const other = await makeBuyer(await createProject('Other'), 'Stranger')
    await expect(create('Refused', { virtual_user_ids: [other] })).rejects.toMatchObject({
      code: 'virtual_user_not_found',
    })
  })

  test('and none of these is there', async () => {
    const { scenarios } = await owner.client.call(operations.listScenarios, {
      project_id: projectId,
      search: 'Refused',
    })
    expect(scenarios).toEqual([])
  })
})

describe('a patch', () => {
  test('makes a version, tells what changed, and is refused when somebody was first', async () => {
    const { id } = await create('Patched')
    const patch = (input: object) =>
      owner.client.call(operations.patchScenario, { scenario_id: id, ...input })
    const tried = await patch({
      patch: [{ op: 'replace', path: '/profiles/0/load/users', value: 50 }],
      dry_run: true,
    })
    expect(tried).toMatchObject({ dry_run: true, change_count: 1, scenario: { version: 1, users_max: 50 } })
    const changed = await patch({
      patch: [
        { op: 'replace', path: '/profiles/0/load/users', value: 50 },
        { op: 'add', path: '/thresholds/-', value: 'mean duration < 1 s' },
      ],
      label: 'More',
      if_version: 1,
    })
    expect(changed.scenario).toMatchObject({
      version: 2,
      users_max: 50,
      thresholds: ['mean duration < 1000 ms'],
    })
    expect(changed.changes).toEqual([
      {
        change: 'changed',
        profile_id: null,
        name: 'Patched',
        fields: [{ pointer: '/thresholds/0', before: null, after: '"mean duration < 1000 ms"' }],
      },
      {
        change: 'changed',
        profile_id: 'profile_1',
        name: 'Buyer',
        fields: [{ pointer: '/load/users', before: '20', after: '50' }],
      },
    ])
    await expect(
      patch({ patch: [{ op: 'replace', path: '/name', value: 'Late' }], if_version: 1 }),
    ).rejects.toMatchObject({ code: 'version_mismatch' })
  })

  test('that would not be valid changes nothing, and names the place', async () => {
    const { id } = await create('Unharmed')
    const before = await documentOf(id)
    await expect(
      owner.client.call(operations.patchScenario, {
        scenario_id: id,
        patch: [{ op: 'replace', path: '/profiles/0/load/users', value: -1 }],
      }),
    ).rejects.toMatchObject({ code: 'invalid_input', errors: [{ field: '/profiles/0/load/users' }] })
    expect(await documentOf(id)).toEqual(before)
  })

  test('goes back to a version, which is a new one', async () => {
    const { id } = await create('Restored')
    const first = await documentOf(id)
    await owner.client.call(operations.patchScenario, {
      scenario_id: id,
      patch: [{ op: 'replace', path: '/profiles/0/think_time_factor', value: 3 }],
    })
    const back = await owner.client.call(operations.patchScenario, { scenario_id: id, restore_version: 1 })
    expect(back.scenario.version).toBe(3)
    expect(await documentOf(id)).toEqual(first)
    const { versions, changes } = await owner.client.call(operations.listScenarioVersions, {
      scenario_id: id,
      compare: '1..2',
    })
    expect(versions.map(({ version, change }) => `${version} ${change}`)).toEqual([
      '3 Back to version 1',
      '2 replace /profiles/0/think_time_factor',
      '1 Created',
    ])
    expect(changes?.[0]?.fields).toEqual([{ pointer: '/think_time_factor', before: '1', after: '3' }])
  })
})

test('what was deleted comes back, unless its name is taken by then', async () => {
  const { id } = await create('Gone')
  await owner.client.call(operations.deleteScenario, { scenario_id: id })
  await expect(documentOf(id)).rejects.toMatchObject({ code: 'scenario_not_found' })
  const again = await create('Gone')
  await expect(owner.client.call(operations.restoreScenario, { scenario_id: id })).rejects.toMatchObject({
    code: 'conflict',
  })
  await owner.client.call(operations.deleteScenario, { scenario_id: again.id })
  await owner.client.call(operations.restoreScenario, { scenario_id: id })
  expect(await documentOf(id)).toMatchObject({ name: 'Gone' })
})

test('a duplicate has the same profiles and a free name', async () => {
  const { id } = await create('Twin')
  const { scenario } = await owner.client.call(operations.duplicateScenario, { scenario_id: id })
  expect(scenario.name).toBe('Twin (2)')
  expect(await documentOf(scenario.id)).toEqual({ ...(await documentOf(id)), name: 'Twin (2)' })
})

test('a virtual user that a scenario has cannot be deleted before the scenario is', async () => {
  const used = await makeBuyer(projectId, 'Used')
  const { id } = await create('Its user', { virtual_user_ids: [used] })
  await expect(
    owner.client.call(operations.deleteVirtualUser, { virtual_user_id: used }),
  ).rejects.toMatchObject({ code: 'in_use', message: expect.stringContaining(`Its user (${id})`) })
  await owner.client.call(operations.deleteScenario, { scenario_id: id })
  const deleted = await owner.client.call(operations.deleteVirtualUser, { virtual_user_id: used })
  expect(deleted.deleted).toBe(true)
  // Brought back, the scenario says what it misses.
  await owner.client.call(operations.restoreScenario, { scenario_id: id })
  const { grade, checks } = await owner.client.call(operations.preflightScenario, { scenario_id: id })
  expect(grade).toBe('error')
  expect(checks).toContainEqual(expect.objectContaining({ check: 'design', code: 'missing_virtual_user' }))
})

const preflight = async (input: object) => {
  const { id } = await create(`Preflight ${crypto.randomUUID()}`, input)
  return owner.client.call(operations.preflightScenario, { scenario_id: id })
}

const codesOf = ({ checks }: Awaited<ReturnType<typeof preflight>>) =>
  checks.map(({ check, grade, code }) => `${check} ${grade} ${code}`)

describe('preflight_scenario', () => {
  test('tells about the design, the virtual users, limits, targets, generators and what is to be expected', async () => {
    const answer = await preflight({})
    expect(codesOf(answer)).toEqual([
      'design ok no_think_time',
      'virtual_users warning not_validated',
      'limits ok ok',
      'targets error target_unverified',
      'generators error no_generator',
      'estimate ok estimate',
    ])
    expect(answer.grade).toBe('error')
    const target = answer.checks.find(({ check }) => check === 'targets')
    expect(target).toMatchObject({
      message: 'shop.example.com is not verified.',
      pointer: '/profiles/0/virtual_user_id',
    })
    // 20 users for 50 s and half of them for 10 s; 200 ms for the one request.
    expect(answer.estimate).toEqual({ iterations: 5500, requests: 5500, is_certain: true })
    expect(answer.caps.users.asked).toBe(20)
  })

  test('refuses what is larger than the plan allows', async () => {
    const answer = await preflight({ load: { ...load, users: 1_000_000 } })
    expect(codesOf(answer)).toContain('limits error too_many_users')
    expect(answer.caps.users).toEqual({ asked: 1_000_000, most: 10_000, left: 0 })
  })

  test('reads the same over MCP', async () => {
    const { id } = await create('Told')
    const told = await callTool(operations.preflightScenario, { scenario_id: id }, { token })
    expect(told.text).toContain('It cannot run.')
    expect(told.text).toContain('shop.example.com is not verified.')
  })
})

test('get_usage tells what one run may be', async () => {
  const { limits } = await owner.client.call(operations.getUsage, { workspace_id: owner.workspaceId })
  expect(limits.load_run.users).toBe(10_000)
})
