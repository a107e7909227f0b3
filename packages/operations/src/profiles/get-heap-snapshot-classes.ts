import { operations, type OutputOf } from '@flamegate/contract'
import type { HeapClass, HeapClassChange } from '@flamegate/profiles'
import { implement } from '../implement.ts'
import { askSeveral } from './asking.ts'
import { getHeapSnapshot } from './heap-snapshots.ts'

type Answer = OutputOf<typeof operations.getHeapSnapshotClasses>

export const getHeapSnapshotClasses = implement(operations.getHeapSnapshotClasses)(async (input, context) => {
  const record = await getHeapSnapshot(context, input.profile_id, 'profile_id')
  const base =
    input.baseline_profile_id === undefined
      ? undefined
      : await getHeapSnapshot(context, input.baseline_profile_id, 'baseline_profile_id')
  const snapshots = base === undefined ? [record] : [record, base]
  const rows: (HeapClass | HeapClassChange)[] = await askSeveral(context, snapshots, 'heapClasses', null)
  const order: Order = input.sort_by ?? (base === undefined ? 'retained' : 'growth')
  const baselines = rows.flatMap((row) => ('baseline' in row ? [row.baseline] : []))
  return {
    profile_id: record.id,
    ...totals(rows),
    baseline: base === undefined ? null : { profile_id: base.id, ...totals(baselines) },
    class_count: rows.filter(({ objectCount }) => objectCount > 0).length,
    classes: rows
      .toSorted(
        (a, b) =>
          sortValue[order](b) - sortValue[order](a) || b.retainedSize - a.retainedSize || byName(a, b),
      )
      .slice(0, input.top_n)
      .map(classOnWire),
    notes: base !== undefined && hasIdsAnew(rows) ? [idsAnew] : [],
  }
})

const idsAnew =
  'Objects have other ids in these snapshots: they are of two processes, or an inspector left in between, after which V8 counts anew. What was added and removed cannot be told; go by the differences in count and size.'

type Order = 'retained' | 'shallow' | 'count' | 'growth'

const sortValue: Record<Order, (row: HeapClass | HeapClassChange) => number> = {
  retained: (row) => row.retainedSize,
  shallow: (row) => row.shallowSize,
  count: (row) => row.objectCount,
  growth: (row) => row.shallowSize - ('baseline' in row ? row.baseline.shallowSize : 0),
}

function byName(a: HeapClass, b: HeapClass): number {
  return a.name < b.name ? -1 : 1
}

function totals(rows: Pick<HeapClass, 'objectCount' | 'shallowSize'>[]): {
  object_count: number
  total_size: number
} {
  return {
    object_count: rows.reduce((sum, row) => sum + row.objectCount, 0),
    total_size: rows.reduce((sum, row) => sum + row.shallowSize, 0),
  }
}

/** Compiled code mostly stays. Where much of it seems to have gone, ids say nothing: some of them still agree, by chance. */
function hasIdsAnew(rows: (HeapClass | HeapClassChange)[]): boolean {
  const code = rows.filter(({ name }) => name === '(compiled code)')
  const [telling, shareMax] = code.length > 0 ? [code, 0.3] : [rows, 0.9]
  const changes = telling.filter((row) => 'baseline' in row)
  const removed = changes.reduce((sum, { removedCount }) => sum + removedCount, 0)
  return removed > shareMax * totals(changes.map(({ baseline }) => baseline)).object_count
}

function classOnWire(row: HeapClass | HeapClassChange): Answer['classes'][number] {
  return {
    class_name: row.name,
    object_count: row.objectCount,
    shallow_size: row.shallowSize,
    retained_size: row.retainedSize,
    detached_count: row.detachedCount,
    change:
      'baseline' in row
        ? {
            object_count: row.objectCount - row.baseline.objectCount,
            shallow_size: row.shallowSize - row.baseline.shallowSize,
            retained_size: row.retainedSize - row.baseline.retainedSize,
            added_count: row.addedCount,
            added_size: row.addedSize,
            removed_count: row.removedCount,
            removed_size: row.removedSize,
            is_new: row.baseline.objectCount === 0,
          }
        : null,
  }
}
