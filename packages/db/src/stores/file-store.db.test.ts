import { newId } from '@flamegate/contract'
import { beforeAll, expect, test } from 'vitest'
import { inSequence, plainRun, prepareProject } from '../testing.ts'

const { at, ada, projectId, place, asAda, asBob } = prepareProject({ access: 'admin' })
let runId = ''

beforeAll(async () => {
  runId = newId('run')
  await at.stores.runs.create(asAda(), {
    ...plainRun,
    ...place,
    id: runId,
    commitHash: 'abcdef1',
  })
})

async function addFile(name: string, ofRun: string | null): Promise<string> {
  const id = newId('file')
  await at.stores.files.create(asAda(), {
    id,
    workspaceId: ada.workspaceId,
    projectId,
    runId: ofRun,
    purpose: 'import_results',
    name,
    contentType: 'application/octet-stream',
    sizeBytes: 5,
    storageKey: `${ada.workspaceId}/${id}`,
    expiresAt: null,
  })
  return id
}

test('list() gives the files of a project, a run or a profile, newest first, page by page', async () => {
  const [loose = '', ofRun = '', ofProfile = ''] = await inSequence([null, runId, null], (each) =>
    addFile('file', each),
  )
  const profileId = newId('profile')
  await at.stores.profiles.create(asAda(), {
    id: profileId,
    workspaceId: ada.workspaceId,
    projectId,
    runId: null,
    benchmarkId: null,
    fileId: ofProfile,
    name: 'cpu',
    type: 'cpu',
    tags: [],
  })
  const idsOf = async (owner: Parameters<typeof at.stores.files.list>[1]) =>
    (await at.stores.files.list(asAda(), owner, { limit: 10 })).map((file) => file.id)

  expect((await idsOf({ projectId })).toSorted()).toEqual([loose, ofRun, ofProfile].toSorted())
  expect(await idsOf({ runId })).toEqual([ofRun])
  expect(await idsOf({ profileId })).toEqual([ofProfile])

  const [first] = await at.stores.files.list(asAda(), { projectId }, { limit: 1 })
  if (first === undefined) throw new Error('there are files')
  const rest = await at.stores.files.list(asAda(), { projectId }, { limit: 10, after: first })
  expect(rest.map((file) => file.id)).toEqual((await idsOf({ projectId })).slice(1))
})

test('list() shows another workspace nothing', async () => {
  await addFile('mine', runId)
  expect(await at.stores.files.list(asBob(), { projectId }, { limit: 10 })).toEqual([])
  expect(await at.stores.files.list(asBob(), { runId }, { limit: 10 })).toEqual([])
})

test('prints are files of their report and of every run in it, and stay until their time is over', async () => {
  const benchResultId = newId('benchResult')
  const reportOf = async (runs: string[]) => {
    const id = newId('benchReport')
    const report = {
      id,
      kind: 'bench_report' as const,
      name: id,
      document: { bench_result_ids: runs },
      summary: {},
    }
    await at.stores.designs.create(asAda(), place, report, { words: 'Created' })
    return id
  }
  const printOf = async (benchReportId: string) => {
    const id = newId('file')
    const expiresAt = new Date('2027-01-01T00:00:00.000Z')
    await at.stores.files.create(asAda(), {
      ...place,
      id,
      runId: null,
      benchReportId,
      purpose: 'print_bench_report',
      name: 'Sale.pdf',
      contentType: 'application/pdf',
      sizeBytes: 5,
      storageKey: `${ada.workspaceId}/${id}`,
      expiresAt,
    })
    await at.stores.files.markReady(asAda(), id, { sizeBytes: 6, sha256: null, expiresAt })
    expect(await at.stores.files.find(asAda(), id)).toMatchObject({
      status: 'READY',
      benchReportId,
      expiresAt,
    })
    return id
  }
  const run = {
    ...place,
    id: benchResultId,
    scenarioId: null,
    scenarioVersion: null,
    name: 'Sale',
    durationMs: 1000,
    agentWaitMs: 1000,
    taskId: newId('task'),
    benchReportId: null,
    plan: { scenario: {}, virtual_users: [], servers: [], variables: [], actions: [] },
  }
  await at.stores.benchRuns.create(asAda(), run, [])
  const mine = await printOf(await reportOf([newId('benchResult'), benchResultId]))
  const other = await reportOf([newId('benchResult')])
  const others = await printOf(other)
  const listed = async (owner: { benchReportId: string } | { benchResultId: string }, as = asAda()) =>
    (await at.stores.files.list(as, owner, { limit: 10 })).map(({ id }) => id)
  expect(await listed({ benchResultId })).toEqual([mine])
  expect(await listed({ benchReportId: other })).toEqual([others])
  expect(await listed({ benchResultId }, asBob())).toEqual([])
})
