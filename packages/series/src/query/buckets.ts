import type { SeriesQuestion } from './question.ts'
import { HistogramSum } from '../histogram-sum.ts'
import { columnsOf, type SeriesKind, type SeriesTable } from '../table.ts'
import { actionCounters, generatorGauges, profileCounters } from '../tick.ts'
import type { ActionCounter, GeneratorGauge, Histogram, ProfileCounter } from '../tick.ts'

interface Bucket {
  /** The first one, since the run began. */
  second: number
  /** How many of the bucket's seconds were asked for. */
  seconds: number
}

export interface RequestBucket extends Bucket {
  /** In the order of `actionCounters`. */
  counters: Float64Array
  serviceTime: Histogram
  responseTime: Histogram
}

export interface UserBucket extends Bucket {
  /** Users at its end, and the most that there were at once. */
  users: number
  usersMax: number
  /** Sums of what is counted besides, in the order of `profileCounters`, of which the first is `users`. */
  counters: Float64Array
}

export interface GeneratorBucket extends Bucket {
  /** In the order of `generatorGauges`. Of several agents the highest, and the mean of their means. */
  max: Float64Array
  mean: Float64Array
}

export interface Buckets {
  requests: RequestBucket
  users: UserBucket
  generator: GeneratorBucket
}

const none: Histogram = { slots: new Uint16Array(0), counts: new Float64Array(0) }

/** A row of a table as a bucket; of a row that is not there, one in which nothing happened. */
export const bucketOf: {
  [Kind in SeriesKind]: (
    place: Bucket,
    table: SeriesTable,
    row: number | undefined,
    times?: SeriesQuestion['times'],
  ) => Buckets[Kind]
} = {
  requests: (place, table, row, times) => {
    const columns = columnsAt(table, row)
    if (row === undefined) return { ...place, counters: columns, serviceTime: none, responseTime: none }
    const serviceTime = table.service.at(row)
    const isLate = table.late.startOf(row) < table.late.endOf(row)
    return {
      ...place,
      counters: columns,
      serviceTime: times?.service === false ? none : serviceTime,
      responseTime: isLate ? responseTime(table, row) : serviceTime,
    }
  },
  users: (place, table, row) => {
    const columns = columnsAt(table, row)
    const counters = columns.slice(1)
    counters[0] = columns[0] ?? 0
    return { ...place, users: columns[0] ?? 0, usersMax: columns[1] ?? 0, counters }
  },
  generator: (place, table, row) => {
    const columns = columnsAt(table, row)
    const { length } = generatorGauges
    const seconds = Math.max(1, columns[2 * length] ?? 0)
    return {
      ...place,
      max: columns.slice(0, length),
      mean: columns.slice(length, 2 * length).map((sum) => sum / seconds),
    }
  },
}

const sum = new HistogramSum()

function responseTime({ service, late }: SeriesTable, row: number): Histogram {
  sum.add(service.slots, service.counts, service.startOf(row), service.endOf(row))
  sum.add(late.slots, late.counts, late.startOf(row), late.endOf(row))
  return sum.drain()
}

function columnsAt({ kind, columns, width }: SeriesTable, row: number | undefined): Float64Array {
  return row === undefined
    ? new Float64Array(columnsOf[kind].length)
    : columns.slice(row * width, (row + 1) * width)
}

const places = <Name extends string>(names: readonly Name[]) =>
  new Map(names.map((name, place) => [name, place]))
const counterPlaces = places(actionCounters)
const userPlaces = places(profileCounters)
const gaugePlaces = places(generatorGauges)

export function counterOf({ counters }: RequestBucket, name: ActionCounter): number {
  return counters[counterPlaces.get(name) ?? -1] ?? 0
}

export function userCounterOf({ counters }: UserBucket, name: ProfileCounter): number {
  return counters[userPlaces.get(name) ?? -1] ?? 0
}

export function gaugeOf({ max, mean }: GeneratorBucket, name: GeneratorGauge): { max: number; mean: number } {
  const place = gaugePlaces.get(name) ?? -1
  return { max: max[place] ?? 0, mean: mean[place] ?? 0 }
}
