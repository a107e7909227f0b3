/** A grey line with the height of text. */
export function SkeletonLine({ width = '12rem' }: { width?: string }) {
  return <span className="skeleton inline-block h-[1em] max-w-full align-middle" style={{ width }} />
}

/** Rows with the height of a table's. */
export function SkeletonTable({ rows = 8 }: { rows?: number }) {
  return (
    <div className="overflow-hidden rounded-lg border border-line bg-surface">
      {Array.from({ length: rows + 1 }, (_, row) => (
        <div
          key={row}
          className="flex h-[2.625rem] items-center gap-8 border-b border-line px-4 last:border-b-0"
        >
          <SkeletonLine width={`${30 - ((row * 7) % 11)}%`} />
          <SkeletonLine width="14%" />
          <SkeletonLine width="10%" />
        </div>
      ))}
    </div>
  )
}

/** A block of a known height, for charts. */
export function SkeletonBlock({ height }: { height: string }) {
  return <div className="skeleton w-full" style={{ height }} />
}
