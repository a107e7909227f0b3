import { ProgressBar as AriaProgressBar } from 'react-aria-components/ProgressBar'
import { Label } from 'react-aria-components/Label'

interface Props {
  /** What goes on. */
  label: string
  /** 0 to 100. */
  percent: number
}

/** How far something is. */
export function ProgressBar({ label, percent }: Props) {
  return (
    <AriaProgressBar value={percent} className="flex w-full max-w-xl min-w-0 flex-col gap-1.5">
      {({ percentage = 0, valueText }) => (
        <>
          <span className="flex justify-between gap-3">
            <Label className="min-w-0 truncate">{label}</Label>
            <span className="text-muted tabular-nums">{valueText}</span>
          </span>
          <span className="h-2 overflow-hidden rounded-full bg-hover">
            <span
              className="block h-full rounded-full bg-accent-fill transition-[width]"
              style={{ width: `${percentage}%` }}
            />
          </span>
        </>
      )}
    </AriaProgressBar>
  )
}
