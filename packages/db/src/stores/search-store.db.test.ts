import { newId } from '@flamegate/contract'
import type { SearchHit } from '@flamegate/operations/ports'
import { beforeAll, describe, expect, test } from 'vitest'
import { inSequence, plainFile, plainResult, plainRun, preparePeople } from '../testing.ts'

const { at, ada, asAda, asBob, createProject } = preparePeople({ access: 'admin' })
let projectId = ''

beforeAll(async () => {
  projectId = await addProject('checkout-service', 'acme/checkout-service', 'Cart pricing and discounts')
})

const addProject = (name: string, repository: string | null = null, description = '') =>
  createProject({ slug: name, name, description, repository })

async function addRun(branch: string, commitHash: string, commitMessage: string, inProject = projectId) {
  const run = await at.stores.runs.create(asAda(), {
    ...plainRun,
    id: newId('run'),
    workspaceId: ada.workspaceId,
    projectId: inProject,
    branch,
    commitHash,
    commitMessage,
  })
  return run.id
}

async function addBenchmark(uri: string, name: string): Promise<void> {
  const runId = await addRun('bench', 'ffffffff', `Measure ${name.slice(0, 1)}`)
  await at.stores.runs.complete(asAda(), runId, {
    adapter: 'vitest_bench',
    warnings: [],
    environment: {},
    results: [{ ...plainResult, uri, name }],
  })
}

async function addProfile(name: string): Promise<string> {
  const fileId = newId('file')
  await at.stores.files.create(asAda(), {
    ...plainFile,
    id: fileId,
    workspaceId: ada.workspaceId,
    projectId,
    purpose: 'import_profile',
    name,
    sizeBytes: 1,
    storageKey: `${ada.workspaceId}/${fileId}`,
  })
  const profile = await at.stores.profiles.create(asAda(), {
    id: newId('profile'),
    workspaceId: ada.workspaceId,
    projectId,
    runId: null,
    benchmarkId: null,
    fileId,
    name,
    type: 'heap',
    tags: ['nightly'],
  })
  return profile.id
}

async function addVirtualUser(
  name: string,
  summary: { description: string; tags: string[]; request_count: number },
  kind: 'virtual_user' | 'http_server' = 'virtual_user',
) {
  const { id } = await at.stores.designs.create(
    asAda(),
    { workspaceId: ada.workspaceId, projectId },
    { id: newId('virtualUser'), kind, name, document: { name }, summary },
    { words: 'Created' },
  )
  return id
}

const search = (query: string, more: { limit?: number; after?: SearchHit } = {}, filter = {}) =>
  at.stores.search.search(asAda(), query, { limit: 20, ...more }, filter)
const titles = async (query: string) => (await search(query)).map((hit) => hit.title)

describe('search() finds', () => {
  beforeAll(async () => {
    await addRun('feat/loyalty-points', 'abcdef1234567890', 'Count points of HTTPServer twice')
    await addBenchmark('bench/pricing.bench.js::pricing::price cart', 'price cart')
    await addBenchmark('BenchmarkRouteParse', 'BenchmarkRouteParse')
    await addProfile('größe-dump.heapprofile')
    await addVirtualUser('Quick buyer', {
      description: 'Buys the first article',
      tags: ['smoke-test', 'shop'],
      request_count: 7,
    })
  })

  test.each([
    ['a project by its name', 'checkout', 'checkout-service'],
    ['a project by a word of its description', 'discounts', 'checkout-service'],
    ['a project by its repository', 'acme/checkout-service', 'checkout-service'],
    ['a run by its branch', 'feat/loyalty-points', 'feat/loyalty-points abcdef123'],
    ['a run by the beginning of its commit hash', 'ABCDEF12', 'feat/loyalty-points abcdef123'],
    ['a run by words of its commit message, in any order', 'twice points', 'feat/loyalty-points abcdef123'],
    ['a benchmark by a part of its uri', 'pricing::price', 'price cart'],
    ['a benchmark by a file in its uri', 'bench/pricing.bench.js', 'price cart'],
    ['camelCase by a hump', 'parse', 'BenchmarkRouteParse'],
    ['camelCase by several humps', 'RouteParse', 'BenchmarkRouteParse'],
    ['camelCase in lower case', 'benchmarkroute', 'BenchmarkRouteParse'],
    ['a capital abbreviation', 'httpserver', 'feat/loyalty-points abcdef123'],
    ['letters beyond ASCII, in any case', 'Größe', 'größe-dump.heapprofile'],
    ['a profile by its type and tag', 'heap nightly', 'größe-dump.heapprofile'],
    ['a virtual user by its name', 'quick buyer', 'Quick buyer'],
    ['a virtual user by a tag', 'smoke-test', 'Quick buyer'],
    ['a virtual user by words of its description', 'article first', 'Quick buyer'],
  ])('%s', async (_what, query, title) => {
    expect((await titles(query))[0]).toBe(title)
  })

  test.each(['loyalty nonsense', 'oyalty', '::', '', '%', "'; DROP TABLE runs; --", '\\'])(
    'nothing for %j',
    async (query) => {
      expect(await search(query)).toEqual([])
    },
  )

  test('what a sentence is about by two of its words, when nothing has all of them', async () => {
    const asked = 'Which benchmarks of the checkout service are slower?'
    expect((await titles(asked))[0]).toBe('checkout-service')
    expect(await titles('Which zyzzyvas of the checkout are there?')).toEqual([])
    // One that has all comes alone.
    expect(await titles('count points twice')).toEqual(['feat/loyalty-points abcdef123'])
  })

  test('where it is, and what it is about', async () => {
    expect(await search('pricing::price')).toEqual([
      {
        id: expect.stringMatching(/^ben_/),
        kind: 'benchmark',
        projectId,
        projectName: 'checkout-service',
        title: 'price cart',
        snippet: 'bench/pricing.bench.js::pricing::price cart · walltime',
        score: expect.any(Number),
      },
    ])
  })
})

test('what has the word whole comes before what only begins with it, and names before what is said of things', async () => {
  await addRun('other', '11111111', 'Make zebra faster')
  await addRun('zebras', '22222222', 'Nothing')
  await addRun('zebra', '33333333', 'Nothing')
  expect(await titles('zebra')).toEqual(['zebra 33333333', 'zebras 22222222', 'other 11111111'])
})

test('of equals the newest comes first, and pages go on where the one before ended', async () => {
  const ids = await inSequence([1, 2, 3, 4, 5], (number) => addRun('quagga', `4444444${number}`, ''))
  const expected = ids.toSorted().toReversed()
  const first = await search('quagga', { limit: 2 })
  expect(first.map((hit) => hit.id)).toEqual(expected.slice(0, 3))
  const second = await search('quagga', { limit: 3, after: first[1] })
  expect(second.map((hit) => hit.id)).toEqual(expected.slice(2))
})

test('another workspace finds nothing', async () => {
  expect(await at.stores.search.search(asBob(), 'checkout', { limit: 20 })).toEqual([])
})

test('a project can be searched alone', async () => {
  const elsewhere = await addProject('okapi-elsewhere')
  await addRun('okapi', '55555555', '')
  const runId = await addRun('okapi', '66666666', '', elsewhere)
  const found = await search('okapi', {}, { projectId: elsewhere })
  expect(found.map((hit) => hit.id).toSorted()).toEqual([elsewhere, runId].toSorted())
})

test('a changed name is found by its new words, and not by its old ones', async () => {
  const id = await addProject('gnu-before')
  await at.stores.projects.update(asAda(), id, { name: 'After', description: 'about wildebeest' })
  expect(await titles('wildebeest after')).toEqual(['After'])
  expect(await titles('before gnu')).toEqual(['After'])
  await at.stores.projects.update(asAda(), id, { description: '' })
  expect(await titles('wildebeest')).toEqual([])
})

describe('a virtual user', () => {
  const plain = { description: '', tags: [], request_count: 1 }
  const words = { words: 'Changed' }

  test('is found by what it is called now, until it is deleted, and again when it is back', async () => {
    const id = await addVirtualUser('Dodo', { ...plain, tags: ['flightless'] })
    expect(await search('dodo')).toMatchObject([
      { id, kind: 'virtual_user', projectId, title: 'Dodo', snippet: '1 request · flightless' },
    ])
    await at.stores.designs.change(
      asAda(),
      id,
      { name: 'Moa', document: {}, summary: { ...plain, tags: ['tall'] } },
      1,
      words,
    )
    expect(await titles('moa tall')).toEqual(['Moa'])
    expect(await titles('dodo')).toEqual([])
    expect(await titles('flightless')).toEqual([])
    await at.stores.designs.remove(asAda(), id)
    expect(await titles('moa')).toEqual([])
    await at.stores.designs.restore(asAda(), id)
    expect(await titles('moa')).toEqual(['Moa'])
  })

  test('is not there for another workspace, nor for who sees another project only', async () => {
    await addVirtualUser('Kakapo', plain)
    expect(await at.stores.search.search(asBob(), 'kakapo', { limit: 20 })).toEqual([])
    const caller = asAda()
    const elsewhere = await addProject('kiwi')
    const narrowed = { ...caller, principal: { ...caller.principal, projectId: elsewhere } }
    expect(await at.stores.search.search(narrowed, 'kakapo', { limit: 20 })).toEqual([])
  })

  test('comes among equals by its age, though its id is shorter at the front', async () => {
    const before = await addRun('weka', '88888888', '')
    const id = await addVirtualUser('weka', plain)
    const after = await addRun('weka', '99999999', '')
    const found = await search('weka', { limit: 1 })
    const rest = await search('weka', { limit: 5, after: found[0] })
    expect([found[0], ...rest].map((hit) => hit?.id)).toEqual([after, id, before])
  })

  test('is one of the documents of its kind: servers are not found', async () => {
    await addVirtualUser('Huia', plain, 'http_server')
    expect(await titles('huia')).toEqual([])
  })
})

test('what is removed is not found, nor anything in it', async () => {
  const profileId = await addProfile('tapir.heapprofile')
  await at.stores.profiles.remove(asAda(), profileId)
  expect(await titles('tapir')).toEqual([])

  const id = await addProject('ibex')
  await addRun('ibex-run', '77777777', '', id)
  await at.stores.projects.remove(asAda(), id)
  expect(await titles('ibex')).toEqual([])
  const words = await at.database.inScope(
    {
      userId: ada.userId,
      readWorkspaceIds: [ada.workspaceId],
      writeWorkspaceIds: [],
      adminWorkspaceIds: [],
      isReadOnly: true,
    },
    (client) => client.query(`SELECT FROM search_words WHERE word = 'ibex' OR word = 'tapir'`),
  )
  expect(words.rowCount).toBe(0)
})

test('a search is a walk through the index, under row-level security too', async () => {
  const plan = await at.database.inScope(
    {
      userId: ada.userId,
      readWorkspaceIds: [ada.workspaceId],
      writeWorkspaceIds: [],
      adminWorkspaceIds: [],
      isReadOnly: true,
    },
    async (client) => {
      // The tables here are too small for any index to be worth it.
      await client.query('SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off')
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(
        `EXPLAIN SELECT FROM search_words WHERE word >= 'a' AND word < 'b'`,
      )
      return rows.map((row) => row['QUERY PLAN']).join('\n')
    },
  )
  expect(plan).toMatch(/Index Cond: .*word >= 'a'.* AND .*word < 'b'/)
})
