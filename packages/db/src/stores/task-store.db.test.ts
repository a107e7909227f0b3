import { newId } from '@flamegate/contract'
import { NotPermitted } from '@flamegate/operations/ports'
import { beforeEach, describe, expect, test } from 'vitest'
import { preparePeople, testCaller } from '../testing.ts'

const { at, ada, asAda, asBob, asViewer } = preparePeople({ roleOfAda: 'member' })
let taskId: string

beforeEach(async () => {
  taskId = newId('task')
  const task = { id: taskId, workspaceId: ada.workspaceId, projectId: null, kind: 'import_profile' }
  await tasks().create(asAda(), { ...task, message: 'Waiting', result: {} })
})

const tasks = () => at.stores.tasks
const goOn = (percent: number) => tasks().progress(asAda(), taskId, { percent, message: 'At work' })
const statusNow = async () => (await tasks().find(asAda(), taskId))?.status

test('how old a task is, the database says; of none it says nothing', async () => {
  const before = await tasks().ageMs(asAda(), taskId)
  expect(before).toBeGreaterThanOrEqual(0)
  await expect.poll(() => tasks().ageMs(asAda(), taskId)).toBeGreaterThan(before ?? Infinity)
  expect(await tasks().ageMs(asAda(), 'tsk_none')).toBeUndefined()
})

describe('a task that is cancelled', () => {
  test('while it waits has ended, and does not begin any more', async () => {
    const cancelled = await tasks().requestCancel(asAda(), taskId)
    expect(cancelled).toMatchObject({ status: 'CANCELLED', finishedAt: expect.any(Date) })
    expect(await goOn(10)).toBe(false)
    await tasks().finish(asAda(), taskId, { result: {} })
    expect(await statusNow()).toBe('CANCELLED')
  })

  test('while it runs is told so at its next step, and ends when it says so', async () => {
    expect(await goOn(10)).toBe(true)
    expect(await tasks().requestCancel(asAda(), taskId)).toMatchObject({
      status: 'RUNNING',
      finishedAt: null,
    })
    expect(await goOn(80)).toBe(false)
    await tasks().finish(asAda(), taskId, { isCancelled: true })
    expect(await tasks().find(asAda(), taskId)).toMatchObject({
      status: 'CANCELLED',
      message: 'Cancelled',
      finishedAt: expect.any(Date),
    })
  })

  test('after it ended stays as it is', async () => {
    await tasks().finish(asAda(), taskId, { result: { n: 1 } })
    expect(await tasks().requestCancel(asAda(), taskId)).toMatchObject({ status: 'SUCCESS' })
  })

  test('at the very moment when it begins either begins or is cancelled', async () => {
    const [, begins] = await Promise.all([tasks().requestCancel(asAda(), taskId), goOn(10)])
    const status = await statusNow()
    expect(['RUNNING', 'CANCELLED']).toContain(status)
    expect(begins && status === 'CANCELLED').toBe(false)
    expect(await goOn(80)).toBe(false)
  })

  test('is not one of another workspace, nor by somebody who only reads', async () => {
    expect(await tasks().requestCancel(asBob(), taskId)).toBeUndefined()
    await expect(tasks().requestCancel(asViewer(), taskId)).rejects.toBeInstanceOf(NotPermitted)
    expect(await statusNow()).toBe('PENDING')
  })
})

const giveUp = (code: string) =>
  tasks().finish(asAda(), taskId, { problem: { code, detail: 'It could not be done.' } })

describe('a task that is opened again', () => {
  test('was given up because of a defect, and begins as if nothing had been', async () => {
    await goOn(70)
    await giveUp('internal')
    await tasks().reopen(asAda(), taskId)
    expect(await tasks().find(asAda(), taskId)).toMatchObject({
      status: 'PENDING',
      progressPercent: 0,
      problem: null,
      finishedAt: null,
    })
    expect(await goOn(10)).toBe(true)
    await tasks().reopen(asAda(), taskId)
    expect(await statusNow()).toBe('RUNNING')
  })

  test('is none that ended by what a person can mend, or well', async () => {
    await giveUp('unreadable_profile')
    await tasks().reopen(asAda(), taskId)
    expect(await statusNow()).toBe('FAILED')
  })

  test('is in a workspace where one may write', async () => {
    await giveUp('internal')
    const viewer = testCaller(ada.userId, { [ada.workspaceId]: 'viewer' }, 'write')
    await expect(tasks().reopen(viewer, taskId)).rejects.toThrow(NotPermitted)
    expect(await statusNow()).toBe('FAILED')
  })
})
