import type { ReactNode } from 'react'

interface Props {
  title: string
  /** What to do about it. */
  children?: ReactNode
}

/** Says that there is nothing yet, and what brings something. */
export function EmptyState({ title, children }: Props) {
  return (
    <div className="flex flex-col items-start gap-3 rounded-lg border border-dashed border-line-strong/60 px-6 py-8">
      <p className="text-lg font-semibold">{title}</p>
      {children === undefined ? null : (
        <div className="flex max-w-prose flex-col items-start gap-3 text-muted">{children}</div>
      )}
    </div>
  )
}
