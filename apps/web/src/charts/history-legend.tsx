import { useState } from 'react'
import { Button } from '../components/button.tsx'
import { useIsDark } from '../shell/theme.ts'
import { seriesColor, seriesDash } from './series-colors.ts'

export interface BranchVisibility {
  hidden: ReadonlySet<string>
  onChange: (hidden: ReadonlySet<string>) => void
}

interface Props extends BranchVisibility {
  /** In the order of their colours. */
  branches: readonly string[]
  hasLevels: boolean
  hasAlerts: boolean
}

/** More would be a page of names; the rest comes when it is asked for. */
const firstBranches = 12

/** What the lines and marks of a history are. Of several branches each can be hidden by itself. */
export function HistoryLegend({ branches, hidden, onChange, hasLevels, hasAlerts }: Props) {
  const isDark = useIsDark()
  const [showsRest, setShowsRest] = useState(false)
  const shown = showsRest ? branches : branches.slice(0, firstBranches)
  const rest = branches.length - shown.length
  const toggle = (name: string) =>
    onChange(new Set(hidden.has(name) ? [...hidden].filter((each) => each !== name) : [...hidden, name]))
  const marks = [
    ...(hasLevels
      ? [{ sign: <span className="h-1.5 w-4 bg-accent opacity-30" />, words: 'level between changes' }]
      : []),
    ...(hasAlerts ? [{ sign: <span>▾</span>, words: 'alert, filled while it is open' }] : []),
  ]
  return (
    <ul aria-label="Legend" className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
      {shown.map((name, index) => {
        const line = (
          <>
            <span
              aria-hidden="true"
              className={`w-4 shrink-0 border-t-2 ${seriesDash(index) === undefined ? '' : 'border-dashed'}`}
              style={{ borderColor: seriesColor(index, isDark) }}
            />
            <span className="truncate">{name}</span>
          </>
        )
        return (
          <li key={name} className="min-w-0">
            {branches.length === 1 ? (
              <span className="flex min-w-0 items-center gap-1.5 px-2">{line}</span>
            ) : (
              <button
                type="button"
                aria-pressed={!hidden.has(name)}
                title={hidden.has(name) ? `Show ${name}` : `Hide ${name}`}
                onClick={() => toggle(name)}
                className="flex h-7 max-w-full items-center gap-1.5 rounded-md px-2 hover:bg-hover aria-[pressed=false]:text-muted aria-[pressed=false]:line-through"
              >
                {line}
              </button>
            )}
          </li>
        )
      })}
      {rest > 0 ? (
        <li>
          <Button variant="quiet" className="h-7! px-2!" onPress={() => setShowsRest(true)}>
            {rest} more
          </Button>
        </li>
      ) : null}
      {branches.some((name) => hidden.has(name)) ? (
        <li>
          <Button variant="quiet" className="h-7! px-2! text-accent!" onPress={() => onChange(new Set())}>
            Show every branch
          </Button>
        </li>
      ) : null}
      {marks.map(({ sign, words }) => (
        <li key={words} className="flex items-center gap-1.5 px-2 text-muted">
          <span aria-hidden="true" className="flex">
            {sign}
          </span>
          {words}
        </li>
      ))}
    </ul>
  )
}
