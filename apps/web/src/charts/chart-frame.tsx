import { type ReactNode, useState } from 'react'
import { ToggleButton } from '../components/toggle-button.tsx'

interface Props {
  title: string
  /** Where the same words stand above it already. */
  hidesTitle?: boolean
  /** Under the title. */
  note?: ReactNode
  chart: ReactNode
  /** The same as a table, when somebody asks for it. */
  table: ReactNode
}

/** A chart under its title, and its values as a table. */
export function ChartFrame({ title, hidesTitle = false, note, chart, table }: Props) {
  const [isTable, setTable] = useState(false)
  return (
    <figure
      aria-label={title}
      className="flex min-w-0 break-inside-avoid flex-col gap-2 rounded-lg border border-line bg-surface p-4"
    >
      <figcaption className="flex items-start justify-between gap-4">
        <div className="min-w-0">
          {hidesTitle ? null : <h3 className="font-semibold">{title}</h3>}
          {note === undefined ? null : <p className="text-sm text-muted">{note}</p>}
        </div>
        <span className="ml-auto printed:hidden">
          <ToggleButton aria-label={`${title} as a table`} isSelected={isTable} onChange={setTable}>
            Table
          </ToggleButton>
        </span>
      </figcaption>
      {isTable ? table : chart}
    </figure>
  )
}
