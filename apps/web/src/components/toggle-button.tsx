import { ToggleButton as AriaToggleButton, type ToggleButtonProps } from 'react-aria-components/ToggleButton'
import { buttonClass } from './button.tsx'

/** A button that stays pressed. */
export function ToggleButton(props: Omit<ToggleButtonProps, 'className'>) {
  return (
    <AriaToggleButton
      {...props}
      className={buttonClass('secondary', 'data-selected:border-accent data-selected:bg-accent-soft')}
    />
  )
}
