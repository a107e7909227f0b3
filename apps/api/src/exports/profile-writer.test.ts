import type { DifferenceRequest, ExportRequest } from '@flamegate/operations/ports'
import { expect, test } from 'vitest'
import { openProfileWriter } from './profile-writer.ts'

const request = (name: string): ExportRequest => ({
  parts: { tree: new TextEncoder().encode('no profile') },
  format: 'svg',
  name,
  sampleTypeIndex: 0,
})

/** A thread that does, for every request, what the code says with it. */
const threadThat = (code: string) =>
  new URL(
    `data:text/javascript,${encodeURIComponent(
      `import { parentPort } from 'node:worker_threads'
       let count = 0
       parentPort.on('message', ({ name }) => { count++; ${code} })`,
    )}`,
  )
const answersName = 'parentPort.postMessage({ refused: name, reason: String(count) })'

test('profiles are written in a thread: what it cannot read ends it, and another one is started', async () => {
  const writer = openProfileWriter()
  await expect(writer.write(request('one'))).rejects.toThrow('the stored profile is damaged')
  await expect(writer.write(request('two'))).rejects.toThrow('the stored profile is damaged')
})

test('one after the other, by the same thread, each gets its own answer', async () => {
  const writer = openProfileWriter({ threadFile: threadThat(`setTimeout(() => ${answersName}, 10)`) })
  expect(await Promise.all(['a', 'b', 'c'].map((name) => writer.write(request(name))))).toEqual([
    { refused: 'a', reason: '1' },
    { refused: 'b', reason: '2' },
    { refused: 'c', reason: '3' },
  ])
})

test('what takes too long is refused, and holds up nothing that comes after it', async () => {
  const writer = openProfileWriter({
    threadFile: threadThat(`if (name === 'slow') for (;;); ${answersName}`),
    timeoutMs: 1000,
  })
  const slow = writer.write(request('slow'))
  const next = writer.write(request('next'))
  await expect(slow).rejects.toMatchObject({ code: 'too_large' })
  expect(await next).toEqual({ refused: 'next', reason: '1' })
})

test('what to do about what takes too long is what can be done: profiles have samples, comparisons have profiles', async () => {
  const writer = openProfileWriter({ threadFile: threadThat('for (;;);'), timeoutMs: 200 })
  await expect(writer.write(request('slow'))).rejects.toThrow(
    'This profile cannot be exported as a whole. It takes too long. Ask for a part of its samples, or for another format.',
  )
  const comparison: DifferenceRequest = {
    graph: {
      functions: [],
      nodes: { parent: [], function: [], baseSelf: [], baseTotal: [], headSelf: [], headTotal: [] },
      omittedNodes: 0,
    },
    format: 'svg',
    title: 'slow',
    facts: [],
    unit: 'count',
    widthPx: 400,
  }
  await expect(writer.write(comparison)).rejects.toThrow(
    'This comparison cannot be exported. It takes too long. Compare fewer profiles, or ask for another format.',
  )
})

test('of too many at once, the last ones are told to come again', async () => {
  const writer = openProfileWriter({ threadFile: threadThat(answersName) })
  const answers = await Promise.allSettled(
    Array.from({ length: 22 }, (_, index) => writer.write(request(String(index)))),
  )
  const refused = answers.flatMap((answer) =>
    answer.status === 'rejected' ? [answer.reason as unknown] : [],
  )
  expect(refused).toEqual(
    Array(2).fill(expect.objectContaining({ code: 'unavailable', retryAfterSeconds: 10 })),
  )
  expect(await writer.write(request('later'))).toMatchObject({ refused: 'later' })
})
