import type { ReactNode } from 'react'
import { CheckboxGroup as AriaCheckboxGroup, FieldError, Label } from 'react-aria-components/CheckboxGroup'
import { Checkbox } from './checkbox.tsx'
import { useFieldMessage } from './form-messages.ts'

interface Props {
  label: string
  name: string
  choices: readonly { id: string; label: ReactNode }[]
  /** Ids of those that are ticked. */
  value: readonly string[]
  onChange: (value: readonly string[]) => void
}

/** Choices of which one at least is ticked. What the server said of the field of that `name` shows under them. */
export function CheckboxGroup({ label, name, choices, value, onChange }: Props) {
  const message = useFieldMessage(name)
  return (
    <AriaCheckboxGroup
      name={name}
      validationBehavior="aria"
      isInvalid={message !== undefined}
      value={[...value]}
      onChange={onChange}
      isRequired
      className="flex flex-col gap-2"
    >
      <Label className="text-sm font-medium">{label}</Label>
      {choices.map(({ id, label: words }) => (
        <Checkbox key={id} value={id}>
          {words}
        </Checkbox>
      ))}
      <FieldError className="text-sm text-worse">{message}</FieldError>
    </AriaCheckboxGroup>
  )
}
