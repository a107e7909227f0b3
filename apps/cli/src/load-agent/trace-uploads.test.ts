import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import { ApiUnreachable, type Client } from '@flamegate/client'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { TraceUploads } from './trace-uploads.ts'

/** Answers each request as the next of the list says, else by taking it. */
const statuses: number[] = []
const received: string[] = []
const storage = createServer((request, response) => void take(request, response))
async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const bytes = await buffer(request)
  const status = statuses.shift() ?? 200
  if (status === 200) received.push(bytes.toString())
  response.writeHead(status).end()
}
let url = ''
beforeAll(async () => {
  storage.listen(0, '127.0.0.1')
  await once(storage, 'listening')
  const address = storage.address()
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`
})
afterAll(() => storage.close().closeAllConnections())
beforeEach(() => {
  statuses.length = 0
  received.length = 0
})

/** A platform that answers each call as the next of the list says, and then as long as nothing new came `wanted`. */
function platform(...answers: ('full' | 'gone' | 'away')[]) {
  const asked: { sequence: number; has_failed: boolean }[] = []
  let stored = 0
  const call = async (_operation: unknown, input: { sequence: number; has_failed: boolean }) => {
    asked.push(input)
    const answer = answers.shift()
    if (answer === 'away') throw new ApiUnreachable('No answer', { cause: undefined })
    if (answer !== undefined) return { outcome: answer, upload: null }
    if (received.length > stored) {
      stored++
      return { outcome: 'stored', upload: null }
    }
    return { outcome: 'wanted', upload: { method: 'PUT', url, headers: {} } }
  }
  const said: string[] = []
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- of which one call is made
  const uploads = new TraceUploads({ call } as unknown as Client, 'shd_1', (words) => said.push(words))
  return { asked, said, uploads }
}

const trace = (text: string, hasFailed = false) => ({
  profile: 0,
  action: 2,
  hasFailed,
  bytes: Buffer.from(text),
})

test('traces are sent one after the other, again until they are there, and said to be', async () => {
  statuses.push(503)
  const { asked, said, uploads } = platform('away')
  uploads.add(trace('one'))
  uploads.add(trace('two', true))
  await uploads.end()
  expect(received).toEqual(['one', 'two'])
  expect(asked.map(({ sequence, has_failed }) => [sequence, has_failed])).toEqual([
    [0, false],
    [0, false],
    [0, false],
    [0, false],
    [1, true],
    [1, true],
  ])
  expect(said).toEqual([])
})

test.each([
  ['full', 'there is no more room for files'],
  ['gone', 'the run has ended'],
] as const)('when it is %s no more are sent, and the log says so', async (outcome, why) => {
  const { asked, said, uploads } = platform(outcome)
  uploads.add(trace('one'))
  uploads.add(trace('two'))
  await uploads.end()
  expect([asked.length, received.length]).toEqual([1, 0])
  expect(said).toEqual([`no more traces of pages are sent: ${why}`])
})

test('what is too large is left out, in words', async () => {
  const { said, uploads } = platform()
  uploads.add({ ...trace(''), bytes: new Uint8Array(25_000_001) })
  uploads.add(trace('small'))
  await uploads.end()
  expect(received).toEqual(['small'])
  expect(said).toEqual(['a trace of a page was left out: it has 25 MB'])
})
