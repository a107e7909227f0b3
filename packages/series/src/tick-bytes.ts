import { ByteReader, ByteWriter } from './bytes.ts'
import type { HistogramList } from './histogram-list.ts'
import { HistogramSum, histogramDifference, mergeHistograms } from './histogram-sum.ts'
import { slotCount } from './slots.ts'
import { SeriesTable } from './table.ts'
import { checkedNumber, tickLimits } from './tick-limits.ts'
import { actionCounters, generatorGauges, profileCounters } from './tick.ts'
import type { ActionTick, Histogram, Tick } from './tick.ts'

/**
 * A tick as it is sent and as it is stored until it is sealed. All numbers are varints (`ByteWriter`):
 *
 *     tick        second; number of actions, each after its length in bytes; number of profiles, each its counters;
 *                 the gauges of the generator
 *     action      profile, action; which counters are not zero, as bits; those counters;
 *                 service time; response time as what must be added to the service time
 *     histogram   number of slots; of each twice the slots that were left out before it, and 1 more if it counted more than one
 *                 value; in that case how many it counted above two
 *     difference  number of slots; of each the slots that were left out before it, and the zigzag of its count
 */

const width = actionCounters.length

/** Where in the bytes of a tick its actions are: the nth at the nth place of each list. Objects for each would cost more than to read them. */
export interface ActionPlaces {
  length: number
  profiles: Uint16Array
  actions: Uint16Array
  /** Of its counters. */
  starts: Uint32Array
  ends: Uint32Array
}

export interface TickLayout {
  second: number
  actions: ActionPlaces
  /** In the order of `profileCounters`, by profile. */
  profiles: Float64Array[]
  /** In the order of `generatorGauges`. */
  generator: Float64Array
}

/** @throws RangeError when a number is none that a tick can hold */
export function encodeTick({ actions, ...tick }: Tick): Uint8Array {
  return writeTick(
    tick,
    actions.map(({ responseTime, ...sums }) => {
      checkHistogram(responseTime)
      return { ...sums, late: histogramDifference(sums.serviceTime, responseTime) }
    }),
  )
}

/** Of an action, with what must be added to the service time to have the response time. */
interface ActionSums extends Omit<ActionTick, 'responseTime'> {
  late: Histogram
}

const written = { tick: new ByteWriter(), action: new ByteWriter() }

function writeTick(
  { second, profiles, generator }: Omit<Tick, 'actions'>,
  actions: readonly ActionSums[],
): Uint8Array {
  const { tick: writer, action: block } = written
  writer.clear()
  writer.varint(checkedNumber(second, tickLimits.second, 'second'))
  writer.varint(checkedNumber(actions.length, tickLimits.actions, 'number of actions'))
  for (const action of actions) {
    block.clear()
    writeAction(block, action)
    writer.varint(block.length)
    writer.bytes(block.view())
  }
  writer.varint(checkedNumber(profiles.length, tickLimits.profiles, 'number of profiles'))
  for (const counters of profiles)
    for (const [index, name] of profileCounters.entries())
      writer.varint(checkedNumber(counters[index] ?? 0, tickLimits.counter, name))
  for (const [index, name] of generatorGauges.entries())
    writer.varint(checkedNumber(generator[index] ?? 0, tickLimits.counter, name))
  return writer.view().slice()
}

function writeAction(writer: ByteWriter, { profile, action, counters, serviceTime, late }: ActionSums): void {
  writer.varint(checkedNumber(profile, tickLimits.profiles - 1, 'profile'))
  writer.varint(checkedNumber(action, tickLimits.action, 'action'))
  let present = 0
  for (const [index, name] of actionCounters.entries())
    if (checkedNumber(counters[index] ?? 0, tickLimits.counter, name) > 0) present += 2 ** index
  writer.varint(present)
  for (let index = 0; index < width; index++) {
    const value = counters[index] ?? 0
    if (value > 0) writer.varint(value)
  }
  writeHistogram(writer, serviceTime)
  writeDifference(writer, late)
}

function checkHistogram({ slots, counts }: Histogram): void {
  let next = 0
  for (let index = 0; index < slots.length; index++) {
    const slot = slots[index] ?? 0
    if (slot < next || slot >= slotCount) throw new RangeError('The slots of a histogram do not rise')
    next = slot + 1
    const count = counts[index] ?? 0
    if (count === 0) throw new RangeError('A slot of a histogram counted nothing')
    checkedNumber(count, tickLimits.counter, 'count of a slot')
  }
}

function writeHistogram(writer: ByteWriter, histogram: Histogram): void {
  checkHistogram(histogram)
  const { slots, counts } = histogram
  writer.varint(slots.length)
  let next = 0
  for (let index = 0; index < slots.length; index++) {
    const slot = slots[index] ?? 0
    const count = counts[index] ?? 0
    writer.varint(2 * (slot - next) + (count > 1 ? 1 : 0))
    if (count > 1) writer.varint(count - 2)
    next = slot + 1
  }
}

function writeDifference(writer: ByteWriter, { slots, counts }: Histogram): void {
  writer.varint(slots.length)
  let next = 0
  for (let index = 0; index < slots.length; index++) {
    const slot = slots[index] ?? 0
    const count = counts[index] ?? 0
    writer.varint(slot - next)
    writer.varint(count > 0 ? 2 * count : -2 * count - 1)
    next = slot + 1
  }
}

/** The same tick as one of another second. @throws SeriesFormatError */
export function tickAtSecond(bytes: Uint8Array, second: number): Uint8Array {
  const reader = new ByteReader(bytes)
  reader.varint()
  const writer = new ByteWriter()
  writer.varint(checkedNumber(second, tickLimits.second, 'second'))
  writer.bytes(bytes.subarray(reader.at))
  return writer.view().slice()
}

/** All but what happened to the actions. @throws SeriesFormatError */
export function readTickLayout(bytes: Uint8Array): TickLayout {
  const reader = new ByteReader(bytes)
  const second = reader.varintUpTo(tickLimits.second, 'second')
  const count = reader.varintUpTo(tickLimits.actions, 'number of actions')
  const actions: ActionPlaces = {
    length: count,
    profiles: new Uint16Array(count),
    actions: new Uint16Array(count),
    starts: new Uint32Array(count),
    ends: new Uint32Array(count),
  }
  for (let index = 0; index < count; index++) {
    const length = reader.varint()
    const end = reader.at + length
    actions.profiles[index] = reader.varintUpTo(tickLimits.profiles - 1, 'profile')
    actions.actions[index] = reader.varintUpTo(tickLimits.action, 'action')
    actions.starts[index] = reader.at
    actions.ends[index] = end
    if (end < reader.at) throw reader.error('an action is shorter than its numbers')
    reader.skip(end - reader.at)
  }
  const profileCount = reader.varintUpTo(tickLimits.profiles, 'number of profiles')
  const profiles = Array.from({ length: profileCount }, () => gauges(reader, profileCounters.length))
  const generator = gauges(reader, generatorGauges.length)
  if (!reader.isAtEnd) throw reader.error('there is more after the end of a tick')
  return { second, actions, profiles, generator }
}

function gauges(reader: ByteReader, length: number): Float64Array {
  const values = new Float64Array(length)
  for (let index = 0; index < length; index++)
    values[index] = reader.varintUpTo(tickLimits.counter, 'a counter')
  return values
}

/** What happened to the nth action, as another row of its table. The reader is of the tick. @throws SeriesFormatError */
export function readActionInto(
  table: SeriesTable,
  reader: ByteReader,
  { starts, ends }: ActionPlaces,
  index: number,
  { agent, second }: { agent: number; second: number },
): void {
  reader.at = starts[index] ?? 0
  const row = table.add(agent, second)
  let present = reader.varintUpTo(2 ** width - 1, 'what says which counters there are')
  while (present !== 0) {
    const lowest = present & -present
    present ^= lowest
    table.columns[row + 31 - Math.clz32(lowest)] = reader.varintUpTo(tickLimits.counter, 'a counter')
  }
  readHistogram(reader, table.service)
  readDifference(reader, table)
  if (reader.at !== ends[index]) throw reader.error('an action is not as long as it says')
}

function readHistogram(reader: ByteReader, list: HistogramList): void {
  const length = reader.varintUpTo(slotCount, 'number of slots')
  list.reserve(length)
  // Not pushed one by one: most of all bytes are read here.
  const { slots, counts } = list
  const end = list.slotLength + length
  let slot = -1
  for (let at = list.slotLength; at < end; at++) {
    const gap = reader.varintUpTo(2 * slotCount, 'twice a slot')
    slot += 1 + (gap >>> 1)
    slots[at] = slot
    counts[at] = (gap & 1) === 0 ? 1 : 2 + reader.varintUpTo(tickLimits.counter, 'a count')
  }
  // They rise.
  if (slot >= slotCount) throw reader.error('a slot is beyond the last one')
  list.slotLength = end
  list.endOne()
}

/** Checks besides that no slot of the response time counts less than nothing. */
function readDifference(reader: ByteReader, { service, late }: SeriesTable): void {
  const length = reader.varintUpTo(slotCount, 'number of slots')
  let at = service.startOf(service.length - 1)
  let slot = -1
  for (let index = 0; index < length; index++) {
    slot += 1 + reader.varint()
    if (slot >= slotCount) throw reader.error('a slot is beyond the last one')
    const zigzag = reader.varintUpTo(2 * tickLimits.counter, 'a count')
    const count = zigzag % 2 === 0 ? zigzag / 2 : -(zigzag + 1) / 2
    if (count === 0) throw reader.error('a slot differs by nothing')
    while (at < service.slotLength && (service.slots[at] ?? 0) < slot) at++
    if (
      count < 0 &&
      (service.slots[at] !== slot || at >= service.slotLength || (service.counts[at] ?? 0) < -count)
    )
      throw reader.error('a slot of the response time counts less than nothing')
    late.push(slot, count)
  }
  late.endOne()
}

/** Sums of times: of service times, and of what must be added to them to have the response times. */
export interface TimeSums {
  service: HistogramSum
  late: HistogramSum
}

/**
 * The same added to counters and sums that there are, in half the time. Of ticks that were read before as a whole: what only a table of
 * rows can tell to be wrong is not looked for.
 * @param row where the counters begin
 * @throws SeriesFormatError
 */
export function addAction(
  columns: Float64Array,
  row: number,
  { service, late }: TimeSums,
  reader: ByteReader,
  { starts, ends }: ActionPlaces,
  index: number,
): void {
  reader.at = starts[index] ?? 0
  let present = reader.varint()
  while (present !== 0) {
    const lowest = present & -present
    present ^= lowest
    const column = row + 31 - Math.clz32(lowest)
    columns[column] = (columns[column] ?? 0) + reader.varint()
  }
  for (let left = reader.varint(), slot = -1; left > 0; left--) {
    const gap = reader.varint()
    slot += 1 + (gap >>> 1)
    service.count(slot, (gap & 1) === 0 ? 1 : 2 + reader.varint())
  }
  for (let left = reader.varint(), slot = -1; left > 0; left--) {
    slot += 1 + reader.varint()
    const zigzag = reader.varint()
    late.count(slot, zigzag % 2 === 0 ? zigzag / 2 : -(zigzag + 1) / 2)
  }
  if (reader.at !== ends[index]) throw reader.error('an action is not as long as it says')
}

const summed = { table: new SeriesTable('requests'), service: new HistogramSum(), late: new HistogramSum() }

/**
 * The same second with all requests of a profile as one action, under the number of the first of them: what is asked about a
 * profile or the run as a whole is answered of it as of the tick. Actions that hold others are left out. Undefined when a sum is more
 * than a tick can hold, which no generator makes that is what it says.
 * @throws SeriesFormatError
 */
export function totalsOfTick(bytes: Uint8Array, containers: ReadonlySet<number>): Uint8Array | undefined {
  const { actions, ...tick } = readTickLayout(bytes)
  const ofProfiles = new Map<number, number[]>()
  for (let index = 0; index < actions.length; index++) {
    if (containers.has(actions.actions[index] ?? 0)) continue
    const profile = actions.profiles[index] ?? 0
    const known = ofProfiles.get(profile)
    if (known) known.push(index)
    else ofProfiles.set(profile, [index])
  }
  const reader = new ByteReader(bytes)
  const { table, service, late } = summed
  const totals = [...ofProfiles].map(([profile, places]) => {
    table.clear()
    for (const place of places)
      readActionInto(table, reader, actions, place, { agent: 0, second: tick.second })
    const counters = new Float64Array(width)
    for (let row = 0; row < table.length; row++)
      for (let column = 0; column < width; column++)
        counters[column] = (counters[column] ?? 0) + (table.columns[row * width + column] ?? 0)
    service.add(table.service.slots, table.service.counts, 0, table.service.slotLength)
    late.add(table.late.slots, table.late.counts, 0, table.late.slotLength)
    return {
      profile,
      action: actions.actions[places[0] ?? 0] ?? 0,
      counters,
      serviceTime: service.drain(),
      late: late.drain(),
    }
  })
  const isHeld = totals.every(({ counters, ...times }) =>
    [counters, times.serviceTime.counts, times.late.counts].every(isWithinLimits),
  )
  return isHeld ? writeTick(tick, totals) : undefined
}

function isWithinLimits(sums: Float64Array | Uint32Array): boolean {
  for (const sum of sums) if (Math.abs(sum) > tickLimits.counter) return false
  return true
}

/** The whole tick. @throws SeriesFormatError */
export function decodeTick(bytes: Uint8Array): Tick {
  const { second, actions, profiles, generator } = readTickLayout(bytes)
  const reader = new ByteReader(bytes)
  const table = new SeriesTable('requests')
  for (let row = 0; row < actions.length; row++)
    readActionInto(table, reader, actions, row, { agent: 0, second })
  return {
    second,
    profiles,
    generator,
    actions: Array.from({ length: actions.length }, (_, row) => {
      const counters = table.columns.slice(row * width, (row + 1) * width)
      const serviceTime = table.service.at(row)
      const late = table.late.at(row)
      const responseTime = late.slots.length === 0 ? serviceTime : mergeHistograms([serviceTime, late])
      return {
        profile: actions.profiles[row] ?? 0,
        action: actions.actions[row] ?? 0,
        counters,
        serviceTime,
        responseTime,
      }
    }),
  }
}
