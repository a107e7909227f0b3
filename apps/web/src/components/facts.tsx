import type { ReactNode } from 'react'

/** Names and values in as many columns as fit; empty values are left out. */
export function Facts({ entries }: { entries: Readonly<Record<string, ReactNode>> }) {
  const shown = Object.entries(entries).filter(
    ([, value]) => value !== null && value !== undefined && value !== '',
  )
  return (
    <dl className="grid grid-cols-[repeat(auto-fill,minmax(min(40%,13rem),1fr))] gap-x-6 gap-y-3">
      {shown.map(([name, value]) => (
        <div key={name} className="min-w-0">
          <dt className="text-sm text-muted">{name}</dt>
          <dd className="break-words">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
