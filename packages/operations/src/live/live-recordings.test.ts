import { operations, type Operation } from '@flamegate/contract'
import { madeProgram, madeStart } from '@flamegate/live/testing'
import { describe, expect, test } from 'vitest'
import type { Implementation } from '../implement.ts'
import type { LiveRecordingRefusal } from '../ports/index.ts'
import { compareLiveMoments } from './compare-live-moments.ts'
import { liveResources } from './live-resources.ts'
import { functionTimingLogs } from './logs.ts'
import { pinLiveRecording } from './pin-live-recording.ts'
import { profilerStatus } from './profiler-status.ts'
import { channels, functionsAlloc, functionsTiming, threads } from './summaries.ts'
import { askLive } from './testing/ask-live.ts'

const second = (count: number) => new Date(madeStart + count * 1000)
/** `pay` is slow from second 60 on. */
const pushes = madeProgram({ slowFrom: 60 })
const ask = askLive(
  { app_1: pushes },
  {
    lrc_fast: { pushes, from: second(20), to: second(50) },
    lrc_slow: { pushes, from: second(70), to: second(120) },
  },
)

describe('a recording', () => {
  test.each<[string, Operation, Implementation, object]>([
    ['functions', operations.functionsTiming, functionsTiming, {}],
    ['allocations', operations.functionsAlloc, functionsAlloc, {}],
    ['channels', operations.channels, channels, {}],
    ['threads', operations.threads, threads, {}],
    ['queries', operations.liveResources, liveResources, { section: 'sql' }],
  ])('tells of %s what the app tells of its time', async (_what, operation, implementation, input) => {
    const ofApp = await ask(operation, implementation, {
      ...input,
      last_seconds: 30,
      until: second(50).toISOString(),
    })
    const { answer } = await ask(operation, implementation, { ...input, live_app_id: 'lrc_fast' })
    expect(answer).toEqual({
      ...ofApp.answer,
      live_app_id: 'lrc_fast',
      recording: 'Recording lrc_fast',
      last_push_at: second(50).toISOString(),
      age_seconds: expect.any(Number),
    })
  })

  test('says what it is, and where its page is', async () => {
    const { answer, markdown } = await ask(operations.functionsTiming, functionsTiming, {
      live_app_id: 'lrc_fast',
    })
    expect(markdown).toMatch(/^Recording \*\*Recording lrc_fast\*\* \(lrc_fast\) of shop, which ended /)
    expect(
      operations.functionsTiming.link(
        answer,
        operations.functionsTiming.input.parse({ live_app_id: 'lrc_fast' }),
      ),
    ).toBe('/live-recordings/lrc_fast')
    const status = await ask(operations.profilerStatus, profilerStatus, { live_app_id: 'lrc_fast' })
    expect(status.answer.processes).toMatchObject([{ is_pushing: false, uptime_seconds: 50 }])
  })

  test.each([
    ['its end', { last_seconds: 10 }, 40, 50],
    ['a part of it', { last_seconds: 10, until: second(45).toISOString() }, 35, 45],
    ['more than it has', { last_seconds: 3600, until: second(3600).toISOString() }, 20, 50],
  ])('is asked for %s', async (_what, input, from, to) => {
    const { answer } = await ask(operations.functionsTiming, functionsTiming, {
      live_app_id: 'lrc_fast',
      ...input,
    })
    expect(answer.window).toEqual({
      is_since_start: false,
      from: second(from).toISOString(),
      to: second(to).toISOString(),
      seconds: to - from,
      processes: 1,
    })
    expect(answer.rows[0]?.measures['calls']).toBe(20 * (to - from))
  })

  test('tells nothing of a time before it', async () => {
    const { answer } = await ask(operations.functionsTiming, functionsTiming, {
      live_app_id: 'lrc_fast',
      last_seconds: 5,
      until: second(10).toISOString(),
    })
    expect(answer).toMatchObject({ rows: [], window: { processes: 0 } })
  })

  test('has no logs', async () => {
    await expect(
      ask(operations.functionTimingLogs, functionTimingLogs, { live_app_id: 'lrc_fast' }),
    ).rejects.toMatchObject({
      code: 'live_app_not_found',
      message: expect.stringContaining('no log entries'),
    })
  })

  test('that is not there is missing', async () => {
    await expect(
      ask(operations.functionsTiming, functionsTiming, { live_app_id: 'lrc_9' }),
    ).rejects.toMatchObject({ code: 'live_recording_not_found' })
  })
})

describe('compared', () => {
  test('are two recordings as wholes, of whatever length each is', async () => {
    const { answer, markdown } = await ask(operations.compareLiveMoments, compareLiveMoments, {
      live_app_id: 'lrc_slow',
      base_live_app_id: 'lrc_fast',
    })
    expect(answer).toMatchObject({
      recording: 'Recording lrc_slow',
      base_recording: 'Recording lrc_fast',
      base: { seconds: 30 },
      head: { seconds: 50 },
      times: [{ name: 'shop::pay', calls: { base: 600, head: 1000 }, mean_ns: { base: 3e6, head: 9e6 } }],
    })
    expect(answer.growing.map(({ name, measure }) => `${name} ${measure}`)).toContain('orders queued')
    expect(markdown).toContain('Base (Recording lrc_fast, lrc_fast): Of 1 process, 30 s from')
    // Amounts are rates and levels: that one is longer is no change.
    expect(answer.amounts.map(({ measure }) => measure)).not.toContain('sent')
  })

  test('is an app, as it is now, with a recording', async () => {
    const { answer } = await ask(operations.compareLiveMoments, compareLiveMoments, {
      base_live_app_id: 'lrc_fast',
      last_seconds: 20,
      until: second(110).toISOString(),
    })
    expect(answer).toMatchObject({
      recording: null,
      base: { from: second(30).toISOString(), to: second(50).toISOString() },
      head: { from: second(90).toISOString(), to: second(110).toISOString() },
      times: [{ name: 'shop::pay', mean_ns: { base: 3e6, head: 9e6 } }],
    })
  })

  test('are two parts of one recording; of all of it there is nothing before', async () => {
    const halves = await ask(operations.compareLiveMoments, compareLiveMoments, {
      live_app_id: 'lrc_slow',
      last_seconds: 25,
    })
    expect(halves.answer).toMatchObject({
      base: { from: second(70).toISOString(), seconds: 25 },
      head: { to: second(120).toISOString(), seconds: 25 },
      times: [],
    })
    const whole = await ask(operations.compareLiveMoments, compareLiveMoments, { live_app_id: 'lrc_slow' })
    expect(whole.answer.notes).toEqual(['Nothing was told in the base: there is nothing to compare with.'])
    expect(whole.answer.growing.map(({ name }) => name)).toContain('orders')
  })
})

function pinning(
  input: Record<string, unknown>,
  refused: LiveRecordingRefusal = { refused: 'nothing_told' },
) {
  return askLive({ app_1: pushes }, {}, { pin: () => Promise.resolve(refused) })(
    operations.pinLiveRecording,
    pinLiveRecording,
    { name: 'Before', ...input },
  )
}

describe('to pin is refused', () => {
  test.each([
    ['a beginning and a length', { from: second(0).toISOString(), last_seconds: 5 }, 'from', 'not both'],
    ['a beginning at the end', { from: second(120).toISOString() }, 'from', second(120).toISOString()],
    ['what is still to come', { until: '2999-01-01T00:00:00Z' }, 'until', 'still to come'],
    [
      'a time of which nothing is there',
      { until: '2020-01-01T00:00:00Z' },
      'until',
      `Its last push was at ${second(120).toISOString()}`,
    ],
  ])('%s', async (_what, input, field, message) => {
    await expect(pinning(input)).rejects.toMatchObject({
      code: 'invalid_input',
      errors: [{ field, message: expect.stringContaining(message) }],
    })
  })

  test('what there is no room for', async () => {
    await expect(pinning({}, { refused: 'too_many' })).rejects.toMatchObject({
      code: 'in_use',
      hint: { operation: 'delete_live_recording' },
    })
    const tooLarge = { refused: 'too_large', neededBytes: 2 ** 20, keptBytes: 511.5 * 2 ** 20 } as const
    await expect(pinning({}, tooLarge)).rejects.toMatchObject({
      code: 'too_large',
      message: 'This would be 1.0 MiB. Live recordings of the workspace have 511.5 MiB of 512.0 MiB.',
    })
  })
})
