import { gzipSync } from 'node:zlib'
import { readRequestLog } from '@flamegate/loadtest/request-log'
import type { ResultSample } from '@flamegate/loadtest/results'
import { expect, test } from 'vitest'
import { EngineRequests } from './engine-requests.ts'

const startAt = 1_764_000_000_000
const hourMs = 3_600_000

function sample(rest: Partial<ResultSample> = {}): ResultSample {
  return {
    type: 'http_request',
    path: [],
    name: 'Home',
    endMs: startAt + 500,
    elapsedMs: 20.5,
    dnsMs: 1,
    connectMs: 2,
    tlsMs: 3,
    waitMs: 10,
    downloadMs: 4,
    sentBytes: 100,
    receivedBytes: 500,
    status: 200,
    failure: null,
    ...rest,
  }
}

function kept() {
  const frames: Uint8Array[] = []
  let lost = 0
  const requests = new EngineRequests(startAt, 3, {
    add: (frame) => void frames.push(frame),
    lose: (rows) => (lost += rows),
  })
  return {
    requests,
    frames,
    lost: () => lost,
    rows: () => frames.flatMap((frame) => [...readRequestLog(gzipSync(frame))]),
  }
}

test('a request is a row, with the place of its action in the run, also hours after the beginning', () => {
  const { requests, rows } = kept()
  requests.add(1, sample({ endMs: startAt + 5 * hourMs, elapsedMs: hourMs }), 7)
  requests.tell((action) => 40 + action)
  expect(rows()).toEqual([
    {
      thread: 3,
      endUs: 18_000_000_000,
      responseUs: 3_600_000_000,
      serviceUs: 3_600_000_000,
      connectUs: 6000,
      downloadUs: 4000,
      sentBytes: 100,
      receivedBytes: 500,
      status: 200,
      action: 41,
      user: -1,
      iteration: -1,
      profileUsers: 7,
      allUsers: 7,
      errorClass: '',
      failure: '',
      url: '',
    },
  ])
})

test('what was not measured, and what was not answered, says so', () => {
  const { requests, rows } = kept()
  const failure = { class: 'connect', message: 'no way, password=hush', method: 'GET', url: '' } as const
  requests.add(0, sample({ waitMs: 0, downloadMs: 0 }), 1)
  requests.add(0, sample({ status: 0, failure }), 1)
  requests.add(0, sample({ type: 'container' }), 1)
  requests.tell(() => 0)
  expect(rows()).toMatchObject([
    { downloadUs: -1, serviceUs: 20_500, errorClass: '' },
    { serviceUs: -1, errorClass: 'connect', failure: 'no way, password=•••' },
  ])
})

test('many rows are told in several frames, and what there is no room for is lost and counted', () => {
  const { requests, frames, lost, rows } = kept()
  for (let count = 0; count < 200_003; count++) requests.add(0, sample({ user: `u${count % 50}` }), 1)
  requests.tell(() => 0)
  expect(lost()).toBe(3)
  expect(frames.length).toBeGreaterThan(5)
  expect(rows()).toHaveLength(200_000)
  expect(new Set(rows().map(({ user }) => user)).size).toBe(50)
  requests.add(0, sample(), 1)
  requests.tell(() => 0)
  expect(rows()).toHaveLength(200_001)
})
