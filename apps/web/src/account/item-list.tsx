import type { ReactNode } from 'react'

interface Item {
  id: string
  title: string
  badge?: ReactNode
  detail: ReactNode
  action?: ReactNode
}

/** A few things with one thing to do about each; nothing when there are none. */
export function ItemList({ label, items }: { label: string; items: readonly Item[] }) {
  if (items.length === 0) return null
  return (
    <ul aria-label={label} className="rounded-lg border border-line bg-surface">
      {items.map((item) => (
        <li
          key={item.id}
          className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-b border-line px-4 py-2.5 last:border-b-0"
        >
          <div className="min-w-0">
            <p className="flex flex-wrap items-center gap-2">
              <span className="font-medium break-words">{item.title}</span>
              {item.badge}
            </p>
            <p className="text-sm text-muted">{item.detail}</p>
          </div>
          {item.action}
        </li>
      ))}
    </ul>
  )
}
