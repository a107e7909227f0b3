import { newId } from '@flamegate/contract'
import { NotPermitted } from '@flamegate/operations/ports'
import { beforeAll, expect, test } from 'vitest'
import { prepareProject } from '../testing.ts'

const { at, ada, projectId, asAda, asBob, asViewer } = prepareProject()
let place: { workspaceId: string; projectId: string; profileId: string; benchReportId: null }

beforeAll(async () => {
  const { workspaceId } = ada
  const file = await at.stores.files.create(asAda(), {
    id: newId('file'),
    workspaceId,
    projectId,
    runId: null,
    purpose: 'import_profile',
    name: 'cpu.pb.gz',
    contentType: 'application/octet-stream',
    sizeBytes: 100,
    storageKey: `${workspaceId}/shared`,
    expiresAt: new Date('2027-01-01T00:00:00.000Z'),
  })
  const profile = await at.stores.profiles.create(asAda(), {
    id: newId('profile'),
    workspaceId,
    projectId,
    runId: null,
    benchmarkId: null,
    fileId: file.id,
    name: 'Checkout',
    type: 'cpu',
    tags: [],
  })
  place = { workspaceId, projectId, profileId: profile.id, benchReportId: null }
})

const view = { root_function_name: 'parse', labels: ['thread=main'] }
const ofProfile = () => ({ profileId: place.profileId })
const inAnHour = () => new Date(Date.now() + 3_600_000)
const link = (changes: { expiresAt?: Date; secretHash?: string | null } = {}) => ({
  ...place,
  id: newId('shareLink'),
  view,
  expiresAt: inAnHour(),
  secretHash: null,
  ...changes,
})

test('a link is there for the members of its workspace, and is taken back by those who may write', async () => {
  const { shareLinks } = at.stores
  const made = await shareLinks.create(asAda(), link())
  expect(made).toMatchObject({ ...place, view, isPublic: false, createdBy: ada.userId })
  expect(await shareLinks.find(asViewer(), made.id)).toEqual(made)
  expect(await shareLinks.list(asViewer(), ofProfile())).toEqual([made])
  expect(await shareLinks.find(asBob(), made.id)).toBeUndefined()
  expect(await shareLinks.list(asBob(), ofProfile())).toEqual([])
  await expect(shareLinks.create(asViewer(), link())).rejects.toThrow(NotPermitted)
  await expect(shareLinks.remove(asViewer(), ada.workspaceId, made.id)).rejects.toThrow(NotPermitted)
  expect(await shareLinks.remove(asAda(), ada.workspaceId, made.id)).toBe(true)
  expect(await shareLinks.remove(asAda(), ada.workspaceId, made.id)).toBe(false)
  expect(await shareLinks.find(asAda(), made.id)).toBeUndefined()
})

test('a public link is found by its id and secret together, and not by anything else', async () => {
  const { shareLinks } = at.stores
  const made = await shareLinks.create(asAda(), link({ secretHash: 'a'.repeat(64) }))
  const ofMembers = await shareLinks.create(asAda(), link())
  expect(made.isPublic).toBe(true)
  expect(await shareLinks.findPublic(made.id, 'a'.repeat(64))).toEqual(made)
  expect(await shareLinks.findPublic(made.id, 'b'.repeat(64))).toBeUndefined()
  expect(await shareLinks.findPublic(ofMembers.id, 'a'.repeat(64))).toBeUndefined()
  await shareLinks.remove(asAda(), ada.workspaceId, made.id)
  expect(await shareLinks.findPublic(made.id, 'a'.repeat(64))).toBeUndefined()
  await shareLinks.remove(asAda(), ada.workspaceId, ofMembers.id)
})

test('a link that has expired is not there for anybody', async () => {
  const { shareLinks } = at.stores
  const secretHash = 'c'.repeat(64)
  const { id } = await shareLinks.create(asAda(), link({ expiresAt: new Date(Date.now() - 1), secretHash }))
  expect(await shareLinks.find(asAda(), id)).toBeUndefined()
  expect(await shareLinks.list(asAda(), ofProfile())).toEqual([])
  expect(await shareLinks.findPublic(id, secretHash)).toBeUndefined()
})

test('a link is of a profile or of a bench report, never of both or neither', async () => {
  const { shareLinks, designs } = at.stores
  const { workspaceId, profileId } = place
  const report = {
    id: newId('benchReport'),
    kind: 'bench_report' as const,
    name: 'Sale',
    document: {},
    summary: {},
  }
  await designs.create(asAda(), { workspaceId, projectId }, report, { words: 'Created' })
  const made = await shareLinks.create(asAda(), {
    ...link(),
    profileId: null,
    benchReportId: report.id,
    view: {},
  })
  expect(made).toMatchObject({ profileId: null, benchReportId: report.id })
  expect(await shareLinks.list(asViewer(), { benchReportId: report.id })).toEqual([made])
  expect(await shareLinks.list(asBob(), { benchReportId: report.id })).toEqual([])
  expect(await shareLinks.list(asAda(), ofProfile())).toEqual([])
  await expect(shareLinks.create(asAda(), { ...link(), profileId: null })).rejects.toThrow('of_one_check')
  const ofBoth = shareLinks.create(asAda(), { ...link(), profileId, benchReportId: report.id })
  await expect(ofBoth).rejects.toThrow('of_one_check')
})
