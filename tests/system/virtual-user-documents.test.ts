import { operations } from '@flamegate/contract'
import { beforeAll, describe, expect, test } from 'vitest'
import { callTool } from './calls.ts'
import { apiToken, platform, signUp, type Person } from './person.ts'
import { waitForTask } from './world.ts'

/** What becomes of a virtual user between its import and its export, as agents and programs see it. */

const commands = `
curl 'https://shop.example.com/login' --data 'user=ada'
curl 'https://shop.example.com/cart' -H 'accept: application/json'
`

let owner: Person
let token: string
let projectId: string
let virtualUserId: string
let taskId: string

beforeAll(async () => {
  owner = await signUp('Author')
  token = await apiToken(owner, ['read', 'write'])
  projectId = await createProject('Shop')
  const imported = await owner.client.call(operations.importVirtualUser, {
    project_id: projectId,
    format: 'curl',
    name: 'Buyer',
    content: commands,
  })
  taskId = imported.task_id
  await waitForTask(owner, taskId)
  const { virtual_users } = await owner.client.call(operations.listVirtualUsers, { project_id: projectId })
  virtualUserId = virtual_users[0]?.id ?? ''
})

async function createProject(name: string): Promise<string> {
  const { project } = await owner.client.call(operations.createProject, {
    workspace_id: owner.workspaceId,
    name,
  })
  return project.id
}

const documentOf = async (id: string) =>
  (await owner.client.call(operations.getVirtualUserDocument, { virtual_user_id: id })).document

const patch = (input: object) =>
  owner.client.call(operations.patchVirtualUser, { virtual_user_id: virtualUserId, ...input })

test('an import tells what became of every element', async () => {
  const report = await owner.client.call(operations.getImportReport, { task_id: taskId })
  expect(report).toMatchObject({ format: 'curl', virtual_users: [{ id: virtualUserId, name: 'Buyer' }] })
  expect(report.read).toBeGreaterThanOrEqual(2)
  expect(report.mapped + report.approximated + report.dropped).toBe(report.read)
  expect(report.elements).toHaveLength(report.read)
})

test('an upload that is no recording ends in a problem with its place, and leaves no virtual user', async () => {
  const content = '{"log": {"entries": [{"request": '
  const { upload, task_id } = await owner.client.call(operations.importVirtualUser, {
    project_id: projectId,
    format: 'har',
    file_name: 'broken.har',
    size_bytes: content.length,
  })
  await fetch(upload?.url ?? '', { method: 'PUT', headers: upload?.headers ?? {}, body: content })
  await expect(waitForTask(owner, task_id)).rejects.toThrow(/unreadable_source.*entries/)
  const { virtual_users } = await owner.client.call(operations.listVirtualUsers, { project_id: projectId })
  expect(virtual_users).toHaveLength(1)
})

describe('an agent', () => {
  test('sees the tree in lines that fit, and the JSON of a part', async () => {
    const outline = await callTool(operations.getVirtualUser, { virtual_user_id: virtualUserId }, { token })
    expect(outline.text).toMatch(/\/actions\/\S+ act_\w+ http_request .*POST shop\.example\.com \/login/)
    expect(outline.text).toMatch(/http_request .*GET shop\.example\.com \/cart/)
    const [, pointer = '', id] = /(\/actions\/\S+) (act_\w+) http_request/.exec(outline.text) ?? []
    const part = await callTool(
      operations.getVirtualUser,
      { virtual_user_id: virtualUserId, view: 'document', action_id: id, fields: ['method', 'path'] },
      { token },
    )
    expect(part.answer).toMatchObject({
      pointer,
      document: { method: 'POST', path: '/login' },
      truncated: false,
    })
  })

  test('changes it, and is told what was changed meanwhile when it comes too late', async () => {
    const input = { patch: [{ op: 'replace', path: '/description', value: 'Buys' }], if_version: 1 }
    const dry = await patch({ ...input, dry_run: true })
    expect(dry).toMatchObject({ dry_run: true, change_count: 1, virtual_user: { version: 1 } })
    const changed = await patch({ ...input, label: 'told' })
    expect(changed.virtual_user).toMatchObject({ version: 2, description: 'Buys' })
    await expect(patch(input)).rejects.toMatchObject({
      code: 'version_mismatch',
      message: expect.stringContaining('2: replace /description'),
    })
  })

  test('is told the place of what would not be valid, and nothing is saved', async () => {
    const wrong = { op: 'replace', path: '/actions/0/enabled', value: 'no' }
    await expect(patch({ patch: [wrong] })).rejects.toMatchObject({
      code: 'invalid_input',
      errors: [{ field: '/actions/0/enabled', message: expect.any(String) }],
      message: `The virtual user would not be valid: look at /actions/0/enabled. Its JSON Schema is at ${platform().url}/mcp/public/schema/vu.json`,
    })
    await expect(patch({ patch: [{ op: 'remove', path: '/nothing' }] })).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('Operation 0 (remove /nothing)'),
    })
  })

  test('sees all versions, how two differ, and goes back to one', async () => {
    const { versions, changes } = await owner.client.call(operations.listVirtualUserVersions, {
      virtual_user_id: virtualUserId,
      compare: '1..2',
    })
    expect(versions.map(({ version, label, change }) => [version, label, change])).toEqual([
      [2, 'told', 'replace /description'],
      [1, null, 'Imported from source.curl'],
    ])
    expect(changes).toMatchObject([
      { change: 'changed', action_id: null, fields: [{ pointer: '/description', after: '"Buys"' }] },
    ])
    const back = await patch({ restore_version: 1 })
    expect(back.virtual_user).toMatchObject({ version: 3, description: '' })
  })
})

/** The same, whatever the ids of its servers. */
const withoutServers = (document: object) =>
  JSON.parse(JSON.stringify(document).replaceAll(/"server_id":"srv_\w+"/g, '"server_id":"srv"'))

test('an archive takes it to another project, where it is the same', async () => {
  await owner.client.call(operations.createVariable, {
    project_id: projectId,
    name: 'password',
    type: 'secret',
    value: 'hidden',
  })
  await patch({ patch: [{ op: 'replace', path: '/user_agent', value: 'Agent of ${password}' }] })
  const { download, notes, file_name } = await owner.client.call(operations.exportVirtualUser, {
    virtual_user_id: virtualUserId,
  })
  expect([file_name, notes]).toEqual(['Buyer.zip', ['Values of secrets are not in it.']])
  const bytes = Buffer.from(await (await fetch(download.url)).arrayBuffer())
  expect(bytes.includes('hidden')).toBe(false)

  const otherId = await createProject('Elsewhere')
  const { upload, task_id } = await owner.client.call(operations.importVirtualUser, {
    project_id: otherId,
    format: 'archive',
    size_bytes: bytes.length,
  })
  await fetch(upload?.url ?? '', { method: 'PUT', headers: upload?.headers ?? {}, body: bytes })
  await waitForTask(owner, task_id)
  const { virtual_users } = await owner.client.call(operations.listVirtualUsers, { project_id: otherId })
  const [original, copy] = await Promise.all([
    documentOf(virtualUserId),
    documentOf(virtual_users[0]?.id ?? ''),
  ])
  expect(withoutServers(copy)).toEqual(withoutServers(original))
  expect(JSON.stringify(copy)).not.toBe(JSON.stringify(original))
  const { variables } = await owner.client.call(operations.listVariables, { project_id: otherId })
  expect(variables).toMatchObject([{ name: 'password', type: 'secret' }])
})

test.each([
  ['jmx', '<jmeterTestPlan'],
  ['k6', 'export default function'],
] as const)('as %s it is a file of the other tool', async (format, beginning) => {
  const { download } = await owner.client.call(operations.exportVirtualUser, {
    virtual_user_id: virtualUserId,
    format,
  })
  expect(await (await fetch(download.url)).text()).toContain(beginning)
})

test('what was deleted can be brought back, and a duplicate is one of its own', async () => {
  const { virtual_user: duplicate } = await owner.client.call(operations.duplicateVirtualUser, {
    virtual_user_id: virtualUserId,
  })
  expect(duplicate).toMatchObject({ name: 'Buyer (2)', version: 1 })
  const input = { virtual_user_id: duplicate.id }
  await owner.client.call(operations.deleteVirtualUser, input)
  await expect(owner.client.call(operations.getVirtualUser, input)).rejects.toMatchObject({
    code: 'virtual_user_not_found',
  })
  const { virtual_users } = await owner.client.call(operations.listVirtualUsers, {
    project_id: projectId,
    deleted: true,
  })
  expect(virtual_users).toMatchObject([{ id: duplicate.id }])
  const { virtual_user: restored } = await owner.client.call(operations.restoreVirtualUser, input)
  expect(restored).toEqual(duplicate)
})

test('a virtual user that is larger than an answer may be is told in parts', async () => {
  const actions = Array.from({ length: 1000 }, (_, index) => ({
    type: 'script',
    id: `act_${index}`,
    name: `Number ${index}`,
    source: 'x'.repeat(100),
  }))
  const { virtual_user: large } = await owner.client.call(operations.createVirtualUser, {
    project_id: projectId,
    name: 'Large',
    document: { actions },
  })
  const seen: string[] = []
  for (let offset = 0; ;) {
    // oxlint-disable-next-line no-await-in-loop -- page by page
    const { answer, text } = await callTool(
      operations.getVirtualUser,
      { virtual_user_id: large.id, offset },
      { token },
    )
    const { outline, truncated } = operations.getVirtualUser.output.parse(answer)
    seen.push(...outline)
    offset += outline.length
    if (!truncated) break
    expect(text).toContain(`Ask again with offset ${offset}`)
  }
  expect(seen).toHaveLength(1000)
  const whole = await callTool(
    operations.getVirtualUser,
    { virtual_user_id: large.id, view: 'document' },
    { token },
  )
  expect(whole.answer).toMatchObject({ document: null, truncated: true })
  expect(whole.text).toContain('_truncated: yes. This JSON has')
})
