import type { ReactNode } from 'react'
import { Mark } from '../components/icons.tsx'

interface Props {
  title: string
  children: ReactNode
}

/** A page with one thing to do and no navigation: logging in, joining, consent. */
export function BarePage({ title, children }: Props) {
  return (
    <div className="flex min-h-dvh flex-col items-center px-4 pt-[max(2rem,10vh)] pb-16">
      <title>{`${title} – Flamegate`}</title>
      <header className="mb-6 flex items-center gap-2.5 text-lg font-semibold">
        <Mark className="size-7" />
        Flamegate
      </header>
      <main className="w-full max-w-md rounded-lg border border-line bg-surface p-6 shadow-raised sm:p-8">
        <h1 className="mb-5 text-xl font-semibold tracking-tight">{title}</h1>
        {children}
      </main>
    </div>
  )
}
