import type { ReactNode } from 'react'
import { ChevronRight } from '../components/icons.tsx'

interface Props {
  /** From all classes inwards; the last is what is shown. */
  steps: readonly { label: string; open?: () => void }[]
  /** What is known of it in a line. */
  words: ReactNode
  /** What can be done with it. */
  actions?: ReactNode
}

/** Which class or object of a heap is shown, with the way back. */
export function HeapPlace({ steps, words, actions }: Props) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 rounded-lg bg-sunken px-4 py-2.5">
      <div className="min-w-0 grow basis-64">
        <nav aria-label="Heap">
          <ol className="flex flex-wrap items-center gap-1">
            {steps.map(({ label, open }, index) => (
              // oxlint-disable-next-line react/no-array-index-key -- they keep their places, and a class may be named as the first is
              <li key={index} className="flex min-w-0 items-center gap-1">
                {index === 0 ? null : (
                  <span className="text-muted">
                    <ChevronRight />
                  </span>
                )}
                {open === undefined ? (
                  <span aria-current="page" className="font-mono font-medium break-all">
                    {label}
                  </span>
                ) : (
                  <button type="button" onClick={open} className="text-link min-w-0 text-left break-all">
                    {label}
                  </button>
                )}
              </li>
            ))}
          </ol>
        </nav>
        <p className="text-sm text-muted tabular-nums">{words}</p>
      </div>
      {actions === undefined ? null : <div className="flex flex-wrap gap-2">{actions}</div>}
    </div>
  )
}
