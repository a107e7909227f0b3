import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSealing } from '@flamegate/auth'
import {
  newId,
  operations,
  Problem,
  type Operation,
  type OutputOf,
  type RawInputOf,
} from '@flamegate/contract'
import { preparePeople } from '@flamegate/db/testing'
import {
  createExecute,
  implementations,
  jobHandlers,
  openProjectFile,
  openSecrets,
  reachableHosts,
  type Deps,
  type JobDeps,
} from '@flamegate/operations'
import type { JobName, JobPayloads, JobQueue, Sealing, TargetProof } from '@flamegate/operations/ports'
import { noQueueDesk } from '@flamegate/queue/testing'
import { targetRules } from '@flamegate/runtime'
import { createArchiveLinks, openStorage } from '@flamegate/storage'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { operationDeps } from './operation-deps.ts'

const { at, ada, asAda, createProject } = preparePeople()
let deps: Deps
let sealing: Sealing
let folder = ''
let place: { workspaceId: string; projectId: string }
/** Jobs that were queued and not done yet. */
let queued: [JobName, JobPayloads[JobName]][] = []
/** What a look at a host finds. */
let proof: TargetProof = { failure: 'Nothing is there.' }
let looks: [host: string, token: string][] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'flamegate-design-'))
  const links = { baseUrl: 'https://flamegate.example', signingKey: 'k'.repeat(43) }
  const { storage } = await openStorage(
    { S3_REGION: '', S3_FORCE_PATH_STYLE: false, FLAMEGATE_STORAGE_DIR: folder },
    links,
  )
  sealing = createSealing(at.identity)
  deps = {
    ...operationDeps({
      stores: at.stores,
      queue: {
        add: async (name, payload, options) => {
          if (options?.delayMs === undefined) queued.push([name, payload])
        },
        addAfter: async () => {},
        remove: async () => {},
      },
      queueDesk: noQueueDesk,
      storage,
      archiveLinks: createArchiveLinks(links),
      publicUrl: links.baseUrl,
      admins: [],
      pushedProfileDays: 7,
      validationDays: 30,
      limits: undefined,
      auditKey: 'test',
      sealing,
      githubApiUrl: '',
      webhooksToLoopback: false,
      mailServer: undefined,
      targetsAllowed: [],
      dnsServers: [],
      ssoDomains: [],
    }),
    targets: {
      ...targetRules(['localhost', '127.0.0.0/8']),
      findProof: async (host, token) => {
        looks.push([host, token])
        return proof
      },
    },
  }
})
afterAll(() => rm(folder, { recursive: true, force: true }))

beforeEach(async () => {
  queued = []
  looks = []
  proof = { failure: 'Nothing is there.' }
  place = { workspaceId: ada.workspaceId, projectId: await createProject() }
})

async function call<O extends Operation>(operation: O, input: RawInputOf<O>): Promise<OutputOf<O>> {
  const execute = createExecute(implementations, deps)
  const answer: unknown = await execute(operation, input, {
    principal: asAda().principal,
    requestId: 'req_1',
    ip: '127.0.0.1',
  })
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its schema read it
  return answer as OutputOf<O>
}

async function problemOf(work: Promise<unknown>): Promise<Problem> {
  try {
    await work
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
  throw new Error('There was no problem')
}

const fieldsOf = ({ errors = [] }: Problem) => errors.map(({ field }) => field)

const faultsOf = async (work: Promise<unknown>) => fieldsOf(await problemOf(work))

type Rest<O extends Operation> = Omit<RawInputOf<O>, 'project_id'>

const createVariable = (input: Rest<typeof operations.createVariable>) =>
  call(operations.createVariable, { project_id: place.projectId, ...input })
const variablesPage = (cursor?: string) =>
  call(operations.listVariables, { project_id: place.projectId, limit: 2, cursor })
const listVariables = async () =>
  (await call(operations.listVariables, { project_id: place.projectId })).variables
const createServer = async (name: string, baseUrl: string) =>
  (await call(operations.createHttpServer, { project_id: place.projectId, name, base_url: baseUrl }))
    .http_server
const createRule = (input: Partial<RawInputOf<typeof operations.createCorrelationRule>>) =>
  call(operations.createCorrelationRule, {
    project_id: place.projectId,
    name: 'CSRF',
    variable: 'csrf',
    type: 'regex',
    ...input,
  })
const verify = (host: string) => call(operations.verifyTarget, { project_id: place.projectId, host })
const announce = (input: { size_bytes?: number }) =>
  call(operations.uploadProjectFile, { project_id: place.projectId, path: 'a.csv', ...input })
async function openText(path: string): Promise<string | undefined> {
  const bytes = await openProjectFile({ caller: asAda(), deps }, place.projectId)(path)
  return bytes === undefined ? undefined : Buffer.from(bytes).toString()
}

/** A virtual user that sends to a server, with texts in its request. */
async function addVirtualUser(name: string, serverId: string, path: string, source = '1'): Promise<string> {
  const document = {
    name,
    actions: [
      { type: 'http_request', id: 'act_1', method: 'GET', server_id: serverId, path },
      { type: 'script', id: 'act_2', source },
      { type: 'for_each', id: 'act_3', list: 'countries', variable: 'country', actions: [] },
    ],
  }
  const { id } = await at.stores.designs.create(
    asAda(),
    place,
    { id: newId('virtualUser'), kind: 'virtual_user', name, document, summary: {} },
    { words: 'Created' },
  )
  return id
}

describe('variables', () => {
  test('of every type are made of flat fields, and the rest has its defaults', async () => {
    const { variable } = await createVariable({ name: 'id', type: 'random_number', min: 1, max: 9 })
    expect(variable).toMatchObject({
      name: 'id',
      type: 'random_number',
      version: 1,
      settings: { min: 1, max: 9, decimals: 0, renewed: 'each_iteration' },
    })
    await createVariable({ name: 'now', type: 'date_time', format: 'iso', settings: { offset_ms: 5 } })
    await createVariable({ name: 'n', type: 'counter', start: 5, settings: { step: 5 } })
    await createVariable({ name: 'u', type: 'uuid' })
    await createVariable({ name: 'c', type: 'constant', value: 'x'.repeat(500) })
    await createVariable({ name: 'l', type: 'list', values: Array.from({ length: 50 }, String) })
    await createVariable({ name: 't', type: 'random_text', length: 4 })
    await createVariable({ name: 'f', type: 'csv', path: 'users.csv', columns: ['mail'] })
    const variables = await listVariables()
    expect(variables.map(({ name }) => name)).toEqual(['c', 'f', 'id', 'l', 'n', 'now', 't', 'u'])
    expect(variables[0]?.settings['value']).toMatch(/^x{200}… \(500 characters\)$/)
    expect(variables[3]?.settings['values']).toHaveLength(21)
  })

  test('are listed page by page', async () => {
    await Promise.all(['b', 'a', 'c'].map((name) => createVariable({ name, type: 'uuid' })))
    const first = await variablesPage()
    const second = await variablesPage(first.next_cursor ?? '')
    expect([first, second].map((each) => each.variables.map(({ name }) => name))).toEqual([['a', 'b'], ['c']])
    expect(second.next_cursor).toBeNull()
  })

  test('that cannot be made say which field is wrong', async () => {
    expect(await faultsOf(createVariable({ name: 'id', type: 'random_number', min: 1 }))).toEqual(['max'])
    expect(await faultsOf(createVariable({ name: '1', type: 'uuid' }))).toEqual(['name'])
    expect(await faultsOf(createVariable({ name: 'id', type: 'uuid', min: 1 }))).toEqual(['min'])
    expect(await faultsOf(createVariable({ name: 'f', type: 'csv', path: '../users.csv' }))).toEqual(['path'])
    expect(await faultsOf(createVariable({ name: 'n', type: 'counter', settings: { step: 'x' } }))).toEqual([
      'settings.step',
    ])
    expect(await faultsOf(createVariable({ name: 's', type: 'secret' }))).toEqual(['value'])
    await createVariable({ name: 'id', type: 'uuid' })
    expect(await problemOf(createVariable({ name: 'id', type: 'uuid' }))).toMatchObject({ code: 'conflict' })
    expect(await listVariables()).toHaveLength(1)
  })

  test('say what uses them, and are deleted only when nothing does', async () => {
    const { variable: used } = await createVariable({ name: 'order_id', type: 'uuid' })
    const { variable: inScript } = await createVariable({ name: 'seed', type: 'uuid' })
    const { variable: goneThrough } = await createVariable({
      name: 'countries',
      type: 'list',
      values: ['de'],
    })
    const { variable: unused } = await createVariable({ name: 'order', type: 'uuid' })
    const vu = await addVirtualUser('Checkout', 'srv_1', '/${order_id}/order', 'vars.get("seed")')
    const usedBy = new Map(
      (await listVariables()).map(({ name, used_by }) => [name, used_by.map(({ id }) => id)]),
    )
    expect(Object.fromEntries(usedBy)).toEqual({
      countries: [vu],
      order: [],
      order_id: [vu],
      seed: [vu],
    })
    const remove = (id: string) => call(operations.deleteVariable, { variable_id: id })
    for (const { id } of [used, inScript, goneThrough]) {
      // oxlint-disable-next-line no-await-in-loop
      const problem = await problemOf(remove(id))
      expect([problem.code, problem.message]).toEqual(['in_use', expect.stringContaining(`Checkout (${vu})`)])
    }
    await remove(unused.id)
    expect(await problemOf(remove(unused.id))).toMatchObject({ code: 'variable_not_found' })
    const { object } = await call(operations.restoreDesignObject, { object_id: unused.id })
    expect(object).toMatchObject({ id: unused.id, is_deleted: false })
  })

  test('of a CSV file are used by the names of its columns, written down or in its first line', async () => {
    await uploadText('users.csv', '"mail";name\na;b\n')
    await createVariable({ name: 'users', type: 'csv', path: 'users.csv', settings: { delimiter: ';' } })
    await createVariable({ name: 'named', type: 'csv', path: 'users.csv', columns: ['login'] })
    const vu = await addVirtualUser('Login', 'srv_1', '/${mail}')
    const other = await addVirtualUser('Other', 'srv_1', '/${login}')
    const usedBy = (await listVariables()).map(({ name, used_by }) => [name, used_by.map(({ id }) => id)])
    expect(usedBy).toEqual([
      ['named', [other]],
      ['users', [vu]],
    ])
  })

  test('that are secret never show their value, which is sealed and opens for those who run virtual users', async () => {
    const made = await createVariable({ name: 'token', type: 'secret', value: 'hunter2' })
    const { id } = made.variable
    const everything = JSON.stringify([
      made,
      await listVariables(),
      await call(operations.getDesignObject, { object_id: id }),
      await call(operations.patchDesignObject, {
        object_id: id,
        patch: [{ op: 'replace', path: '/description', value: 'Of the shop' }],
      }),
      await at.stores.designs.listVersions(asAda(), id, { limit: 10 }),
      await at.stores.designs.findVersion(asAda(), id, 1),
      [...(await at.stores.designs.readSecrets(asAda(), place.projectId)).values()],
    ])
    expect(everything).not.toContain('hunter2')
    const secrets = () => openSecrets({ caller: asAda(), deps }, place.projectId)
    expect(await secrets()).toEqual(new Map([['token', 'hunter2']]))
    await call(operations.patchDesignObject, { object_id: id, secret_value: 'hunter3' })
    expect(await secrets()).toEqual(new Map([['token', 'hunter3']]))
    const constant = [
      { op: 'replace', path: '/type', value: 'constant' },
      { op: 'add', path: '/value', value: 'plain' },
    ]
    await call(operations.patchDesignObject, { object_id: id, patch: constant })
    expect(await secrets()).toEqual(new Map())
    expect(
      await problemOf(call(operations.patchDesignObject, { object_id: id, secret_value: 'x' })),
    ).toMatchObject({ code: 'invalid_input' })
    expect(await faultsOf(call(operations.patchDesignObject, { object_id: id, restore_version: 1 }))).toEqual(
      ['secret_value'],
    )
  })
})

describe('HTTP servers', () => {
  test('say who sends to them and whether their host may be aimed at', async () => {
    const local = await createServer('local', 'http://localhost:3000')
    await createServer('shop', 'https://shop.example.com/v1')
    await createServer('any', 'https://${host}/')
    const vu = await addVirtualUser('Checkout', local.id, '/')
    const { http_servers } = await call(operations.listHttpServers, { project_id: place.projectId })
    expect(
      http_servers.map(({ name, is_verified, used_by }) => [name, is_verified, used_by.map(({ id }) => id)]),
    ).toEqual([
      ['any', null, []],
      ['local', true, [vu]],
      ['shop', false, []],
    ])
    expect(await problemOf(call(operations.deleteHttpServer, { http_server_id: local.id }))).toMatchObject({
      code: 'in_use',
    })
  })

  test('are changed field by field, unless somebody else did in the meantime', async () => {
    const { id } = await createServer('shop', 'https://shop.example.com')
    const change = (input: Omit<RawInputOf<typeof operations.updateHttpServer>, 'http_server_id'>) =>
      call(operations.updateHttpServer, { http_server_id: id, ...input })
    const { http_server } = await change({ timeout_ms: 5000, verify_tls: false, if_version: 1 })
    expect(http_server).toMatchObject({
      version: 2,
      timeout_ms: 5000,
      verify_tls: false,
      base_url: 'https://shop.example.com',
    })
    const stale = await problemOf(change({ base_url: 'https://other.example.com', if_version: 1 }))
    expect([stale.code, stale.message]).toEqual([
      'version_mismatch',
      expect.stringContaining('version 2 by now (2: Changed timeout_ms, verify_tls)'),
    ])
    expect(await faultsOf(change({ base_url: 'ftp://shop' }))).toEqual(['base_url'])
    expect(await problemOf(change({}))).toMatchObject({ code: 'invalid_input' })
    await call(operations.deleteHttpServer, { http_server_id: id })
    expect(await problemOf(change({ name: 'x' }))).toMatchObject({ code: 'http_server_not_found' })
  })

  test('do not tell passwords and headers in their listing', async () => {
    const { id } = await createServer('shop', 'https://shop.example.com')
    await call(operations.patchDesignObject, {
      object_id: id,
      patch: [
        { op: 'replace', path: '/authentication', value: { type: 'bearer', token: 'hunter2' } },
        { op: 'add', path: '/headers/-', value: { name: 'x-api-key', value: 'hunter2' } },
      ],
    })
    const listed = await call(operations.listHttpServers, { project_id: place.projectId })
    expect(listed.http_servers).toMatchObject([{ authentication: 'bearer', header_names: ['x-api-key'] }])
    expect(JSON.stringify(listed)).not.toContain('hunter2')
  })
})

describe('correlation rules', () => {
  test('are made of flat fields, and deleted', async () => {
    const { rule } = await createRule({ find: 'name="csrf" value="([^"]+)"', targets: ['body'] })
    expect(rule).toMatchObject({
      source: { type: 'regex', pattern: 'name="csrf" value="([^"]+)"', part: 'body' },
      targets: ['body'],
      enabled: true,
    })
    await createRule({ name: 'Path', type: 'json_path', find: '$.id' })
    await createRule({ name: 'Between', type: 'boundaries', left: '<', right: '>' })
    await createRule({ name: 'Header', type: 'header', find: 'x-token' })
    await createRule({ name: 'Cookie', type: 'cookie', find: 'sid' })
    const rules = async () =>
      (await call(operations.listCorrelationRules, { project_id: place.projectId })).rules
    expect((await rules()).map(({ source }) => source['type'])).toEqual([
      'boundaries',
      'regex',
      'cookie',
      'header',
      'json_path',
    ])
    await call(operations.deleteCorrelationRule, { correlation_rule_id: rule.id })
    expect(await rules()).toHaveLength(4)
  })

  test('that cannot be made say which field is wrong', async () => {
    expect(await faultsOf(createRule({}))).toEqual(['find'])
    expect(await faultsOf(createRule({ type: 'boundaries', find: 'x', left: '<' }))).toEqual([
      'right',
      'find',
    ])
    expect(await faultsOf(createRule({ type: 'header', find: 'x', part: 'url' }))).toEqual(['part'])
    expect(await faultsOf(createRule({ find: 'x', variable: '9' }))).toEqual(['variable'])
  })
})

describe('versions', () => {
  test('are listed, read and gone back to, and a patch that does not fit says where', async () => {
    const { variable } = await call(operations.createVariable, {
      project_id: place.projectId,
      name: 'page',
      type: 'constant',
      value: '1',
    })
    const object_id = variable.id
    const patch = (value: unknown, more: { if_version?: number; label?: string } = {}) =>
      call(operations.patchDesignObject, {
        object_id,
        patch: [{ op: 'replace', path: '/value', value }],
        ...more,
      })
    await patch('2', { label: 'Two' })
    const refused = await problemOf(patch(3))
    expect(fieldsOf(refused)).toEqual(['/value'])
    expect(refused.message).toBe(
      'The variable would not be valid: look at /value. Its JSON Schema is at https://flamegate.example/mcp/public/schema/variables.json',
    )
    expect(await problemOf(patch('3', { if_version: 1 }))).toMatchObject({ code: 'version_mismatch' })
    const missing = await problemOf(
      call(operations.patchDesignObject, { object_id, patch: [{ op: 'remove', path: '/nothing' }] }),
    )
    expect([missing.code, fieldsOf(missing)]).toEqual(['invalid_input', ['patch.0']])
    const { object } = await call(operations.patchDesignObject, { object_id, restore_version: 1 })
    expect(object).toMatchObject({ version: 3, document: { value: '1' } })
    const { versions, changes, change_count } = await call(operations.listDesignObjectVersions, {
      object_id,
      compare: '1..2',
    })
    expect([changes, change_count]).toEqual([[{ pointer: '/value', before: '"1"', after: '"2"' }], 1])
    expect(await call(operations.listDesignObjectVersions, { object_id, compare: '1..3' })).toMatchObject({
      changes: [],
      change_count: 0,
    })
    expect(
      await problemOf(call(operations.listDesignObjectVersions, { object_id, compare: '1..9' })),
    ).toMatchObject({ code: 'document_not_found', message: 'page has no version 9.' })
    expect(versions.map(({ version, change, label }) => [version, change, label])).toEqual([
      [3, 'Back to version 1', null],
      [2, 'replace /value', 'Two'],
      [1, 'Created', null],
    ])
    const second = await call(operations.getDesignObject, { object_id, version: 2 })
    expect(second.object).toMatchObject({ version: 2, document: { value: '2' } })
    const older = await call(operations.listDesignObjectVersions, { object_id, limit: 2 })
    expect([older.versions.length, older.next_before]).toEqual([2, 2])
  })
})

describe('targets', () => {
  test('are given a token first, and looked at when asked for again', async () => {
    const first = await verify('SHOP.example.com:443')
    expect(first).toMatchObject({
      is_verified: false,
      target: { host: 'shop.example.com', checked_at: null },
      proof: {
        token: expect.stringMatching(/^flamegate-[\w-]{32}$/),
        file_url: 'https://shop.example.com/.well-known/flamegate-verification.txt',
        dns_name: '_flamegate.shop.example.com',
      },
    })
    expect(looks).toEqual([])
    const second = await verify('shop.example.com')
    expect(second).toMatchObject({ is_verified: false, target: { failure: 'Nothing is there.' } })
    expect(looks).toEqual([['shop.example.com', first.proof?.token]])
    proof = { method: 'file' }
    expect(await verify('shop.example.com')).toMatchObject({ is_verified: true, target: { method: 'file' } })
    proof = { failure: 'It is gone.' }
    expect(await verify('shop.example.com')).toMatchObject({ is_verified: false })
  })

  test('decide where a project may send requests, beside what the installation allows', async () => {
    proof = { method: 'dns' }
    await verify('*.example.com')
    await verify('*.example.com')
    const verified = await verify('shop.example.org')
    await verify('shop.example.org')
    await verify('not.proved')
    const isReachable = async (host: string) =>
      (await reachableHosts({ caller: asAda(), deps }, place.projectId))(host)
    expect(await isReachable('www.example.com')).toBe(true)
    expect(await isReachable('shop.example.org')).toBe(true)
    expect(await isReachable('shop.example.org:8080')).toBe(false)
    expect(await isReachable('not.proved')).toBe(false)
    expect(await isReachable('localhost:3000')).toBe(true)
    expect(await isReachable('2130706433')).toBe(true)
    expect(await isReachable('10.0.0.1')).toBe(false)
    await call(operations.deleteTarget, { target_id: verified.target?.id ?? '' })
    expect(await isReachable('shop.example.org')).toBe(false)
    const { targets } = await call(operations.listTargets, { project_id: place.projectId })
    expect(targets.map(({ host, is_verified }) => [host, is_verified])).toEqual([
      ['*.example.com', true],
      ['not.proved', false],
    ])
  })

  test('that the installation allows need no proof, and what is no host is refused', async () => {
    expect(await verify('localhost:3000')).toMatchObject({ is_verified: true, target: null, proof: null })
    for (const host of ['https://shop.example.com', 'shop.example.com/path', '*', 'a b']) {
      // oxlint-disable-next-line no-await-in-loop
      expect(await faultsOf(verify(host))).toEqual(['host'])
    }
  })
})

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- whatever else a job could use, this one fails with
const jobDeps = () => deps as unknown as JobDeps

async function finishJobs(): Promise<void> {
  for (const [name, payload] of queued.splice(0)) {
    if (name !== 'store_project_file') continue
    // oxlint-disable-next-line no-await-in-loop -- as a worker does it
    await jobHandlers.store_project_file(payload, jobDeps())
  }
}

async function uploadText(path: string, content: string): Promise<string> {
  const { file_id } = await call(operations.uploadProjectFile, { project_id: place.projectId, path, content })
  await finishJobs()
  return file_id
}

describe('project files', () => {
  test('are opened by their path, replaced, deleted and brought back', async () => {
    const first = await uploadText('data/users.csv', 'a,b\n1,2\n')
    expect(await openText('data/users.csv')).toBe('a,b\n1,2\n')
    const second = await uploadText('data/users.csv', 'a,b\n3,4\n')
    expect(await openText('data/users.csv')).toBe('a,b\n3,4\n')
    const { files } = await call(operations.listProjectFiles, { project_id: place.projectId })
    expect(files).toMatchObject([{ path: 'data/users.csv', file_id: second }])
    expect(files[0]?.versions.map(({ file_id }) => file_id).toSorted()).toEqual([first, second].toSorted())

    expect(await problemOf(call(operations.deleteProjectFile, { file_id: first }))).toMatchObject({
      code: 'file_not_found',
    })
    await call(operations.deleteProjectFile, { file_id: second })
    expect(await openText('data/users.csv')).toBeUndefined()
    await call(operations.restoreProjectFile, { file_id: first })
    expect(await openText('data/users.csv')).toBe('a,b\n1,2\n')
    const listed = await call(operations.listFiles, { owner: place.projectId })
    expect(listed.files.map(({ name, kind }) => [name, kind])).toEqual([
      ['data/users.csv', 'project_file'],
      ['data/users.csv', 'project_file'],
    ])
  })

  test('come by a presigned request of exactly their size, and are there when the job has seen them', async () => {
    const { upload, task_id, file_id } = await call(operations.uploadProjectFile, {
      project_id: place.projectId,
      path: 'a/photo.png',
      size_bytes: 3,
    })
    expect(upload).toMatchObject({ method: 'PUT', curl: expect.stringContaining("@'photo.png'") })
    await call(operations.getTaskResult, { task_id })
    expect(queued).toEqual([])
    const file = await at.stores.files.find(asAda(), file_id)
    await deps.storage.write(file?.storageKey ?? '', Buffer.from('png'), { contentType: 'image/png' })
    await call(operations.getTaskResult, { task_id })
    await finishJobs()
    const { task } = await call(operations.getTaskResult, { task_id })
    expect(task).toMatchObject({ status: 'SUCCESS', result: { file_id, path: 'a/photo.png' } })
    expect(await openText('a/photo.png')).toBe('png')
  })

  test('of one project are not those of another, whatever the path', async () => {
    await uploadText('users.csv', 'mine')
    const other = await createProject()
    const ofOther = openProjectFile({ caller: asAda(), deps }, other)
    expect(await ofOther('users.csv')).toBeUndefined()
    expect(await ofOther(`../${place.projectId}/users.csv`)).toBeUndefined()
    for (const path of ['../users.csv', '/users.csv', 'a/../../users.csv', 'a\\..\\b.csv', 'run.sh', '']) {
      // oxlint-disable-next-line no-await-in-loop
      const problem = await problemOf(
        call(operations.uploadProjectFile, { project_id: other, path, content: 'x' }),
      )
      expect(fieldsOf(problem)).toEqual(['path'])
    }
  })

  test('without content need their size, and are not too large', async () => {
    expect(await faultsOf(announce({}))).toEqual(['size_bytes'])
    expect(await faultsOf(announce({ size_bytes: 200 * 1024 * 1024 + 1 }))).toEqual(['size_bytes'])
  })
})

test('a validation of which nothing was told for minutes is called off at once, one that goes on at its next word', async () => {
  const { virtual_user } = await call(operations.createVirtualUser, {
    project_id: place.projectId,
    name: 'Shop',
  })
  const { validation, task_id } = await call(operations.validateVirtualUser, {
    virtual_user_id: virtual_user.id,
  })
  await at.stores.tasks.progress(asAda(), task_id, { percent: 50, message: 'A worker is at it' })
  const first = await call(operations.cancelTask, { task_id })
  expect(first.task.status).toBe('RUNNING')
  const now = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 660_000)
  try {
    const second = await call(operations.cancelTask, { task_id })
    expect(second.task.status).toBe('CANCELLED')
  } finally {
    now.mockRestore()
  }
  expect(await at.stores.validations.find(asAda(), validation.id)).toMatchObject({ state: 'CANCELLED' })
})

test('a validation or an import that could not be queued has failed, and says so', async () => {
  const server = await createServer('shop', 'https://shop.example.com')
  const id = await addVirtualUser('Buyer', server.id, '/')
  const { queue } = deps
  let taskId = ''
  const away: JobQueue = {
    ...queue,
    add: async (_name, payload) => {
      taskId = payload.taskId
      throw new Error('The job queue did not answer in time.')
    },
  }
  deps = { ...deps, queue: away }
  try {
    const problem = await problemOf(call(operations.validateVirtualUser, { virtual_user_id: id }))
    expect(problem.code).toBe('unavailable')
    const { validation } = await call(operations.getVirtualUserValidationIndex, { virtual_user_id: id })
    expect(validation).toMatchObject({ state: 'ERROR', message: expect.stringContaining('nothing was sent') })
    expect(await at.stores.tasks.find(asAda(), taskId)).toMatchObject({ status: 'FAILED' })

    const importing = { project_id: place.projectId, format: 'urls' as const, content: 'https://a.example/' }
    await expect(call(operations.importVirtualUser, importing)).rejects.toThrow('did not answer')
    expect(await at.stores.tasks.find(asAda(), taskId)).toMatchObject({
      kind: 'import_virtual_user',
      status: 'FAILED',
    })
  } finally {
    deps = { ...deps, queue }
  }
})

test('a rule with a pattern that can find nothing is refused', async () => {
  const rule = { project_id: place.projectId, name: 'Token', type: 'regex' as const, variable: 'token' }
  expect(await faultsOf(call(operations.createCorrelationRule, { ...rule, find: '(' }))).toEqual(['find'])
  expect(await faultsOf(call(operations.createCorrelationRule, { ...rule, find: 'token' }))).toEqual(['find'])
  const made = await call(operations.createCorrelationRule, { ...rule, find: 'token=(x+)' })
  const patch = [{ op: 'replace', path: '/source/pattern', value: '(' }]
  const patched = call(operations.patchDesignObject, { object_id: made.rule.id, patch })
  expect(await faultsOf(patched)).toEqual(['/source/pattern'])
})
