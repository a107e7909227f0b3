import type { ReactNode } from 'react'
import { WarningIcon } from '../components/icons.tsx'
import { comeIntoSight } from './come-into-sight.ts'

interface Props {
  /** One for each fault, in a list. */
  children: ReactNode
}

/** That a document was not saved, and what for. */
export function NotSavedNote({ children }: Props) {
  return (
    <div
      ref={comeIntoSight}
      role="alert"
      className="flex gap-3 rounded-lg border border-worse/30 bg-worse-soft p-4"
    >
      <span className="mt-0.5 text-worse">
        <WarningIcon />
      </span>
      <div className="min-w-0 grow">
        <p className="font-medium text-worse">It was not saved: this would not be valid</p>
        <ul className="mt-1 flex flex-col gap-1">{children}</ul>
      </div>
    </div>
  )
}
