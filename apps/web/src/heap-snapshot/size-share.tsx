import { formatBytes } from '@flamegate/contract'

/** Bytes with their share of the heap, as a bar and in per cent. */
export function SizeShare({ bytes, totalBytes }: { bytes: number; totalBytes: number }) {
  const percent = totalBytes === 0 ? 0 : Math.min(100, (bytes / totalBytes) * 100)
  return (
    <span className="flex items-center justify-end gap-3">
      <span aria-hidden="true" className="h-3 w-24 rounded-sm bg-sunken max-lg:hidden">
        <span className="block h-full rounded-sm bg-accent" style={{ width: `${percent}%` }} />
      </span>
      <span className="min-w-20">{formatBytes(bytes)}</span>
      <span className="w-14 text-muted max-sm:hidden">{percent.toFixed(1)} %</span>
    </span>
  )
}
