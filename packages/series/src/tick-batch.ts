import { ByteReader, ByteWriter, SeriesFormatError } from './bytes.ts'
import { encodeTick, readActionInto, readTickLayout } from './tick-bytes.ts'
import { SeriesTable } from './table.ts'
import { checkedNumber } from './tick-limits.ts'
import type { Tick } from './tick.ts'

/**
 * What agents send: some seconds of a run, with the number that says whether it has come before. A byte for the version, a byte
 * for the length of the run's id, the id as ASCII; then as varints (`ByteWriter`) the agent, the sequence and the number of
 * ticks, each of which (`tick-bytes.ts`) comes after its length in bytes.
 */
const version = 1

/** What one batch may hold besides `tickLimits`. A generator that sends each second is far below all of them. */
export const tickBatchLimits = {
  bytes: 16 * 1024 * 1024,
  ticks: 600,
  agent: 9_999,
  sequence: 2 ** 31 - 1,
} as const

export interface TickBatch {
  benchResultId: string
  /** Number of the agent in the run. */
  agent: number
  /** Number of the batch among those of the agent: whoever sends it again sends the same one. */
  sequence: number
  /** Each second once, rising. */
  ticks: readonly Tick[]
}

/** A batch as it is stored: looked through to the last byte, and still bytes. */
export interface ReceivedTickBatch {
  benchResultId: string
  agent: number
  sequence: number
  ticks: readonly { second: number; bytes: Uint8Array }[]
  /** The highest numbers that occur, or -1; to be held against what the run has. */
  actionMax: number
  profileMax: number
}

const idPattern = /^[A-Za-z0-9_-]{1,64}$/
const looked = new SeriesTable('requests')

/** @throws RangeError when the batch holds what the format or its limits do not: a mistake of the generator */
export function encodeTickBatch({ benchResultId, agent, sequence, ticks }: TickBatch): Uint8Array {
  if (!idPattern.test(benchResultId)) throw new RangeError(`No id of a run: ${benchResultId}`)
  const batch = new ByteWriter()
  batch.byte(version)
  batch.byte(benchResultId.length)
  batch.bytes(Buffer.from(benchResultId, 'latin1'))
  batch.varint(checkedNumber(agent, tickBatchLimits.agent, 'agent'))
  batch.varint(checkedNumber(sequence, tickBatchLimits.sequence, 'sequence'))
  batch.varint(checkedNumber(ticks.length, tickBatchLimits.ticks, 'number of ticks'))
  let before = -1
  for (const tick of ticks) {
    if (tick.second <= before) throw new RangeError('The ticks of a batch are not in order')
    before = tick.second
    const bytes = encodeTick(tick)
    batch.varint(bytes.length)
    batch.bytes(bytes)
  }
  if (batch.length > tickBatchLimits.bytes) throw new RangeError(`A batch of ${batch.length} bytes`)
  return batch.view()
}

/** @throws SeriesFormatError for any bytes that `encodeTickBatch` does not write */
export function decodeTickBatch(bytes: Uint8Array): ReceivedTickBatch {
  if (bytes.length > tickBatchLimits.bytes)
    throw new SeriesFormatError(
      `The batch has ${bytes.length} bytes, and at most ${tickBatchLimits.bytes}: send fewer seconds at a time.`,
    )
  const reader = new ByteReader(bytes)
  const readVersion = reader.byte()
  if (readVersion !== version)
    throw new SeriesFormatError(`The batch has version ${readVersion}, and this server reads ${version}.`)
  const benchResultId = Buffer.from(reader.bytes(reader.byte())).toString('latin1')
  if (!idPattern.test(benchResultId)) throw reader.error('the id of the run is none')
  const agent = reader.varintUpTo(tickBatchLimits.agent, 'agent')
  const sequence = reader.varintUpTo(tickBatchLimits.sequence, 'sequence')
  const count = reader.varintUpTo(tickBatchLimits.ticks, 'number of ticks')
  const ticks: { second: number; bytes: Uint8Array }[] = []
  let before = -1
  let actionMax = -1
  let profileMax = -1
  for (let index = 0; index < count; index++) {
    const tick = reader.bytes(reader.varint())
    const { second, actions, profiles } = readTickLayout(tick)
    if (second <= before) throw reader.error('the seconds of a batch do not rise')
    before = second
    profileMax = Math.max(profileMax, profiles.length - 1)
    const actionReader = new ByteReader(tick)
    const place = { agent, second }
    for (let at = 0; at < actions.length; at++) {
      actionMax = Math.max(actionMax, actions.actions[at] ?? 0)
      profileMax = Math.max(profileMax, actions.profiles[at] ?? 0)
      // To be sure of it: once it is stored, there is nobody who could be told.
      looked.clear()
      readActionInto(looked, actionReader, actions, at, place)
    }
    ticks.push({ second, bytes: tick })
  }
  if (!reader.isAtEnd) throw reader.error('there is more after the last tick')
  return { benchResultId, agent, sequence, ticks, actionMax, profileMax }
}
