import type { ReactNode } from 'react'
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
  return (
    <AriaButton {...props} className={buttonClass(variant, className)}>
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
  return (
    <AriaButton {...props} aria-label={label} className={`${buttonClass(variant, className)} w-9 px-0!`}>
      {children}
    </AriaButton>
  )
}
