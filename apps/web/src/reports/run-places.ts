import { isSame, type JsonObject, objectsIn } from '../documents/json.ts'
import type { Operation } from '../documents/json-patch.ts'

/** Moves a run of a report; items stay with the runs that they are of. */
export function movedRun(document: JsonObject, from: number, to: number): Operation[] {
  const order = placesOfRuns(document).toSpliced(from, 1).toSpliced(to, 0, from)
  return [
    { op: 'move', from: `/bench_result_ids/${from}`, path: `/bench_result_ids/${to}` },
    ...changesOfItems(document, order),
  ]
}

/**
 * Takes a run out of a report; items stay with the runs that they are of. One of that run is then of whichever comes into its place, and
 * what shows several goes on without it.
 */
export function removedRun(document: JsonObject, place: number): Operation[] {
  const order = placesOfRuns(document).toSpliced(place, 1)
  return [{ op: 'remove', path: `/bench_result_ids/${place}` }, ...changesOfItems(document, order)]
}

function placesOfRuns({ bench_result_ids: ids }: JsonObject): number[] {
  return Array.isArray(ids) ? [...ids.keys()] : []
}

/** @param order of the runs that are left, by the places that they had */
function changesOfItems(document: JsonObject, order: readonly number[]): Operation[] {
  return objectsIn(document['items']).flatMap((item, index) =>
    Object.entries(fieldsOfRuns(item, order)).flatMap(([name, value]): Operation[] =>
      isSame(value, item[name]) ? [] : [{ op: 'replace', path: `/items/${index}/${name}`, value }],
    ),
  )
}

/** What names runs in an item, by the places that they have then. */
function fieldsOfRuns({ run, lines, runs, form }: JsonObject, order: readonly number[]): JsonObject {
  return {
    ...(typeof run === 'number'
      ? { run: placeIn(order, run) ?? Math.max(0, Math.min(run, order.length - 1)) }
      : {}),
    ...(Array.isArray(lines) ? { lines: linesLeft(objectsIn(lines), order, form === 'scatter') } : {}),
    ...(Array.isArray(runs) ? { runs: runs.flatMap((place) => placeIn(order, place) ?? []) } : {}),
  }
}

/** A chart has one line at least, and one of points two: of a run that is gone, they are of that of the item. */
function linesLeft(
  lines: readonly JsonObject[],
  order: readonly number[],
  areAllNeeded: boolean,
): JsonObject[] {
  const left = lines.filter(({ run }) => typeof run !== 'number' || order.includes(run))
  return (areAllNeeded || left.length === 0 ? lines : left).map((line) =>
    typeof line['run'] === 'number' ? { ...line, run: placeIn(order, line['run']) ?? null } : line,
  )
}

function placeIn(order: readonly number[], place: unknown): number | undefined {
  const index = order.findIndex((each) => each === place)
  return index === -1 ? undefined : index
}
