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

/** A row of some table. */
export interface Row {
  table: SeriesTable
  row: number
}

/** A row as a bucket; of a row that is not there, one in which nothing happened. */
export const bucketOf: {
  [Kind in SeriesKind]: (place: Bucket, at: Row | undefined, times?: SeriesQuestion['times']) => Buckets[Kind]
} = {
  requests: (place, at, times) => {
    const columns = columnsAt('requests', at)
    if (at === undefined) return { ...place, counters: columns, serviceTime: none, responseTime: none }
    const { table, row } = at
    const serviceTime = table.service.at(row)
    const isLate = table.late.startOf(row) < table.late.endOf(row)
    return {
      ...place,
      counters: columns,
      serviceTime: times?.service === false ? none : serviceTime,
      responseTime: isLate ? responseTime(at) : serviceTime,
    }
  },
  users: (place, at) => {
    const columns = columnsAt('users', at)
    const counters = columns.slice(1)
    counters[0] = columns[0] ?? 0
    return { ...place, users: columns[0] ?? 0, usersMax: columns[1] ?? 0, counters }
  },
  generator: (place, at) => {
    const columns = columnsAt('generator', at)
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

function responseTime({ table: { service, late }, row }: Row): Histogram {
  sum.add(service.slots, service.counts, service.startOf(row), service.endOf(row))
  sum.add(late.slots, late.counts, late.startOf(row), late.endOf(row))
  return sum.drain()
}

function columnsAt(kind: SeriesKind, at: Row | undefined): Float64Array {
  if (at === undefined) return new Float64Array(columnsOf[kind].length)
  const { columns, width } = at.table
  return columns.slice(at.row * width, (at.row + 1) * width)
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
