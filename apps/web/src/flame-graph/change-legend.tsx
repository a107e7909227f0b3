import { useIsDark } from '../shell/theme.ts'
import { changeColor } from './change-colors.ts'

const steps = [-1, -0.6, -0.3, -0.1, 0, 0.1, 0.3, 0.6, 1]

/** Which colour is which change. */
export function ChangeLegend() {
  const isDark = useIsDark()
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
      <span>Only in base, or less in head</span>
      <span aria-hidden="true" className="flex overflow-hidden rounded-[3px]">
        {steps.map((change) => (
          <span key={change} className="h-3 w-6" style={{ background: changeColor(change, isDark) }} />
        ))}
      </span>
      <span>more in head, or only there</span>
      <span className="text-muted">Widths are of both sides together.</span>
    </p>
  )
}
