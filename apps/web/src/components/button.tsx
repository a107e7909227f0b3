import { type ReactNode, useEffect, useRef } from 'react'
import { Button as AriaButton, type ButtonProps } from 'react-aria-components/Button'

export type ButtonVariant = 'primary' | 'secondary' | 'quiet' | 'danger'

const shape =
  'inline-flex h-9 shrink-0 items-center justify-center gap-1.5 whitespace-nowrap rounded-md px-3.5 font-medium transition-colors select-none disabled:opacity-50 data-disabled:opacity-50'

const looks: Record<ButtonVariant, string> = {
  primary: 'bg-accent-fill text-on-accent hover:bg-accent-fill-hover',
  secondary: 'border border-line bg-surface text-text shadow-raised hover:bg-hover',
  quiet: 'text-text hover:bg-hover',
  danger: 'bg-worse-fill text-on-accent hover:bg-worse-fill-hover',
}

/** Classes of a button, for links that look like one. */
export function buttonClass(variant: ButtonVariant = 'secondary', extra = ''): string {
  return `${shape} ${looks[variant]} ${extra}`
}

interface Props extends Omit<ButtonProps, 'className' | 'children'> {
  variant?: ButtonVariant
  className?: string
  children: ReactNode
}

export function Button({ variant = 'secondary', className = '', children, ...props }: Props) {
  const pressed = useFocusThatComesBack(props)
  return (
    <AriaButton {...props} {...pressed} className={buttonClass(variant, className)}>
      {children}
    </AriaButton>
  )
}

interface IconButtonProps extends Omit<Props, 'children'> {
  /** What it does: the accessible name. */
  label: string
  children: ReactNode
}

/** A square button with an icon and a name for assistive technology. */
export function IconButton({
  label,
  variant = 'quiet',
  className = '',
  children,
  ...props
}: IconButtonProps) {
  const pressed = useFocusThatComesBack(props)
  return (
    <AriaButton
      {...props}
      {...pressed}
      aria-label={label}
      className={`${buttonClass(variant, className)} w-9 px-0!`}
    >
      {children}
    </AriaButton>
  )
}

/**
 * What is disabled loses the focus: a button that is, for as long as the call lasts that it began, has it again afterwards. Else
 * whoever pressed it by keyboard would go on from the top of the page.
 */
function useFocusThatComesBack({ isDisabled, onPress }: Pick<ButtonProps, 'isDisabled' | 'onPress'>) {
  const ref = useRef<HTMLButtonElement>(null)
  const wasPressed = useRef(false)
  useEffect(() => {
    if (isDisabled === true || !wasPressed.current) return
    wasPressed.current = false
    if (document.activeElement === document.body) ref.current?.focus()
  }, [isDisabled])
  const press: ButtonProps['onPress'] = (event) => {
    wasPressed.current = true
    onPress?.(event)
  }
  return { ref, onPress: press }
}
