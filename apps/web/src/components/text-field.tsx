import {
  FieldError,
  Input,
  Label,
  Text,
  TextField as AriaTextField,
  type TextFieldProps,
} from 'react-aria-components/TextField'

export const inputClass =
  'h-9 w-full min-w-0 rounded-md border border-line-strong bg-surface px-3 text-text placeholder:text-muted data-invalid:border-worse data-focused:outline-2 data-focused:outline-offset-[-1px] data-focused:outline-accent'

interface Props extends Omit<TextFieldProps, 'className' | 'children'> {
  label: string
  /** A sentence under the field. */
  hint?: string
  placeholder?: string
  className?: string
}

/** A line of text with its label. Messages of the form's `validationErrors` show under the field of that `name`. */
export function TextField({ label, hint, placeholder, className = '', ...props }: Props) {
  return (
    <AriaTextField {...props} className={`flex min-w-0 flex-col gap-1 ${className}`}>
      <Label className="text-sm font-medium">{label}</Label>
      <Input placeholder={placeholder} className={inputClass} />
      {hint === undefined ? null : (
        <Text slot="description" className="text-sm text-muted">
          {hint}
        </Text>
      )}
      <FieldError className="text-sm text-worse" />
    </AriaTextField>
  )
}
