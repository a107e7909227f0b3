import type { ReactNode } from 'react'
import { Button } from '../components/button.tsx'
import { WarningIcon } from '../components/icons.tsx'
import { comeIntoSight } from '../virtual-users/come-into-sight.ts'

interface Props {
  /** The version that the unsaved changes are made to. */
  version: number
  newest: number
  /** What was saved meanwhile. */
  children: ReactNode
  onApply: () => void
  onDiscard: () => void
}

/** Somebody saved another version of a document while this one was changed: what they did, and what can be done about it. */
export function StaleVersion({ version, newest, children, onApply, onDiscard }: Props) {
  return (
    <section
      ref={comeIntoSight}
      role="alert"
      aria-label="A newer version"
      className="flex flex-col gap-3 rounded-lg border border-caution/40 bg-caution-soft p-4"
    >
      <div className="flex gap-3">
        <span className="mt-0.5 text-caution">
          <WarningIcon />
        </span>
        <div className="min-w-0">
          <p className="font-medium">
            Version {newest} was saved while you changed version {version}
          </p>
          <p>Your changes are still here. This is what was saved:</p>
        </div>
      </div>
      {children}
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" onPress={onApply}>
          Apply mine on top
        </Button>
        <Button onPress={onDiscard}>Discard mine</Button>
      </div>
    </section>
  )
}
