import { newId } from '@flamegate/contract'
import { Conflict, NotPermitted, type Project } from '@flamegate/operations/ports'
import { describe, expect, test } from 'vitest'
import { inSequence, plainFile, preparePeople, testCaller } from '../testing.ts'

const { at, ada, bob, asAda } = preparePeople()
const asBob = () => testCaller(bob.userId, { [bob.workspaceId]: 'owner' })
const asViewer = () => testCaller(bob.userId, { [ada.workspaceId]: 'viewer' })

const project = (slug: string, repository: string | null = null) => ({
  id: newId('project'),
  workspaceId: ada.workspaceId,
  slug,
  name: slug.toUpperCase(),
  description: `About ${slug}`,
  tags: ['a', 'b'],
  repository,
})

describe('create()', () => {
  test('gives the project as it is stored', async () => {
    const wanted = project('api', 'acme/api')
    const created = await at.stores.projects.create(asAda(), wanted)
    expect(created).toEqual({
      ...wanted,
      defaultBranch: null,
      baselineRunId: null,
      keylessUploadsBy: null,
      alertsOffSince: null,
      alertsOffBy: null,
      originRules: [],
      forge: null,
      forgeUrl: null,
      version: 1,
      createdAt: expect.any(Date),
      updatedAt: expect.any(Date),
    })
    expect(await at.stores.projects.find(asAda('read'), wanted.id)).toEqual(created)
    expect(await at.stores.projects.findWithCounts(asAda('read'), wanted.id)).toEqual({
      ...created,
      runCount: 0,
      benchmarkCount: 0,
      profileCount: 0,
      alertsOffByEmail: null,
    })
    expect(await at.stores.projects.findByRepository(asAda('read'), 'acme/api')).toEqual(created)
  })

  test('takes halves of characters, which nobody can read, for one that says so', async () => {
    const halves = '\uDFFF\uD800'
    const created = await at.stores.projects.create(asAda(), {
      ...project('halves'),
      name: halves,
      description: halves,
      tags: ['a', halves],
    })
    expect(created).toMatchObject({ name: '\uFFFD\uFFFD', tags: ['a', '\uFFFD\uFFFD'] })
    const changed = await at.stores.projects.update(asAda(), created.id, { tags: [halves] }, created.version)
    expect(changed?.tags).toEqual(['\uFFFD\uFFFD'])
    const rule = { in: 'file' as const, pattern: halves, origin: halves }
    const ruled = await at.stores.projects.update(asAda(), created.id, { originRules: [rule] }, 2)
    expect(ruled?.originRules).toEqual([{ in: 'file', pattern: '\uFFFD\uFFFD', origin: '\uFFFD\uFFFD' }])
  })

  test('names the field that is taken', async () => {
    await expect(at.stores.projects.create(asAda(), project('api'))).rejects.toEqual(
      expect.objectContaining({ constructor: Conflict, field: 'slug' }),
    )
    await expect(at.stores.projects.create(asAda(), project('other', 'acme/api'))).rejects.toEqual(
      expect.objectContaining({ constructor: Conflict, field: 'repository' }),
    )
  })

  test('lets several projects have no repository, and other workspaces the same slug', async () => {
    await at.stores.projects.create(asAda(), project('one'))
    await at.stores.projects.create(asAda(), project('two'))
    const elsewhere = { ...project('api', 'acme/api'), workspaceId: bob.workspaceId }
    expect(await at.stores.projects.create(asBob(), elsewhere)).toMatchObject(elsewhere)
  })

  test.each([
    ['a viewer', asViewer],
    ['a reading call', () => asAda('read')],
    ['somebody of another workspace', asBob],
  ])('refuses %s', async (_who, caller) => {
    await expect(at.stores.projects.create(caller(), project('three'))).rejects.toThrow(NotPermitted)
  })
})

test('another workspace sees, changes and removes nothing', async () => {
  const { id } = await at.stores.projects.create(asAda(), project('mine'))
  expect(await at.stores.projects.find(asBob(), id)).toBeUndefined()
  expect(await at.stores.projects.update(asBob(), id, { name: 'Stolen' })).toBeUndefined()
  expect(await at.stores.projects.remove(asBob(), id)).toBeUndefined()
  expect(await at.stores.projects.list(asBob(), ada.workspaceId, { limit: 10 })).toEqual([])
  expect(await at.stores.projects.find(asAda('read'), id)).toMatchObject({ name: 'MINE' })
})

describe('update()', () => {
  test('changes what is given, and raises the version', async () => {
    const { id, createdAt } = await at.stores.projects.create(asAda(), project('changing', 'acme/changing'))
    const changed = await at.stores.projects.update(asAda(), id, { name: 'New', tags: [] })
    expect(changed).toMatchObject({
      name: 'New',
      tags: [],
      description: 'About changing',
      version: 2,
      createdAt,
    })
    expect(await at.stores.projects.update(asAda(), id, { repository: null })).toMatchObject({
      repository: null,
      version: 3,
    })
  })

  test('keeps rules of origins as they are, and where the source is', async () => {
    const { id } = await at.stores.projects.create(asAda(), project('sourced'))
    const source = {
      originRules: [
        { in: 'file' as const, pattern: '/vendor/*', origin: 'User code' },
        { in: 'function' as const, pattern: 'com.acme.', origin: 'Acme' },
      ],
      forge: 'gitea' as const,
      forgeUrl: 'https://git.example.com',
    }
    expect(await at.stores.projects.update(asAda(), id, source)).toMatchObject(source)
    expect(await at.stores.projects.update(asAda(), id, { name: 'Other' })).toMatchObject(source)
    expect(await at.stores.projects.find(asAda('read'), id)).toMatchObject(source)
  })

  test('of two changes to the same version, one wins', async () => {
    const { id } = await at.stores.projects.create(asAda(), project('contested'))
    const outcomes = await Promise.all(
      ['Left', 'Right'].map((name) => at.stores.projects.update(asAda(), id, { name }, 1)),
    )
    expect(outcomes.filter((outcome) => outcome === undefined)).toHaveLength(1)
    expect(outcomes.find((outcome) => outcome !== undefined)).toMatchObject({ version: 2 })
  })

  test('refuses a viewer and a taken repository', async () => {
    const { id } = await at.stores.projects.create(asAda(), project('fixed'))
    await expect(at.stores.projects.update(asViewer(), id, { name: 'No' })).rejects.toThrow(NotPermitted)
    await expect(at.stores.projects.update(asAda('read'), id, { name: 'No' })).rejects.toThrow(NotPermitted)
    await expect(at.stores.projects.update(asAda(), id, { repository: 'acme/api' })).rejects.toThrow(Conflict)
  })
})

describe('list()', () => {
  test('pages newest first, through rows of the same millisecond, and gives one more than asked for', async () => {
    const carol = await at.signUp('carol')
    const caller = testCaller(carol.userId, { [carol.workspaceId]: 'owner' })
    const ids = await inSequence(['p1', 'p2', 'p3', 'p4', 'p5'], async (slug) => {
      const created = await at.stores.projects.create(caller, {
        ...project(slug),
        workspaceId: carol.workspaceId,
      })
      return created.id
    })
    await at.database.inScope(
      {
        userId: carol.userId,
        readWorkspaceIds: [carol.workspaceId],
        writeWorkspaceIds: [carol.workspaceId],
        adminWorkspaceIds: [],
        isReadOnly: false,
      },
      (client) => client.query("UPDATE projects SET created_at = '2026-01-01T00:00:00.123Z'"),
    )
    const seen: string[] = []
    let after: Project | undefined
    do {
      const page: Project[] = await at.stores.projects.list(caller, carol.workspaceId, { limit: 2, after })
      seen.push(...page.slice(0, 2).map((row) => row.id))
      after = page.length > 2 ? page[1] : undefined
    } while (after)
    expect(seen).toEqual(ids.toSorted().toReversed())
    expect(await at.stores.projects.list(caller, carol.workspaceId, { limit: 2 })).toHaveLength(3)
    expect(await at.stores.projects.listOfAllWorkspaces(caller, { limit: 10 })).toHaveLength(5)
  })

  test('searches without giving LIKE patterns a meaning', async () => {
    await at.stores.projects.create(asAda(), { ...project('percent'), name: '100% Ümlaut_' })
    const search = async (text: string) => {
      const found = await at.stores.projects.list(
        asAda('read'),
        ada.workspaceId,
        { limit: 50 },
        { search: text },
      )
      return found.map(({ slug }) => slug)
    }
    expect(await search('0% üML')).toEqual(['percent'])
    expect(await search('ut_')).toEqual(['percent'])
    expect(await search('1_0')).toEqual([])
    expect(await search('about cont')).toEqual(['contested'])
  })
})

test('remove() takes everything with it, and tells which objects to remove', async () => {
  const { id: projectId } = await at.stores.projects.create(asAda(), project('doomed'))
  const place = { workspaceId: ada.workspaceId, projectId }
  const fileId = newId('file')
  await at.stores.files.create(asAda(), {
    ...plainFile,
    ...place,
    id: fileId,
    purpose: 'import_profile',
    name: 'cpu.pb.gz',
    sizeBytes: 10,
    storageKey: `${ada.workspaceId}/${fileId}`,
  })
  const profileId = newId('profile')
  await at.stores.profiles.create(asAda(), {
    ...place,
    id: profileId,
    runId: null,
    benchmarkId: null,
    fileId,
    name: 'cpu',
    type: 'cpu',
    tags: [],
  })
  await expect(at.stores.projects.remove(asViewer(), projectId)).rejects.toThrow(NotPermitted)
  expect(await at.stores.projects.remove(asAda(), projectId)).toEqual({
    storageKeys: [`${ada.workspaceId}/${fileId}`],
  })
  expect(await at.stores.profiles.find(asAda('read'), profileId)).toBeUndefined()
  expect(await at.stores.projects.remove(asAda(), projectId)).toBeUndefined()
})
