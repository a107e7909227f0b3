import { words } from '../search-params.ts'

/** Ways to look at a profile, as tabs. */
const profileViews = [
  { id: 'flame', label: 'Flame graph' },
  { id: 'sandwich', label: 'Callers and callees' },
  { id: 'table', label: 'Table' },
  { id: 'timeline', label: 'Timeline' },
  { id: 'lines', label: 'Lines' },
] as const

/** A heap snapshot has no samples, but objects: its call tree is that of what keeps what, and its functions are classes. */
const heapSnapshotViews = [
  { id: 'flame', label: 'Dominators' },
  { id: 'classes', label: 'Classes and objects' },
] as const

export type ProfileViewId = (typeof profileViews | typeof heapSnapshotViews)[number]['id']

export function isHeapSnapshot({ format }: { format: string | null }): boolean {
  return format === 'heapsnapshot'
}

/** The tabs of a profile. */
export function viewsOf(profile: { format: string | null }): readonly { id: ProfileViewId; label: string }[] {
  return isHeapSnapshot(profile) ? heapSnapshotViews : profileViews
}

/**
 * What the address of a profile keeps, so that it leads others to the same view. `root` and `function` are names of
 * functions, or of classes of a heap snapshot, `zoom` is a node of the flame graph and `part` what is seen of it, `mode` is
 * where its root is, `labels` is a query of its own, `from` and `to` are milliseconds, `object` is the id of an object,
 * `baseline` that of an earlier snapshot.
 */
export const readProfileSearch = words(
  'view',
  'type',
  'labels',
  'from',
  'to',
  'root',
  'search',
  'inverted',
  'zoom',
  'part',
  'mode',
  'function',
  'file',
  'group',
  'sort',
  'object',
  'baseline',
)
export type ProfileSearch = ReturnType<typeof readProfileSearch>

export type ChangeSearch = (part: { [Name in keyof ProfileSearch]?: string | undefined }) => void

/** The view that an address asks for; the flame graph where it asks for none, or for one that there is not. */
export function viewOf({ view }: ProfileSearch, profile: { format: string | null }): ProfileViewId {
  // What other profiles show of functions, a heap snapshot shows of classes.
  if (isHeapSnapshot(profile)) return view === undefined || view === 'flame' ? 'flame' : 'classes'
  return profileViews.find(({ id }) => id === view)?.id ?? 'flame'
}

/** Which samples the address asks for, as operations take it. */
export function selectionOf({ type, labels, from, to }: ProfileSearch): {
  sample_type?: string
  labels?: string[]
  from_ms?: number
  to_ms?: number
} {
  const pairs = [...parseLabels(labels)]
  const [fromMs, toMs] = [milliseconds(from), milliseconds(to)]
  return {
    ...(type === undefined ? {} : { sample_type: type }),
    ...(pairs.length === 0 ? {} : { labels: pairs.map(([name, value]) => `${name}=${value}`) }),
    ...(fromMs === undefined ? {} : { from_ms: fromMs }),
    ...(toMs === undefined ? {} : { to_ms: toMs }),
  }
}

/** `thread=main&route=%2Fa`: labels in an address. */
export function parseLabels(text: string | undefined): Map<string, string> {
  return new Map([...new URLSearchParams(text ?? '')].filter(([name, value]) => name !== '' && value !== ''))
}

/** The labels of an address with one of them changed, or taken away. */
export function withLabel(text: string | undefined, name: string, value: string | undefined): string {
  const labels = parseLabels(text)
  if (value === undefined) labels.delete(name)
  else labels.set(name, value)
  return new URLSearchParams([...labels]).toString()
}

function milliseconds(text: string | undefined): number | undefined {
  const value = Number(text ?? NaN)
  return text !== '' && Number.isFinite(value) && value >= 0 ? value : undefined
}
