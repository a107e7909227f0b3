import { gunzipSync } from 'node:zlib'
import { ApiUnreachable, type Client } from '@flamegate/client'
import { expect, test } from 'vitest'
import { RequestUploads } from './request-uploads.ts'

interface Sent {
  sequence: number
  content: string
  rows_lost: number
}

/** A platform that answers each call as the next of the list says, and then stores. */
function platform(...answers: ('stored' | 'full' | 'gone' | 'away')[]): { client: Client; sent: Sent[] } {
  const sent: Sent[] = []
  const call = async (_operation: unknown, input: Sent) => {
    sent.push(input)
    const outcome = answers.shift() ?? 'stored'
    if (outcome === 'away') throw new ApiUnreachable('No answer', { cause: undefined })
    return { outcome }
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- of which one call is made
  return { client: { call } as unknown as Client, sent }
}

const frame = (byte: number, length = 10) => new Uint8Array(length).fill(byte)
const unpacked = ({ content }: Sent) => [...gunzipSync(Buffer.from(content, 'base64'))]

test('what came is sent at the end, in order and in one piece, again until somebody has it', async () => {
  const { client, sent } = platform('away')
  const said: string[] = []
  const uploads = new RequestUploads(client, 'shd_1', (words) => said.push(words))
  uploads.add(frame(1, 2), 1)
  uploads.add(frame(2, 1), 1)
  await uploads.end()
  expect(sent.map(({ sequence }) => sequence)).toEqual([0, 0])
  expect(sent.map(unpacked)).toEqual([
    [1, 1, 2],
    [1, 1, 2],
  ])
  expect(said).toEqual([])
})

test('pieces are numbered, and begin when there is enough', async () => {
  const { client, sent } = platform()
  const uploads = new RequestUploads(client, 'shd_1', () => {})
  for (let count = 0; count < 5; count++) uploads.add(frame(count, 200_000), 100)
  await uploads.end()
  expect(sent.map(({ sequence, rows_lost }) => [sequence, rows_lost])).toEqual([
    [0, 0],
    [1, 0],
    [2, 0],
  ])
  expect(sent.flatMap(unpacked)).toHaveLength(1_000_000)
})

test('rows for which there was no room are told, also when nothing comes after them', async () => {
  const { client, sent } = platform()
  const uploads = new RequestUploads(client, 'shd_1', () => {}, { waitingBytesMax: 1 })
  uploads.add(frame(1), 3)
  await uploads.end()
  expect(sent.map(({ sequence, rows_lost }) => [sequence, rows_lost])).toEqual([[0, 3]])
  expect(sent.map(unpacked)).toEqual([[]])
})

test.each([
  ['full', 'there is no more room'],
  ['gone', 'the run has ended'],
] as const)('nothing more is sent when the answer is %s', async (outcome, words) => {
  const { client, sent } = platform(outcome)
  const said: string[] = []
  const uploads = new RequestUploads(client, 'shd_1', (why) => said.push(why))
  uploads.add(frame(1, 400_000), 1)
  uploads.add(frame(2, 400_000), 1)
  await uploads.end()
  uploads.add(frame(3, 400_000), 1)
  await uploads.end()
  expect(sent).toHaveLength(1)
  expect(said).toEqual([expect.stringContaining(words)])
})
