import type { ReactNode } from 'react'
import { Checkbox as AriaCheckbox, type CheckboxProps } from 'react-aria-components/Checkbox'
import { CheckIcon } from './icons.tsx'

/** A box to tick, with its words beside it. */
export function Checkbox({
  children,
  ...props
}: Omit<CheckboxProps, 'className' | 'children'> & { children: ReactNode }) {
  return (
    <AriaCheckbox {...props} className="group flex items-start gap-2.5">
      <span className="mt-0.5 flex size-4.5 shrink-0 items-center justify-center rounded-sm border border-line-strong bg-surface text-transparent group-data-focus-visible:outline-2 group-data-focus-visible:outline-offset-2 group-data-focus-visible:outline-accent group-data-selected:border-accent-fill group-data-selected:bg-accent-fill group-data-selected:text-on-accent">
        <CheckIcon />
      </span>
      {children}
    </AriaCheckbox>
  )
}
