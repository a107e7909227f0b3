import type { ReactNode } from 'react'
import { itemAnchor } from './item-anchor.ts'
import { useReportSource } from './use-report-source.ts'

/** Leads to another item of the report, on paper too. */
export function ItemLink({ itemId, children }: { itemId: string; children: ReactNode }) {
  const { isShared } = useReportSource()
  return (
    <a
      href={`#${encodeURIComponent(itemAnchor(itemId))}`}
      className="text-link"
      onClick={(event) => {
        // What stands behind the # of a shared link is its secret, which has to stay.
        if (!isShared) return
        event.preventDefault()
        document.getElementById(itemAnchor(itemId))?.scrollIntoView()
      }}
    >
      {children}
    </a>
  )
}
