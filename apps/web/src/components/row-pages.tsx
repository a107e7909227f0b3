import { Button } from './button.tsx'

interface Props {
  /** What the rows are. */
  label: string
  /** Rows that are shown, `end` not among them, out of `count`. */
  start: number
  end: number
  count: number
  onBack: () => void
  onOn: () => void
}

/** Which rows of a long table are shown, and the way to those before and behind. */
export function RowPages({ label, start, end, count, onBack, onOn }: Props) {
  return (
    <nav
      aria-label={`Pages: ${label}`}
      className="flex flex-wrap items-center justify-center gap-x-4 gap-y-2"
    >
      <Button className="printed:hidden" isDisabled={start === 0} onPress={onBack}>
        Before
      </Button>
      <output className="text-muted tabular-nums">
        {(start + 1).toLocaleString()} to {end.toLocaleString()} of {count.toLocaleString()}
      </output>
      <Button className="printed:hidden" isDisabled={end === count} onPress={onOn}>
        Next
      </Button>
    </nav>
  )
}
