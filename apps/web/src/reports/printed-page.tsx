import { type ReactNode, useLayoutEffect } from 'react'
import { Mark } from '../components/icons.tsx'
import { PrintedContext } from '../shell/printed.ts'

interface Props {
  title: string
  lead: ReactNode
  /** Whether nobody else puts numbers on the sheets. */
  isNumbered?: boolean
  children: ReactNode
}

/** Who reads it may be elsewhere than the browser that drew it: that of a worker is in UTC. */
const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()

/** A page for paper: light, as wide as A4 between its margins, and nothing but the report. */
export function PrintedPage({ title, lead, isNumbered = false, children }: Props) {
  useLayoutEffect(() => {
    const root = document.documentElement
    const { theme } = root.dataset
    root.dataset['theme'] = 'light'
    root.dataset['printed'] = 'true'
    return () => {
      delete root.dataset['printed']
      if (theme === undefined) delete root.dataset['theme']
      else root.dataset['theme'] = theme
    }
  }, [])
  return (
    <PrintedContext value>
      <title>{title}</title>
      <div className={`printed-page mx-auto flex flex-col gap-6 ${isNumbered ? 'numbered' : ''}`}>
        <header className="flex flex-col gap-2 border-b border-line-strong pb-4">
          <p className="flex items-center gap-2 text-sm text-muted">
            <Mark className="size-5" />
            Flamegate
          </p>
          <h1 className="text-2xl font-semibold tracking-tight break-words">{title}</h1>
          <p className="text-muted">{lead}</p>
          <p className="text-sm text-muted">Times are in {timeZone}.</p>
        </header>
        <main>{children}</main>
      </div>
    </PrintedContext>
  )
}
