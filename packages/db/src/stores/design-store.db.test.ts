import { newId } from '@flamegate/contract'
import { NotPermitted, type DesignKind, type NewDesignObject } from '@flamegate/operations/ports'
import { beforeEach, describe, expect, test } from 'vitest'
import { preparePeople } from '../testing.ts'

const { at, ada, bob, asAda, asBob, asViewer, createProject } = preparePeople()
let place: { workspaceId: string; projectId: string }

beforeEach(async () => {
  place = { workspaceId: ada.workspaceId, projectId: await createProject() }
})

const asAdaOf = (projectId: string) => {
  const caller = asAda()
  return { ...caller, principal: { ...caller.principal, projectId } }
}

const idKinds = {
  virtual_user: 'virtualUser',
  http_server: 'httpServer',
  variable: 'variable',
  correlation_rule: 'correlationRule',
  scenario: 'scenario',
  bench_report: 'benchReport',
  report_template: 'reportTemplate',
  sla_profile: 'slaProfile',
  monitor: 'monitor',
} as const

const draft = (
  name: string,
  kind: DesignKind = 'virtual_user',
  change: Partial<NewDesignObject> = {},
): NewDesignObject => ({
  id: newId(idKinds[kind]),
  kind,
  name,
  document: { name },
  summary: {},
  ...change,
})

const tagged = (name: string, tags: string[]) => draft(name, 'virtual_user', { summary: { tags } })

const created = { words: 'Created' }
const create = (object: NewDesignObject) => at.stores.designs.create(asAda(), place, object, created)

test('an object is there for the members of its workspace, and is changed by those who may write', async () => {
  const { designs } = at.stores
  const object = await create(draft('Buyer', 'virtual_user', { summary: { tags: ['smoke'] } }))
  expect(object).toMatchObject({ ...place, version: 1, document: { name: 'Buyer' }, hasSecret: false })
  expect(object).toMatchObject({ createdBy: ada.userId, source: null, deletedAt: null })
  expect(await designs.find(asViewer(), object.id)).toEqual(object)
  expect(await designs.findNamed(asViewer(), place.projectId, 'virtual_user', 'Buyer')).toEqual(object)
  expect(await designs.find(asBob(), object.id)).toBeUndefined()
  expect(await designs.list(asBob(), place.projectId, { limit: 9 }, { kind: 'virtual_user' })).toEqual([])
  expect(await designs.listVersions(asBob(), object.id, { limit: 9 })).toEqual([])
  expect(await designs.findVersion(asBob(), object.id, 1)).toBeUndefined()
  expect(await designs.findMentions(asBob(), place.projectId, ['Buyer'])).toEqual([])

  const update = { document: { name: 'Thief' } }
  expect(await designs.change(asBob(), object.id, update, 1, created)).toBeUndefined()
  await expect(designs.create(asViewer(), place, draft('Other'), created)).rejects.toThrow(NotPermitted)
  await expect(designs.change(asViewer(), object.id, update, 1, created)).rejects.toThrow(NotPermitted)
  await expect(designs.remove(asViewer(), object.id)).rejects.toThrow(NotPermitted)
  await expect(designs.restore(asViewer(), object.id)).rejects.toThrow(NotPermitted)
  expect(await designs.find(asAda(), object.id)).toEqual(object)
})

describe('change()', () => {
  test('writes the next version, and keeps all before it', async () => {
    const { designs } = at.stores
    const { id } = await create(draft('Buyer'))
    const changed = await designs.change(
      asAda(),
      id,
      { document: { name: 'Buyer 2', delay: 5 }, name: 'Buyer 2', summary: { tags: ['slow'] } },
      1,
      { words: 'replace /name', label: 'before the sale' },
    )
    expect(changed).toMatchObject({
      state: 'changed',
      object: { name: 'Buyer 2', version: 2, document: { delay: 5 }, summary: { tags: ['slow'] } },
    })
    expect(await designs.listVersions(asAda(), id, { limit: 9 })).toMatchObject([
      { version: 2, label: 'before the sale', change: 'replace /name', authorEmail: 'ada@example.com' },
      { version: 1, label: null, change: 'Created', authorId: ada.userId, authorClient: 'Flamegate' },
    ])
    expect(await designs.listVersions(asAda(), id, { limit: 9, before: 2 })).toMatchObject([{ version: 1 }])
    expect(await designs.findVersion(asAda(), id, 1)).toMatchObject({ document: { name: 'Buyer' } })
    expect(await designs.findVersion(asAda(), id, 2)).toMatchObject({ document: { name: 'Buyer 2' } })
    expect(await designs.findVersion(asAda(), id, 3)).toBeUndefined()
  })

  test('changes nothing when somebody else was first, and gives what is there now', async () => {
    const { designs } = at.stores
    const { id } = await create(draft('Buyer'))
    const outcomes = await Promise.all(
      ['a', 'b', 'c'].map((name) => designs.change(asAda(), id, { document: { name } }, 1, created)),
    )
    expect(outcomes.filter((outcome) => outcome?.state === 'stale')).toHaveLength(2)
    const winner = outcomes.find((outcome) => outcome?.state === 'changed')
    for (const outcome of outcomes) expect(outcome?.object).toEqual(winner?.object)
    expect(await designs.listVersions(asAda(), id, { limit: 9 })).toHaveLength(2)
  })

  test('takes no name of another of its kind', async () => {
    const { designs } = at.stores
    const { id } = await create(draft('Buyer'))
    await create(draft('Seller'))
    await create(draft('Other', 'http_server'))
    const rename = (name: string) =>
      designs.change(asAda(), id, { document: { name }, name }, 1, { words: 'Renamed' })
    await expect(rename('Seller')).rejects.toMatchObject({ field: 'name' })
    expect(await rename('Other')).toMatchObject({ state: 'changed' })
  })
})

test('what is deleted is gone until it is restored, and leaves its name to others', async () => {
  const { designs } = at.stores
  const { id } = await create(draft('Buyer'))
  expect(await designs.remove(asAda(), id)).toBe(true)
  expect(await designs.remove(asAda(), id)).toBe(false)
  expect(await designs.find(asAda(), id)).toBeUndefined()
  expect(await designs.find(asAda(), id, { evenDeleted: true })).toMatchObject({
    id,
    deletedAt: expect.any(Date),
  })
  expect(await designs.change(asAda(), id, { document: {} }, 1, created)).toBeUndefined()
  const listed = (areDeleted: boolean) =>
    designs.list(asAda(), place.projectId, { limit: 9 }, { kind: 'virtual_user', areDeleted })
  expect(await listed(false)).toEqual([])
  expect(await listed(true)).toMatchObject([{ id }])

  const other = await create(draft('Buyer'))
  await expect(designs.restore(asAda(), id)).rejects.toMatchObject({ field: 'name' })
  await designs.remove(asAda(), other.id)
  expect(await designs.restore(asAda(), id)).toMatchObject({ id, version: 1, deletedAt: null })
  expect(await listed(false)).toMatchObject([{ id }])
  expect(await designs.restore(asAda(), newId('virtualUser'))).toBeUndefined()
})

test('createMany() stores all of them in the name of their author, or none', async () => {
  const { designs } = at.stores
  await create(draft('taken'))
  const several = [draft('shop.example.com', 'http_server'), draft('Buyer')]
  const author = { userId: bob.userId, clientName: 'An agent' }
  const rejected = designs.createMany(asAda(), place, [...several, draft('taken')], created)
  await expect(rejected).rejects.toMatchObject({ field: 'name' })
  const names = async (kind: DesignKind) =>
    (await designs.listDocuments(asAda(), place.projectId, kind)).map(({ name }) => name)
  expect([await names('http_server'), await names('virtual_user')]).toEqual([[], ['taken']])

  await designs.createMany(asAda(), place, several, { words: 'Imported', author })
  expect([await names('http_server'), await names('virtual_user')]).toEqual([
    ['shop.example.com'],
    ['Buyer', 'taken'],
  ])
  const id = several[1]?.id ?? ''
  expect(await designs.find(asAda(), id)).toMatchObject({ createdBy: bob.userId })
  expect(await designs.listVersions(asAda(), id, { limit: 9 })).toMatchObject([
    { version: 1, change: 'Imported', authorId: bob.userId, authorClient: 'An agent' },
  ])
})

test('list() pages newest first, and finds by name and tag', async () => {
  const { designs } = at.stores
  await create(tagged('Buyer 100%', ['smoke', 'shop']))
  await create(tagged('Seller', ['shop']))
  await create(tagged('Visitor', []))
  const list = async (filter: { search?: string; tag?: string }) =>
    (await designs.list(asAda(), place.projectId, { limit: 9 }, { kind: 'virtual_user', ...filter })).map(
      ({ name }) => name,
    )
  expect((await list({})).toSorted()).toEqual(['Buyer 100%', 'Seller', 'Visitor'])
  expect(await list({ search: '0%' })).toEqual(['Buyer 100%'])
  expect(await list({ search: 'SELL' })).toEqual(['Seller'])
  expect((await list({ tag: 'shop' })).toSorted()).toEqual(['Buyer 100%', 'Seller'])
  expect(await list({ tag: 'sho' })).toEqual([])

  const [first, second] = await designs.list(asAda(), place.projectId, { limit: 1 }, { kind: 'virtual_user' })
  const rest = await designs.list(
    asAda(),
    place.projectId,
    { limit: 9, after: { createdAt: first?.createdAt ?? new Date(0), id: first?.id ?? '' } },
    { kind: 'virtual_user' },
  )
  expect(rest).toHaveLength(2)
  expect(rest[0]).toEqual(second)
})

test('findMentions() finds texts in documents as they are, and not in what is deleted', async () => {
  const { designs } = at.stores
  const server = await create(draft('api', 'http_server', { document: { headers: '${token}' } }))
  const user = await create(
    draft('Buyer', 'virtual_user', { document: { server_id: server.id, body: 'say "${who}"' } }),
  )
  const gone = await create(draft('Gone', 'virtual_user', { document: { server_id: server.id } }))
  await designs.remove(asAda(), gone.id)
  const texts = ['${token}', server.id, '${tok}', '"${who}"']
  const mentions = await designs.findMentions(asAda(), place.projectId, texts)
  expect(mentions.map(({ text, id, kind }) => [text, id, kind])).toEqual(
    expect.arrayContaining([
      ['${token}', server.id, 'http_server'],
      [server.id, user.id, 'virtual_user'],
      ['"${who}"', user.id, 'virtual_user'],
    ]),
  )
  expect(mentions).toHaveLength(3)
})

test('a secret is told by nothing but readSecrets(), and is in no version', async () => {
  const { designs } = at.stores
  const object = await create(draft('api_token', 'variable', { sealedSecret: 'sealed:1' }))
  expect(object.hasSecret).toBe(true)
  const changed = await designs.change(
    asAda(),
    object.id,
    { document: { name: 'api_token' }, sealedSecret: 'sealed:2' },
    1,
    created,
  )
  const listed = await designs.list(asAda(), place.projectId, { limit: 9 }, { kind: 'variable' })
  const versions = await Promise.all([1, 2].map((each) => designs.findVersion(asAda(), object.id, each)))
  expect(JSON.stringify([object, changed, listed, versions])).not.toContain('sealed:')
  expect(await designs.readSecrets(asAda(), place.projectId)).toEqual(new Map([['api_token', 'sealed:2']]))
  expect(await designs.readSecrets(asBob(), place.projectId)).toEqual(new Map())
})

test('a caller of another project of the workspace sees and writes none of it', async () => {
  const { designs } = at.stores
  const { id } = await create(draft('Buyer'))
  expect(await designs.find(asAdaOf(place.projectId), id)).toMatchObject({ id })
  const elsewhere = asAdaOf(newId('project'))
  expect(await designs.find(elsewhere, id)).toBeUndefined()
  await expect(designs.create(elsewhere, place, draft('Other'), created)).rejects.toThrow(NotPermitted)
})
