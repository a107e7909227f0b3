import { FieldError, Label, Text, TextField, type TextFieldProps } from 'react-aria-components/TextField'
import { TextArea as AriaTextArea } from 'react-aria-components/TextArea'
import { useFieldMessage } from './form-messages.ts'

interface Props extends Omit<TextFieldProps, 'className' | 'children'> {
  label: string
  /** A sentence under the field. */
  hint?: string
  placeholder?: string
  lines: number
  /** In the font of code, without wrapping. */
  isCode?: boolean
  className?: string
}

/** Several lines of text with their label. What the server said of the field of that `name` shows under it. */
export function TextArea({
  label,
  hint,
  placeholder,
  lines,
  isCode = false,
  className = '',
  ...props
}: Props) {
  const message = useFieldMessage(props.name)
  return (
    <TextField
      {...props}
      validationBehavior="aria"
      isInvalid={message !== undefined}
      className={`flex min-w-0 flex-col gap-1 ${className}`}
    >
      <Label className="text-sm font-medium">{label}</Label>
      <AriaTextArea
        placeholder={placeholder}
        rows={lines}
        {...(isCode ? { wrap: 'off', spellCheck: false } : {})}
        className={`w-full min-w-0 rounded-md border border-line-strong bg-surface px-3 py-1.5 text-text placeholder:text-muted data-focused:outline-2 data-focused:outline-offset-[-1px] data-focused:outline-accent data-invalid:border-worse ${isCode ? 'font-mono text-sm' : ''}`}
      />
      {hint === undefined ? null : (
        <Text slot="description" className="text-sm text-muted">
          {hint}
        </Text>
      )}
      <FieldError className="text-sm text-worse">{message}</FieldError>
    </TextField>
  )
}
