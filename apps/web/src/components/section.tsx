import { type ReactNode, useId } from 'react'

interface Props {
  title: string
  /** Beside the title, such as a filter. */
  aside?: ReactNode
  children: ReactNode
}

/** A part of a page under its own heading. */
export function Section({ title, aside, children }: Props) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="flex min-w-0 flex-col gap-3">
      <div className="flex min-h-9 flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <h2 id={id} className="text-lg font-semibold">
          {title}
        </h2>
        {aside}
      </div>
      {children}
    </section>
  )
}
