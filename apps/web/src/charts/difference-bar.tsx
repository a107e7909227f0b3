import { divergingBar } from './diverging-scale.ts'

/** A difference as a bar: what takes more goes right, what takes less goes left. */
export function DifferenceBar({ difference, largest }: { difference: number; largest: number }) {
  const { left, width } = divergingBar(difference, largest)
  return (
    <span aria-hidden="true" className="relative h-4 w-32 max-lg:hidden">
      <span className="absolute inset-y-0 left-1/2 border-l border-line-strong/60" />
      <span
        className={`absolute inset-y-0.5 rounded-sm ${difference > 0 ? 'bg-worse' : 'bg-better'}`}
        style={{ left: `${left}%`, width: `${width}%` }}
      />
    </span>
  )
}
