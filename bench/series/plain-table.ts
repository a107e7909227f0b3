import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import {
  actionCounters,
  countOf,
  decodeTick,
  decodeTickBatch,
  highestOf,
  mergeHistograms,
  type Histogram,
} from '@flamegate/series'
import { Client } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'

/**
 * What would be there without series: a row for each second, action and agent, with the counters as integers, and the histograms
 * as bytes; a partition for ten minutes, and a btree over action, agent and second. Owned by whoever asks, without policies.
 */
export interface PlainTable {
  append(batches: readonly Uint8Array[]): Promise<void>
  /** Of one action: by buckets of as many seconds, how many requests and the highest value of the slot of the percentile. */
  chart(action: number, bucketSeconds: number, percent: number): Promise<PlainPoint[]>
  bytes(): Promise<number>
  close(): Promise<void>
}

export interface PlainPoint {
  second: number
  count: number
  value: number
}

const run = 1
/** Bytes and microseconds need more than 32 bits. */
const isLong = actionCounters.map((name) => name.endsWith('_bytes') || name.endsWith('_us'))

export async function createPlainTable(
  url: string,
  connections: number,
  minutes: number,
): Promise<PlainTable> {
  const clients = await Promise.all(
    Array.from({ length: connections }, async () => {
      const client = new Client(url)
      // When the server is stopped because something failed, that is what is told.
      client.on('error', () => undefined)
      await client.connect()
      return client
    }),
  )
  const [first] = clients
  if (first === undefined) throw new RangeError('No connection')
  const columns = actionCounters.map(
    (name, index) => `${name} ${isLong[index] ? 'bigint' : 'integer'} NOT NULL`,
  )
  await first.query(`CREATE TABLE plain_batches (run integer, agent integer, sequence integer,
      PRIMARY KEY (run, agent, sequence));
    CREATE TABLE plain_ticks (${columns.filter((_, index) => isLong[index]).join(', ')}, run integer NOT NULL,
      agent integer NOT NULL, profile integer NOT NULL, action integer NOT NULL, second integer NOT NULL,
      ${columns.filter((_, index) => !isLong[index]).join(', ')},
      service bytea STORAGE EXTERNAL NOT NULL, response bytea STORAGE EXTERNAL) PARTITION BY RANGE (second);
    CREATE INDEX ON plain_ticks (run, action, agent, second)`)
  for (let second = 0; second < 60 * minutes; second += 600)
    await first.query(`CREATE TABLE plain_ticks_${second} PARTITION OF plain_ticks
      FOR VALUES FROM (${second}) TO (${second + 600})`)

  return {
    async append(batches) {
      await Promise.all(
        batches.map((batch, index) => appendBatch(clients[index % connections] ?? first, batch)),
      )
    },
    async chart(action, bucketSeconds, percent) {
      const { rows } = await first.query<{ second: number; count: number; service: Buffer }>({
        name: 'chart',
        text: `SELECT second, count, service FROM plain_ticks WHERE run = $1 AND action = $2`,
        values: [run, action],
      })
      const buckets = new Map<number, { count: number; histograms: Histogram[] }>()
      for (const { second, count, service } of rows) {
        const start = Math.floor(second / bucketSeconds) * bucketSeconds
        const bucket = buckets.get(start) ?? { count: 0, histograms: [] }
        bucket.count += count
        bucket.histograms.push(decodeHistogram(service))
        buckets.set(start, bucket)
      }
      return [...buckets]
        .map(([second, { count, histograms }]) => ({ second, count, value: percentile(histograms, percent) }))
        .toSorted((a, b) => a.second - b.second)
    },
    async bytes() {
      const { rows } = await first.query<{ bytes: string }>(
        `SELECT sum(pg_total_relation_size(oid)) AS bytes FROM pg_class
          WHERE relkind = 'r' AND (relname LIKE 'plain_ticks_%' OR relname = 'plain_batches')`,
      )
      return Number(rows[0]?.bytes)
    },
    async close() {
      await Promise.all(clients.map((client) => client.end()))
    },
  }
}

/** Once, with all its rows, in one transaction. */
async function appendBatch(client: Client, bytes: Uint8Array): Promise<void> {
  const { agent, sequence, ticks } = decodeTickBatch(bytes)
  await client.query('BEGIN')
  const { rowCount } = await client.query({
    name: 'seen',
    text: 'INSERT INTO plain_batches VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
    values: [run, agent, sequence],
  })
  if (rowCount === 1)
    await pipeline(
      Readable.from([encodeRows(agent, ticks)]),
      client.query(copyFrom('COPY plain_ticks FROM STDIN (FORMAT binary)')),
    )
  await client.query('COMMIT')
}

// https://www.postgresql.org/docs/18/sql-copy.html, Binary Format
const header = Buffer.from('PGCOPY\n\xFF\r\n\0\0\0\0\0\0\0\0\0', 'latin1')

function encodeRows(agent: number, ticks: readonly { bytes: Uint8Array }[]): Buffer {
  let out = Buffer.allocUnsafe(1 << 17)
  let end = header.copy(out)
  const integer = (value: number) => {
    end = out.writeInt32BE(4, end)
    end = out.writeInt32BE(value, end)
  }
  const bytes = (value: Buffer | undefined) => {
    end = out.writeInt32BE(value?.length ?? -1, end)
    if (value) end += value.copy(out, end)
  }
  for (const { bytes: tick } of ticks) {
    const { second, actions } = decodeTick(tick)
    for (const { profile, action, counters, serviceTime, responseTime } of actions) {
      const service = encodeHistogram(serviceTime)
      const response = encodeHistogram(responseTime)
      if (end + 1_000 + service.length + response.length > out.length) {
        const grown = Buffer.allocUnsafe(2 * out.length + service.length + response.length)
        out.copy(grown, 0, 0, end)
        out = grown
      }
      end = out.writeInt16BE(7 + actionCounters.length, end)
      for (const [index, long] of isLong.entries()) {
        if (!long) continue
        end = out.writeInt32BE(8, end)
        const value = counters[index] ?? 0
        end = out.writeUInt32BE(Math.floor(value / 2 ** 32), end)
        end = out.writeUInt32BE(value % 2 ** 32, end)
      }
      for (const value of [run, agent, profile, action, second]) integer(value)
      for (const [index, long] of isLong.entries()) if (!long) integer(counters[index] ?? 0)
      bytes(service)
      // Null where it is the same, as a careful person would store it.
      bytes(service.equals(response) ? undefined : response)
    }
  }
  end = out.writeInt16BE(-1, end)
  return out.subarray(0, end)
}

/** Varints, as in a tick: twice the slots left out, and 1 more if more than one was counted. */
function encodeHistogram({ slots, counts }: Histogram): Buffer {
  const bytes: number[] = []
  const varint = (value: number) => {
    let rest = value
    for (; rest > 127; rest >>>= 7) bytes.push((rest & 127) | 128)
    bytes.push(rest)
  }
  let next = 0
  for (let index = 0; index < slots.length; index++) {
    const slot = slots[index] ?? 0
    const count = counts[index] ?? 0
    varint(2 * (slot - next) + (count > 1 ? 1 : 0))
    if (count > 1) varint(count - 2)
    next = slot + 1
  }
  return Buffer.from(bytes)
}

function decodeHistogram(bytes: Buffer): Histogram {
  const slots: number[] = []
  const counts: number[] = []
  let at = 0
  const varint = () => {
    let value = 0
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++] ?? 0
      value |= (byte & 127) << shift
      if (byte < 128) return value
    }
  }
  let next = 0
  while (at < bytes.length) {
    const gap = varint()
    const slot = next + (gap >> 1)
    slots.push(slot)
    counts.push((gap & 1) === 1 ? varint() + 2 : 1)
    next = slot + 1
  }
  return { slots: Uint16Array.from(slots), counts: Float64Array.from(counts) }
}

function percentile(histograms: readonly Histogram[], percent: number): number {
  const merged = mergeHistograms(histograms)
  const { slots, counts } = merged
  const wanted = Math.ceil((percent / 100) * countOf(merged))
  let seen = 0
  for (const [index, slot] of slots.entries()) {
    seen += counts[index] ?? 0
    if (seen >= wanted) return highestOf(slot)
  }
  return NaN
}
