import {
  buffersOf,
  hourSeconds,
  receivedTable,
  rollUp,
  rollUpHour,
  sealedActions,
  sumLive,
  sumUp,
  type ActionMinutes,
  type LiveSumming,
  type LiveSums,
  type LiveTick,
  type PartialSums,
  type QuestionPlan,
  type rolledSeconds,
  type RunPlan,
  type SeriesChunk,
  type SeriesKey,
  type SeriesQuestion,
} from '@flamegate/series'

type IsMine = (piece: number) => boolean

/** What a thread may be asked: with bytes that it is given, and what else is asked about them. */
export interface Jobs {
  sumUp: {
    given: SeriesChunk
    asked: { question: SeriesQuestion; plan: QuestionPlan; run: RunPlan }
    made: PartialSums[]
  }
  sumLive: { given: LiveTick; asked: { summing: LiveSumming; run: RunPlan }; made: LiveSums }
  sealActions: {
    given: LiveTick
    asked: { before: readonly SeriesChunk[] }
    made: { chunks: SeriesChunk[]; minutes: ActionMinutes }
  }
  rollUp: {
    given: ChunkOfSeries
    asked: RollingUp
    made: SeriesChunk[]
  }
}
export type JobName = keyof Jobs

/** Chunks of some series, of as many seconds from one on. */
export interface RollingUp {
  series: readonly SeriesKey[]
  startSecond: number
  seconds: typeof rolledSeconds | typeof hourSeconds
}

/** With the place of the series among those that are rolled up. */
export interface ChunkOfSeries {
  place: number
  bytes: Uint8Array
}

/** How the pieces that are `isMine` are done, what holds what was made of them, and what it is once another thread has it. */
type JobTable = {
  [Name in JobName]: {
    make: (
      given: readonly Jobs[Name]['given'][],
      asked: Jobs[Name]['asked'],
      isMine: IsMine,
    ) => Jobs[Name]['made']
    handedOver: (made: Jobs[Name]['made']) => { made: Jobs[Name]['made']; buffers: ArrayBuffer[] }
    received: (made: Jobs[Name]['made']) => Jobs[Name]['made']
  }
}

export const jobs: JobTable = {
  sumUp: {
    make: (chunks, { question, plan, run }, isMine) =>
      sumUp(question, plan, { chunks, live: [], run }, isMine),
    handedOver: (made) => ({ made, buffers: made.flatMap(({ table }) => buffersOf(table)) }),
    received: (made) => made.map((part) => ({ ...part, table: receivedTable(part.table) })),
  },
  sumLive: {
    make: (ticks, { summing, run }, isMine) => sumLive(ticks, summing, run, isMine),
    handedOver: (made) => ({ made, buffers: [...made.tables.values()].flatMap(buffersOf) }),
    received: (made) => ({ ...made, tables: receivedTables(made.tables) }),
  },
  sealActions: {
    make: (ticks, { before }, isMine) => {
      const minutes: ActionMinutes = new Map()
      return { chunks: [...sealedActions(ticks, before, minutes, isMine)].flat(), minutes }
    },
    handedOver: ({ chunks, minutes }) => {
      const joined = inOneBuffer(chunks)
      return {
        made: { chunks: joined.items, minutes },
        buffers: [joined.buffer, ...[...minutes.values()].flatMap(buffersOf)],
      }
    },
    received: ({ chunks, minutes }) => ({ chunks, minutes: receivedTables(minutes) }),
  },
  rollUp: {
    make: (given, asked, isMine) => [...rolledUp(given, asked, isMine)].flat(),
    handedOver: (made) => {
      const { items, buffer } = inOneBuffer(made)
      return { made: items, buffers: [buffer] }
    },
    received: (made) => made,
  },
}

/** The chunks of ten minutes, or of an hour, of those series that are `isMine`, one series after the other. */
export function* rolledUp(
  given: readonly ChunkOfSeries[],
  { series, startSecond, seconds }: RollingUp,
  isMine: IsMine,
): Generator<SeriesChunk[]> {
  const roll = seconds === hourSeconds ? rollUpHour : rollUp
  const byPlace = Map.groupBy(given, ({ place }) => place)
  for (const [place, key] of series.entries())
    if (isMine(place))
      yield roll(
        key,
        startSecond,
        (byPlace.get(place) ?? []).map(({ bytes }) => bytes),
      )
}

/** The same items with their bytes copied into one piece of memory, which can be handed over. */
export function inOneBuffer<Item extends { bytes: Uint8Array }>(
  items: readonly Item[],
): { items: Item[]; buffer: ArrayBuffer } {
  const buffer = new ArrayBuffer(items.reduce((sum, { bytes }) => sum + bytes.length, 0))
  let end = 0
  const copied = items.map((item) => {
    const bytes = new Uint8Array(buffer, end, item.bytes.length)
    bytes.set(item.bytes)
    end += bytes.length
    return { ...item, bytes }
  })
  return { items: copied, buffer }
}

function receivedTables(tables: LiveSums['tables']): ActionMinutes {
  return new Map([...tables].map(([profile, table]) => [profile, receivedTable(table)]))
}
