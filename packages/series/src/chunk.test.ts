import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { SeriesFormatError } from './bytes.ts'
import { decodeChunk, encodeChunk } from './chunk.ts'
import { sealWindow, tablesOf } from './seal.ts'
import { slotCount } from './slots.ts'
import { SeriesTable, type SeriesKind } from './table.ts'
import { ticksArbitrary } from './testing/make-ticks.ts'
import { encodeTick } from './tick-bytes.ts'

/** What a table holds, without the room that it has left. */
function contents(table: SeriesTable) {
  return Array.from({ length: table.length }, (_, row) => ({
    agent: table.agents[row],
    second: table.seconds[row],
    columns: table.columns.slice(row * table.width, (row + 1) * table.width),
    service: table.service.at(row),
    late: table.late.at(row),
  }))
}

const liveTicks = ticksArbitrary.map((ticks) =>
  ticks.map(({ agent, tick }) => ({ agent, second: tick.second, bytes: encodeTick(tick) })),
)

describe('a chunk', () => {
  test('is read as it was written', () => {
    fc.assert(
      fc.property(liveTicks, (ticks) => {
        const { requests, gauges } = tablesOf(ticks)
        const tables = [...requests].map(({ table }) => table)
        for (const table of tables)
          expect(contents(decodeChunk('requests', encodeChunk(table)))).toEqual(contents(table))
        for (const { key, table } of gauges) {
          const read = decodeChunk(key.kind, encodeChunk(table))
          expect(contents(read).map(({ columns }) => columns)).toEqual(
            Array.from({ length: table.length }, (_, row) =>
              table.columns.slice(row * table.width, (row + 1) * table.width),
            ),
          )
        }
      }),
    )
  })

  test('is read without the histograms that nobody asks for', () => {
    fc.assert(
      fc.property(liveTicks, (ticks) => {
        for (const { table } of tablesOf(ticks).requests) {
          const bytes = encodeChunk(table)
          const service = decodeChunk('requests', bytes, { service: true, late: false })
          expect(service.late.slotLength).toBe(0)
          expect(contents(service).map((row) => row.service)).toEqual(
            contents(table).map((row) => row.service),
          )
          expect(decodeChunk('requests', bytes, { service: false, late: false }).service.slotLength).toBe(0)
        }
      }),
    )
  })

  test('is read with numbers of any size', () => {
    const number = fc.oneof(fc.nat(3), fc.nat(100_000), fc.maxSafeNat())
    const row = fc.record({
      agent: fc.integer({ min: -1, max: 70_000 }),
      second: fc.nat(700_000),
      columns: fc.array(number, { minLength: 26, maxLength: 26 }),
      service: fc.dictionary(
        fc.nat(slotCount - 1).map(String),
        number.map((count) => Math.max(1, count)),
      ),
      late: fc.dictionary(
        fc.nat(slotCount - 1).map(String),
        fc
          .tuple(number, fc.boolean())
          .map(([count, isLess]) => (isLess ? -1 : 1) * (1 + Math.floor(count / 4))),
      ),
    })
    fc.assert(
      fc.property(fc.array(row, { maxLength: 6 }), (rows) => {
        const table = new SeriesTable('requests')
        for (const { agent, second, columns, service, late } of rows) {
          table.columns.set(columns.slice(0, table.width), table.add(agent, second))
          // Names that are whole numbers rise.
          for (const [slot, count] of Object.entries(service)) table.service.push(Number(slot), count)
          table.service.endOne()
          for (const [slot, count] of Object.entries(late)) table.late.push(Number(slot), count)
          table.late.endOne()
        }
        expect(contents(decodeChunk('requests', encodeChunk(table)))).toEqual(contents(table))
      }),
    )
  })

  test('stores what cannot be as the most that can', () => {
    const table = new SeriesTable('requests')
    table.columns[table.add(0, 0)] = 2 ** 60
    table.service.push(1, 2 ** 60)
    table.service.endOne()
    table.late.endOne()
    const read = decodeChunk('requests', encodeChunk(table))
    expect([read.columns[0], read.service.counts[0]]).toEqual([2 ** 53 - 1, 2 ** 53 - 1])
  })
})

function isRefused(kind: SeriesKind, bytes: Uint8Array): boolean {
  try {
    decodeChunk(kind, bytes)
    return false
  } catch (error) {
    if (error instanceof SeriesFormatError) return true
    throw error
  }
}

describe('bytes that are no chunk', () => {
  test('are refused as such, or read, whatever they are', () => {
    const section = fc.uint8Array({ maxLength: 60 })
    fc.assert(
      fc.property(fc.constantFrom('requests', 'users'), section, section, section, (kind, a, b, c) => {
        isRefused(
          kind,
          Uint8Array.of(2, a.length, b.length, c.length, ...a, ...b, ...c, ...new Uint8Array(16)),
        )
      }),
    )
    expect(isRefused('users', new Uint8Array(0))).toBe(true)
    expect(isRefused('users', Uint8Array.of(2, 0, 0, 0))).toBe(true)
  })

  test('with one byte changed or the end missing, too', () => {
    fc.assert(
      fc.property(liveTicks, fc.nat(), fc.nat(255), (ticks, at, byte) => {
        for (const { kind, bytes } of sealWindow(ticks, { containers: new Set() }).slice(0, 3)) {
          expect(isRefused(kind, bytes.subarray(0, at % bytes.length))).toBe(true)
          const changed = Buffer.from(bytes)
          changed[at % bytes.length] = byte
          isRefused(kind, changed)
        }
      }),
    )
  })

  test('of another kind of series are refused', () => {
    const users = encodeChunk(new SeriesTable('users'))
    expect(isRefused('users', users)).toBe(false)
    expect(isRefused('generator', users)).toBe(true)
  })
})
