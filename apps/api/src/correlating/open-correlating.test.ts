import type { CorrelationQuestion } from '@flamegate/operations/ports'
import { expect, test } from 'vitest'
import { openCorrelating } from './open-correlating.ts'

type LazyQuestion = CorrelationQuestion<'suggestions', () => Promise<Uint8Array>>

/** Of a virtual user of which nothing was recorded. */
const question = (read: () => Promise<Uint8Array> = async () => new Uint8Array()): LazyQuestion => ({
  name: 'suggestions',
  params: { taken: [] },
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- all that is looked at
  document: { actions: [] } as unknown as LazyQuestion['document'],
  recording: { bytes: read, index: { schemaVersion: 1, exchanges: [] } },
  replays: [],
})

const threadThat = (code: string) =>
  new URL(
    `data:text/javascript,${encodeURIComponent(`import { parentPort } from 'node:worker_threads'\n${code}`)}`,
  )

test('a question is answered by the thread', async () => {
  expect(await openCorrelating().ask(question())).toEqual({ suggestions: [], cookies: [] })
})

test('a question that takes for ever is ended, and holds up nothing else meanwhile', async () => {
  let turns = 0
  const timer = setInterval(() => turns++, 5)
  const threadFile = threadThat(`parentPort.on('message', () => { for (;;); })`)
  const asked = openCorrelating({ threadFile, timeoutMs: 500 }).ask(question())
  await expect(asked).rejects.toMatchObject({ code: 'too_large' })
  clearInterval(timer)
  expect(turns).toBeGreaterThan(10)
})

test('files are read one question after the other, and with too many waiting the next is refused', async () => {
  const { promise: wait, resolve: go } = Promise.withResolvers<undefined>()
  let reads = 0
  const correlating = openCorrelating()
  const ask = () =>
    correlating.ask(
      question(async () => {
        reads++
        await wait
        return new Uint8Array()
      }),
    )
  const asked = Array.from({ length: 20 }, ask)
  await expect(ask()).rejects.toMatchObject({ code: 'unavailable' })
  expect(reads).toBe(1)
  go(undefined)
  await Promise.all(asked)
})
