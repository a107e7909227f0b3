import { fieldsOf, nsOf, numberOf, type Fields } from './fields.ts'
import {
  distributionOf,
  distributions,
  entriesOf,
  idOf,
  labelOf,
  percentilesOf,
  placeOf,
  wordOf,
  type Found,
} from './found.ts'

export function readMutexes(body: Fields): Found[] {
  return entriesOf(body, 'mutexes').map((entry) => lockOf(entry, 'mutex', ['']))
}

export function readRwLocks(body: Fields): Found[] {
  return entriesOf(body, 'rw_locks').map((entry) => lockOf(entry, 'rw_lock', ['read_', 'write_']))
}

/** For each way to take it: how long it took to get it, and for how long it was had. */
function lockOf(entry: Fields, kind: string, ways: readonly string[]): Found {
  const name = labelOf(entry)
  const typeName = wordOf(entry, 'type_name')
  const all = ways.flatMap((way) =>
    (
      [
        ['wait', 'wait'],
        ['acquire', 'hold'],
      ] as const
    ).map(([theirs, ours]) => [
      `${way}${ours}`,
      distributionOf({
        count: numberOf(entry, `${way}count`),
        sampled: numberOf(entry, `${way}sampled_count`),
        average: nsOf(entry, `${way}${theirs}_avg`),
        percentiles: percentilesOf(fieldsOf(entry, `${way}${theirs}_percentiles`), nsOf),
      }),
    ]),
  )
  return {
    section: 'locks',
    item: {
      id: `${kind} ${idOf(entry, name)}`.slice(0, 200),
      name,
      kind,
      place: placeOf(entry),
      distributions: distributions(Object.fromEntries(all)),
      texts: typeName === undefined ? undefined : { type_name: typeName },
    },
  }
}
