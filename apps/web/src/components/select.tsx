import {
  Button,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  Select as AriaSelect,
  SelectValue,
} from 'react-aria-components/Select'
import { useFieldMessage } from './form-messages.ts'
import { CheckIcon, ChevronDown } from './icons.tsx'
import { popoverClass } from './popover-class.ts'

export interface Choice {
  id: string
  label: string
  /** A second, quieter line. */
  note?: string
}

interface Props {
  label: string
  /** Keeps the label for assistive technology only. */
  hideLabel?: boolean
  name?: string
  choices: readonly Choice[]
  value: string
  onChange: (id: string) => void
  className?: string
}

/** One of a few choices. */
export function Select({ label, hideLabel = false, name, choices, value, onChange, className = '' }: Props) {
  const message = useFieldMessage(name)
  return (
    <AriaSelect
      {...(hideLabel ? { 'aria-label': label } : {})}
      {...(name === undefined ? {} : { name })}
      value={value}
      // Choices may still be on their way when somebody opens it: they come into the open list.
      allowsEmptyCollection
      onChange={(key) => {
        if (key !== null) onChange(String(key))
      }}
      className={`flex min-w-0 flex-col gap-1 ${className}`}
    >
      {hideLabel ? null : <Label className="text-sm font-medium">{label}</Label>}
      <Button className="flex h-9 min-w-0 items-center justify-between gap-2 rounded-md border border-line-strong bg-surface px-3 text-left hover:bg-hover">
        <SelectValue className="min-w-0 truncate">{({ selectedText }) => selectedText}</SelectValue>
        <span className="text-muted">
          <ChevronDown />
        </span>
      </Button>
      {message === undefined ? null : <p className="text-sm text-worse">{message}</p>}
      <Popover className={`${popoverClass} min-w-(--trigger-width)`}>
        <ListBox
          items={choices}
          renderEmptyState={() => <p className="px-2.5 py-1.5 text-muted">Nothing to choose from yet.</p>}
          className="outline-none"
        >
          {(choice) => <ChoiceItem choice={choice} />}
        </ListBox>
      </Popover>
    </AriaSelect>
  )
}

function ChoiceItem({ choice }: { choice: Choice }) {
  return (
    <ListBoxItem
      id={choice.id}
      textValue={choice.label}
      className="group flex cursor-default items-center gap-3 rounded-sm px-2.5 py-1.5 outline-none data-focused:bg-hover"
    >
      <span className="min-w-0 grow">
        <span className="block truncate">{choice.label}</span>
        {choice.note === undefined ? null : (
          <span slot="description" className="block truncate text-sm text-muted">
            {choice.note}
          </span>
        )}
      </span>
      <span className="invisible text-accent group-data-selected:visible">
        <CheckIcon />
      </span>
    </ListBoxItem>
  )
}
