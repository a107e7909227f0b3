import {
  FieldError,
  Input,
  Label,
  Text,
  TextField as AriaTextField,
  type TextFieldProps,
} from 'react-aria-components/TextField'

import { useFieldMessage } from './form-messages.ts'

export const inputClass =
  'h-9 w-full min-w-0 rounded-md border border-line-strong bg-surface px-3 text-text placeholder:text-muted data-disabled:border-line data-disabled:bg-sunken data-disabled:text-muted data-invalid:border-worse data-focused:outline-2 data-focused:outline-offset-[-1px] data-focused:outline-accent'

interface Props extends Omit<TextFieldProps, 'className' | 'children'> {
  label: string
  /** A sentence under the field. */
  hint?: string
  placeholder?: string
  className?: string
}

/** A line of text with its label. What the server said of the field of that `name` shows under it. */
export function TextField({ label, hint, placeholder, className = '', ...props }: Props) {
  const message = useFieldMessage(props.name)
  return (
    <AriaTextField
      {...props}
      validationBehavior="aria"
      isInvalid={message !== undefined}
      className={`flex min-w-0 flex-col gap-1 ${className}`}
    >
      <Label className="text-sm font-medium">{label}</Label>
      <Input placeholder={placeholder} className={inputClass} />
      {hint === undefined ? null : (
        <Text slot="description" className="text-sm text-muted">
          {hint}
        </Text>
      )}
      <FieldError className="text-sm text-worse">{message}</FieldError>
    </AriaTextField>
  )
}
