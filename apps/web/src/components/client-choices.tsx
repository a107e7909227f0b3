import { toolsetNames } from '@flamegate/contract'
import { CheckboxGroup, FieldError } from 'react-aria-components/CheckboxGroup'
import type { Choices, ChoicesOffer } from '../allowances.ts'
import { toolsetTitle } from '../toolset-title.ts'
import { Checkbox } from './checkbox.tsx'
import { useFieldMessage } from './form-messages.ts'

interface Props {
  offer: ChoicesOffer
  value: Choices
  onChange: (choices: Choices) => void
}

/** What a client may reach: only reading or not, which workspaces, which toolsets. */
export function ClientChoices({ offer, value, onChange }: Props) {
  return (
    <div className="flex flex-col gap-4">
      <Checkbox
        isSelected={value.read_only}
        onChange={(isReadOnly) => onChange({ ...value, read_only: isReadOnly })}
      >
        <span>
          Only reading <span className="text-muted">It changes nothing, whatever else it may do.</span>
        </span>
      </Checkbox>
      <Limit
        name="workspace_ids"
        title="Workspaces"
        all="All my workspaces, also future ones"
        options={offer.workspaces.map(({ id, name }) => ({ id, label: name }))}
        value={value.workspace_ids}
        onChange={(ids) => onChange({ ...value, workspace_ids: ids })}
      />
      <Limit
        name="toolsets"
        title="Toolsets"
        all="All toolsets, also future ones"
        options={offer.toolsets.map(({ toolset, description }) => ({
          id: toolset,
          label: toolsetTitle(toolset),
          note: description,
        }))}
        value={value.toolsets}
        onChange={(ids) =>
          onChange({
            ...value,
            toolsets: ids === null ? null : toolsetNames.filter((name) => ids.includes(name)),
          })
        }
      />
    </div>
  )
}

interface LimitProps {
  /** Name of the field that the server speaks of. */
  name: string
  title: string
  all: string
  options: readonly { id: string; label: string; note?: string }[]
  /** Null is all. */
  value: readonly string[] | null
  onChange: (ids: readonly string[] | null) => void
}

/** Everything, or a selection that opens below. */
function Limit({ name, title, all, options, value, onChange }: LimitProps) {
  const message = useFieldMessage(name)
  return (
    <div className="flex flex-col gap-2">
      <Checkbox isSelected={value === null} onChange={(isAll) => onChange(isAll ? null : [])}>
        {all}
      </Checkbox>
      {value === null ? null : (
        <CheckboxGroup
          aria-label={title}
          validationBehavior="aria"
          isInvalid={message !== undefined}
          value={[...value]}
          onChange={onChange}
          className="ml-7 flex max-h-72 flex-col gap-2 overflow-y-auto p-0.5"
        >
          {options.map(({ id, label, note }) => (
            <Checkbox key={id} value={id}>
              <span className="min-w-0 break-words">
                {label} {note === undefined ? null : <span className="text-sm text-muted">{note}</span>}
              </span>
            </Checkbox>
          ))}
          <FieldError className="text-sm text-worse">{message}</FieldError>
        </CheckboxGroup>
      )}
    </div>
  )
}
