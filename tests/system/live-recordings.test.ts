import { createClient, type Client } from '@flamegate/client'
import { operations, type Operation, type OutputOf } from '@flamegate/contract'
import { beforeAll, describe, expect, test } from 'vitest'
import { madeProgram } from '../../packages/live/src/testing/made-program.ts'
import { callAndConfirm, callRest, callTool } from './calls.ts'
import { apiToken, platform, signUp } from './person.ts'

/** Times of a live app that are pinned, asked and compared over MCP when the app is long gone. */

const pushedEvery = 5
const startedAt = Date.now() - 125_000
/** From then on `pay` is slow. */
const slowAt = startedAt + 60_000
let projectId: string
let client: Client
let appId: string
let agent: string
let stranger: string
let fast: string
let slow: string

const pushes = madeProgram({ startedAt, slowFrom: 60 }).filter(({ sequence }) => sequence % pushedEvery === 0)

beforeAll(async () => {
  const [owner, other] = [await signUp('Pinning'), await signUp('Stranger')]
  agent = await apiToken(owner, ['read', 'write'])
  stranger = await apiToken(other, ['read', 'write'])
  client = owner.client
  const { project } = await client.call(operations.createProject, {
    workspace_id: owner.workspaceId,
    name: 'Pinning',
  })
  projectId = project.id
  const { live_app: app, token } = await client.call(operations.registerLiveApp, {
    project_id: projectId,
    name: 'shop',
  })
  appId = app.id
  const program = createClient({
    baseUrl: platform().url,
    headers: { authorization: `Bearer ${token}` },
  })
  const push = async (some: typeof pushes) => {
    // oxlint-disable-next-line no-await-in-loop -- as a program does
    for (const each of some) await program.call(operations.pushLive, { live_app_id: appId, ...each })
  }
  await push(pushes.filter(({ at }) => at <= slowAt))
  fast = await pin({ name: 'Before', last_seconds: 50, note: 'As it should be' })
  await push(pushes.filter(({ at }) => at > slowAt))
  slow = await pin({ name: 'After', from: new Date(slowAt + 10_000).toISOString() })
})

async function pin(input: Record<string, unknown>): Promise<string> {
  const { answer } = await ask(operations.pinLiveRecording, { live_app_id: appId, ...input })
  return answer.live_recording.id
}

async function ask<O extends Operation>(
  operation: O,
  input: Record<string, unknown>,
): Promise<{ answer: OutputOf<O>; text: string }> {
  const { answer, text, code } = await callTool(operation, input, { token: agent })
  if (answer === undefined) throw new Error(`${code ?? 'no code'}: ${text}`)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its schema reads it, beside its url
  return { answer: operation.output.parse(answer) as OutputOf<O>, text }
}

describe('what was pinned', () => {
  test('is listed, newest first, in pages', async () => {
    const { answer, text } = await ask(operations.listLiveRecordings, { project_id: projectId })
    expect(answer.live_recordings).toMatchObject([
      { id: slow, name: 'After', to: new Date(startedAt + 120_000).toISOString() },
      {
        id: fast,
        name: 'Before',
        note: 'As it should be',
        app: 'shop',
        live_app_id: appId,
        from: new Date(startedAt + 10_000).toISOString(),
        to: new Date(slowAt).toISOString(),
        processes: 1,
        sections: expect.arrayContaining(['channels', 'functions_timing', 'threads']),
      },
    ])
    expect(text).toContain(`| Before | ${fast} | shop (${appId}) |`)
    const { answer: first } = await ask(operations.listLiveRecordings, {
      project_id: projectId,
      live_app_id: appId,
      limit: 1,
    })
    const { answer: second } = await ask(operations.listLiveRecordings, {
      project_id: projectId,
      live_app_id: appId,
      limit: 1,
      cursor: first.next_cursor,
    })
    expect([first, second].map((page) => page.live_recordings.map(({ id }) => id))).toEqual([[slow], [fast]])
    expect(second.next_cursor).toBeNull()
  })

  test('answers as the app does of the same time', async () => {
    const time = { last_seconds: 50, until: new Date(slowAt).toISOString() }
    const summaries = [
      operations.functionsTiming,
      operations.functionsAlloc,
      operations.channels,
      operations.threads,
    ]
    await Promise.all(
      summaries.map(async (operation) => {
        const { answer: ofApp } = await ask(operation, { live_app_id: appId, ...time })
        const { answer, text } = await ask(operation, { live_app_id: fast })
        expect(answer).toMatchObject({ recording: 'Before', rows: ofApp.rows, window: ofApp.window })
        expect(answer.rows.length).toBeGreaterThan(0)
        expect(text).toContain(`/live-recordings/${fast}`)
      }),
    )
  })

  test('is compared when the app is deleted, and until it is deleted itself', async () => {
    expect(
      (await callAndConfirm(operations.deleteLiveApp, { live_app_id: appId }, { token: agent })).code,
    ).toBeUndefined()
    expect((await callTool(operations.channels, { live_app_id: appId }, { token: agent })).code).toBe(
      'live_app_not_found',
    )
    const { answer, text } = await ask(operations.compareLiveMoments, {
      live_app_id: slow,
      base_live_app_id: fast,
    })
    expect(answer).toMatchObject({ recording: 'After', base_recording: 'Before', notes: [] })
    expect(answer.times).toMatchObject([{ name: 'shop::pay', mean_ns: { base: 3e6, head: 9e6 } }])
    expect(answer.growing.map(({ name, measure }) => `${name} ${measure}`)).toEqual(
      expect.arrayContaining(['worker kept_bytes', 'orders queued']),
    )
    expect(text).toContain('| functions_timing | shop::pay | 3 ms | 9 ms | +200.0 % |')
    const gone = { live_recording_id: slow }
    expect(
      (await callAndConfirm(operations.deleteLiveRecording, gone, { token: agent })).code,
    ).toBeUndefined()
    expect((await callTool(operations.channels, { live_app_id: slow }, { token: agent })).code).toBe(
      'live_recording_not_found',
    )
    const { live_recordings: left } = await client.call(operations.listLiveRecordings, {
      project_id: projectId,
    })
    expect(left.map(({ id }) => id)).toEqual([fast])
  })
})

test('for another workspace there is none', async () => {
  const calls: [Operation, Record<string, unknown>, string][] = [
    [operations.getLiveRecording, { live_recording_id: fast }, 'live_recording_not_found'],
    [operations.deleteLiveRecording, { live_recording_id: fast }, 'live_recording_not_found'],
    [operations.functionsTiming, { live_app_id: fast }, 'live_recording_not_found'],
    [operations.profilerStatus, { live_app_id: fast }, 'live_recording_not_found'],
    [operations.listLiveRecordings, { project_id: projectId }, 'project_not_found'],
    [operations.pinLiveRecording, { live_app_id: appId, name: 'Mine' }, 'live_app_not_found'],
  ]
  const outcomes = await Promise.all(
    calls.map(([operation, input]) => callRest(operation, input, { token: stranger })),
  )
  expect(outcomes.map(({ code }) => code)).toEqual(calls.map(([, , code]) => code))
})
