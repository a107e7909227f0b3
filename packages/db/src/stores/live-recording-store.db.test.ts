import { newId } from '@flamegate/contract'
import { livePush, type LivePush } from '@flamegate/live'
import { NotPermitted, type LiveApp, type LiveRecording } from '@flamegate/operations/ports'
import { describe, expect, test } from 'vitest'
import { inSequence, prepareProject } from '../testing.ts'

const { at, ada, bob, projectId, asAda, asBob, asViewer, createProject } = prepareProject({
  roleOfAda: 'member',
})

const recordings = () => at.stores.liveRecordings
const unbounded = { recordingsOfProjectMax: Infinity, bytesOfWorkspaceMax: Infinity }
const start = Date.UTC(2026, 10, 22, 10)
const second = (count: number) => new Date(start + count * 1000)
const section = 'functions_timing'

let names = 0
async function app(ofProject = projectId): Promise<LiveApp> {
  const made = await at.stores.live.register(
    asAda(),
    { id: newId('liveApp'), workspaceId: ada.workspaceId, projectId: ofProject, name: `app ${++names}` },
    100,
  )
  if (made === undefined) throw new Error('There are too many')
  return made
}

/** A push of a session each second, in which a function was called once more. */
async function pushSeconds(
  to: LiveApp,
  session: string,
  from: number,
  until: number,
  firstSequence = 0,
): Promise<void> {
  const pushes = Array.from({ length: until - from + 1 }, (_, index): LivePush => {
    const sequence = firstSequence + index
    const calls = sequence + 1
    return {
      session,
      sequence,
      at: start + (from + index) * 1000,
      program: { name: 'shop', source: 'profiler' },
      sections: {
        functions_timing: { status: 'on', items: [{ id: '1', name: 'f', counters: { calls } }] },
        functions_alloc: { status: 'off' },
      },
    }
  })
  await inSequence(pushes, (push) => at.stores.live.push(asAda(), to, livePush.parse(push)))
}

const pinnedOf = (
  { id, projectId: ofProject, name }: LiveApp,
  from: number,
  to: number,
): Parameters<ReturnType<typeof recordings>['pin']>[1] => ({
  id: newId('liveRecording'),
  workspaceId: ada.workspaceId,
  projectId: ofProject,
  liveAppId: id,
  app: name,
  name: 'Before the fix',
  note: null,
  from: second(from),
  to: second(to),
})

async function pin(of: LiveApp, from: number, to: number): Promise<LiveRecording> {
  const pinned = await recordings().pin(asAda(), pinnedOf(of, from, to), unbounded)
  if ('refused' in pinned) throw new Error(pinned.refused)
  return pinned
}

/** When its snapshots were taken, in seconds. */
async function secondsOf({ id }: LiveRecording): Promise<number[]> {
  const kept = await recordings().history(asAda(), id, section, {}, 1000)
  return kept.map(({ at: time }) => (time.getTime() - start) / 1000)
}

describe('what is kept', () => {
  test('questions about its time are answered of it as of the app', async () => {
    const mine = await app()
    await pushSeconds(mine, 'session-1', 0, 30)
    await pushSeconds(mine, 'session-2', 15, 25)
    await pushSeconds(mine, 'too-early', -20, -10)
    await pushSeconds(mine, 'too-late', 28, 30)
    const { id, ...pinned } = await pin(mine, 10, 20)
    expect(pinned).toMatchObject({
      from: second(10),
      to: second(20),
      processes: 2,
      sections: [section],
      createdBy: ada.userId,
    })
    const span = { from: second(10), to: second(20) }
    const moments = await at.stores.live.moments(asAda(), mine.id, section, span)
    expect(moments.map(({ before, last }) => [before?.at, last.at])).toEqual([
      [second(10), second(20)],
      [undefined, second(20)],
    ])
    const byName = (all: typeof moments) =>
      all.toSorted((a, b) => a.last.session.localeCompare(b.last.session))
    expect(byName(await recordings().moments(asAda(), id, section, span))).toEqual(byName(moments))
    expect(await recordings().history(asAda(), id, section, span, 100)).toEqual(
      await at.stores.live.history(asAda(), mine.id, section, span, 100),
    )
    const sessions = await recordings().sessions(asAda(), id, span)
    expect(sessions.map(({ session, firstAt, lastAt }) => [session, firstAt, lastAt])).toEqual([
      ['session-2', second(15), second(20)],
      ['session-1', second(0), second(20)],
    ])
    expect(sessions[0]).toMatchObject({
      program: { name: 'shop', source: 'profiler' },
      sections: { functions_timing: { status: 'on' }, functions_alloc: { status: 'off' } },
    })
  })

  test('of a long time the last snapshot of each of 60 parts, and the last one before them', async () => {
    const mine = await app()
    await pushSeconds(mine, 'session-1', -5, 180)
    expect(await secondsOf(await pin(mine, 0, 180))).toEqual(
      Array.from({ length: 61 }, (_, part) => part * 3),
    )
    // So are as many of a time that is mostly from before the app.
    const all = await secondsOf(await pin(mine, -86_400, 180))
    expect([all.length, all.at(0), all.at(-1)]).toEqual([61, -5, 180])
    expect(await secondsOf(await pin(mine, -10, -5))).toEqual([-5])
  })

  test('it stays when the app has forgotten that time, and when the app is deleted; its size is that of its content', async () => {
    const mine = await app()
    await pushSeconds(mine, 'session-1', 0, 10)
    const { id, sizeBytes } = await pin(mine, 0, 10)
    // The program goes on until nothing is left of that time.
    await pushSeconds(mine, 'session-1', 11, 40, 11)
    const { sizeBytes: allBytes } = (await at.stores.live.find(asAda(), mine.id)) ?? mine
    await at.stores.live.trim(asAda(), mine, allBytes / 2)
    const span = { from: second(0), to: second(10) }
    expect(await at.stores.live.moments(asAda(), mine.id, section, span)).toEqual([])
    expect(await at.stores.live.history(asAda(), mine.id, section, {}, 100)).not.toEqual([])
    await at.stores.live.remove(asAda(), mine.id)
    const [told] = await recordings().moments(asAda(), id, section, span)
    expect([told?.before?.items, told?.last.items]).toMatchObject([
      [{ counters: { calls: 1 } }],
      [{ counters: { calls: 11 } }],
    ])
    expect(await recordings().find(asAda(), id)).toMatchObject({ liveAppId: mine.id, app: mine.name })
    const { rows } = await at.admin.query<{ bytes: string }>(
      'SELECT sum(octet_length(content)) AS bytes FROM live_recorded_snapshots WHERE live_recording_id = $1',
      [id],
    )
    expect(rows).toEqual([{ bytes: String(sizeBytes) }])
  })

  test('what is deleted is gone with all that it told', async () => {
    const mine = await app()
    await pushSeconds(mine, 'session-1', 0, 3)
    const { id } = await pin(mine, 0, 3)
    expect(await recordings().remove(asAda(), id)).toBe(true)
    expect(await recordings().remove(asAda(), id)).toBe(false)
    expect(await recordings().find(asAda(), id)).toBeUndefined()
    const { rows } = await at.admin.query(
      `SELECT FROM live_recorded_sessions WHERE live_recording_id = $1
        UNION ALL SELECT FROM live_recorded_snapshots WHERE live_recording_id = $1`,
      [id],
    )
    expect(rows).toEqual([])
  })
})

describe('what is refused', () => {
  test('a time of which nothing is there', async () => {
    const mine = await app()
    const ask = (from: number, to: number) => recordings().pin(asAda(), pinnedOf(mine, from, to), unbounded)
    expect(await ask(0, 10)).toEqual({ refused: 'nothing_told' })
    await pushSeconds(mine, 'session-1', 0, 3)
    expect(await ask(10, 20)).toEqual({ refused: 'nothing_told' })
    expect(await ask(-20, -10)).toEqual({ refused: 'nothing_told' })
    await at.stores.live.trim(asAda(), mine, 0)
    expect(await ask(0, 3)).toEqual({ refused: 'nothing_told' })
  })

  test('more recordings of a project than there may be, and more bytes of a workspace', async () => {
    const mine = await app(await createProject())
    await pushSeconds(mine, 'session-1', 0, 3)
    const { sizeBytes } = await pin(mine, 0, 3)
    // Held to its project, which does not spare it what the others keep.
    const usual = asAda()
    const inProject = { ...usual, principal: { ...usual.principal, projectId: mine.projectId } }
    const ask = (bounds: Partial<typeof unbounded>) =>
      recordings().pin(inProject, pinnedOf(mine, 0, 3), { ...unbounded, ...bounds })
    expect(await ask({ recordingsOfProjectMax: 1 })).toEqual({ refused: 'too_many' })
    const { rows } = await at.admin.query<{ bytes: string }>(
      'SELECT sum(size_bytes) AS bytes FROM live_recordings WHERE workspace_id = $1',
      [ada.workspaceId],
    )
    const keptBytes = Number(rows[0]?.bytes)
    expect(await ask({ bytesOfWorkspaceMax: keptBytes + sizeBytes - 1 })).toEqual({
      refused: 'too_large',
      neededBytes: sizeBytes,
      keptBytes,
    })
    // Where there is room for one more, one of several at once is kept.
    const together = await Promise.all(
      [1, 2, 3].map(() => ask({ bytesOfWorkspaceMax: keptBytes + sizeBytes })),
    )
    expect(together.filter((outcome) => !('refused' in outcome))).toMatchObject([{ sizeBytes }])
  })

  test('another workspace sees and pins nothing, a viewer changes nothing, and a token of the app sees none', async () => {
    const mine = await app()
    await pushSeconds(mine, 'session-1', 0, 3)
    const { id } = await pin(mine, 0, 3)
    const asToken = asAda()
    asToken.principal = { ...asToken.principal, projectId, liveAppId: mine.id }
    await inSequence([asBob(), asToken], async (as) => {
      expect(await recordings().find(as, id)).toBeUndefined()
      expect(await recordings().list(as, projectId, { limit: 10 }, { liveAppId: undefined })).toEqual([])
      expect(await recordings().sessions(as, id, {})).toEqual([])
      expect(await recordings().moments(as, id, section, {})).toEqual([])
      expect(await recordings().history(as, id, section, {}, 10)).toEqual([])
      expect(await recordings().remove(as, id)).toBe(false)
    })
    const intoOwn = { ...pinnedOf(mine, 0, 3), workspaceId: bob.workspaceId }
    expect(await recordings().pin(asBob(), intoOwn, unbounded)).toEqual({ refused: 'nothing_told' })
    const refused = [
      () => recordings().pin(asBob(), pinnedOf(mine, 0, 3), unbounded),
      () => recordings().pin(asViewer(), pinnedOf(mine, 0, 3), unbounded),
      () => recordings().remove(asViewer(), id),
    ]
    await inSequence(refused, (attempt) => expect(attempt()).rejects.toThrow(NotPermitted))
    expect(await recordings().find(asViewer(), id)).toMatchObject({ id })
  })
})

test('they are listed newest first, in pages, of a project or of an app', async () => {
  const own = await createProject()
  const [mine, other] = [await app(own), await app(own)]
  const ids = await inSequence([mine, other, mine], async (each) => {
    await pushSeconds(each, `session-${names++}`, 0, 1)
    return (await pin(each, 0, 1)).id
  })
  const list = async (limit: number, liveAppId?: string, after?: LiveRecording) =>
    recordings().list(asAda(), own, after === undefined ? { limit } : { limit, after }, { liveAppId })
  const newestFirst = ids.toReversed()
  expect((await list(10)).map(({ id }) => id)).toEqual(newestFirst)
  // One more than asked for tells that there are more.
  const page = await list(1)
  expect(page.map(({ id }) => id)).toEqual(newestFirst.slice(0, 2))
  expect((await list(10, undefined, page[0])).map(({ id }) => id)).toEqual(newestFirst.slice(1))
  expect((await list(10, mine.id)).map(({ id }) => id)).toEqual([ids[2], ids[0]])
})
