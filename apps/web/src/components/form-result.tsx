import type { ReactNode } from 'react'
import { Button } from './button.tsx'

interface Props {
  onDone: () => void
  children: ReactNode
}

/** What came of a form, in its place, until somebody has taken it. */
export function FormResult({ onDone, children }: Props) {
  return (
    <div className="flex min-w-0 flex-col gap-4">
      {children}
      <Button variant="primary" onPress={onDone} className="self-end">
        Done
      </Button>
    </div>
  )
}
