import { newId } from '@flamegate/contract'
import { NotPermitted } from '@flamegate/operations/ports'
import { describe, expect, test } from 'vitest'
import { prepareProject } from '../testing.ts'

const { at, ada, projectId, place, asAda, asBob, asViewer } = prepareProject({ roleOfAda: 'member' })

const collectors = () => at.stores.collectors

const connect = (name: string, version = '1', caller = asAda()) =>
  collectors().connect(caller, {
    id: newId('collector'),
    workspaceId: ada.workspaceId,
    projectId,
    name,
    version,
    captures: [{ name: 'shop', kind: 'pprof', types: ['cpu'], secondsMax: 60 }],
    mcpServers: [],
  })

async function order(collectorId: string): Promise<string> {
  const taskId = newId('task')
  await at.stores.tasks.create(asAda(), {
    ...place,
    id: taskId,
    kind: 'capture_profile',
    message: '',
    result: {},
  })
  await collectors().order(asAda(), {
    ...place,
    taskId,
    collectorId,
    name: 'shop',
    type: 'cpu',
    seconds: null,
  })
  return taskId
}

describe('a collector', () => {
  test('is the same when it comes again under its name, with what it says now', async () => {
    const first = await connect('staging')
    const second = await connect('staging', '2')
    expect(second?.id).toBe(first?.id)
    expect(await collectors().list(asAda(), projectId)).toMatchObject([
      { name: 'staging', version: '2', captures: [{ name: 'shop', secondsMax: 60 }] },
    ])
  })

  test('is unknown in other workspaces, and comes from nobody who may not write', async () => {
    const known = await connect('staging')
    expect(await collectors().list(asBob(), projectId)).toEqual([])
    expect(await collectors().find(asBob(), known?.id ?? '')).toBeUndefined()
    await expect(connect('other', '1', asViewer())).rejects.toThrow(NotPermitted)
  })

  test('finds no place where there are fifty', async () => {
    const before = await collectors().list(asAda(), projectId)
    for (let number = before.length; number < 50; number++) await connect(`number-${number}`)
    expect(await connect('one-too-many')).toBeUndefined()
    expect(await connect('staging')).toMatchObject({ name: 'staging' })
  })
})

describe('what is asked of a collector', () => {
  test('comes oldest first, until it is started, by one of those who may', async () => {
    const staging = await connect('staging')
    const collectorId = staging?.id ?? ''
    const first = await order(collectorId)
    const second = await order(collectorId)
    expect(await collectors().nextOrder(asAda(), collectorId)).toMatchObject({ taskId: first, seconds: null })
    expect(await collectors().nextOrder(asBob(), collectorId)).toBeUndefined()
    expect(await collectors().start(asBob(), first)).toBe(false)
    await expect(collectors().start(asViewer(), first)).rejects.toThrow(NotPermitted)
    const starts = await Promise.all([1, 2, 3].map(() => collectors().start(asAda(), first)))
    expect(starts.filter((isFirst) => isFirst)).toEqual([true])
    expect(await collectors().nextOrder(asAda(), collectorId)).toMatchObject({ taskId: second })
  })

  test('is not asked any more when it was called off', async () => {
    const known = await connect('staging', '1')
    const collectorId = known?.id ?? ''
    for (;;) {
      const waiting = await collectors().nextOrder(asAda(), collectorId)
      if (waiting === undefined) break
      await at.stores.tasks.requestCancel(asAda(), waiting.taskId)
    }
    const taskId = await order(collectorId)
    await at.stores.tasks.requestCancel(asAda(), taskId)
    expect(await collectors().nextOrder(asAda(), collectorId)).toBeUndefined()
    expect(await collectors().findOrder(asAda(), taskId)).toMatchObject({ taskId })
  })
})
