import type { BenchRowShape } from '@flamegate/contract'

/** Containers have what is in them below, further in; in another order the whole path is told. */
export function ActionName({
  row: { path, name, type, action },
  isIndented,
}: {
  row: BenchRowShape
  isIndented: boolean
}) {
  return (
    <span
      title={[...path, name].join(' / ')}
      className={`block max-w-80 min-w-40 truncate ${type === 'container' || action === null ? 'font-medium' : ''}`}
      style={{ paddingLeft: `${isIndented ? path.length * 1.25 : 0}rem` }}
    >
      {isIndented || path.length === 0 ? null : <span className="text-muted">{path.join(' / ')} / </span>}
      {name}
    </span>
  )
}
