import type { ReactNode } from 'react'
import { WarningIcon } from './icons.tsx'

/** Something to think about before going on. */
export function Caution({ children }: { children: ReactNode }) {
  return (
    <p className="flex gap-2.5 rounded-md bg-caution-soft px-3 py-2 text-sm">
      <span className="mt-0.5 text-caution">
        <WarningIcon />
      </span>
      <span className="min-w-0">{children}</span>
    </p>
  )
}
