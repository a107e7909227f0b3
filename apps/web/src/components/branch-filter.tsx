import { operations } from '@flamegate/contract'
import { useMemo } from 'react'
import { Button, ComboBox, Input, ListBox, ListBoxItem, Popover } from 'react-aria-components/ComboBox'
import { useAnswer } from '../api.ts'
import { ChevronDown } from './icons.tsx'
import { popoverClass } from './popover-class.ts'
import { inputClass } from './text-field.tsx'

interface Props {
  projectId: string
  value: string | undefined
  onChange: (branch: string | undefined) => void
}

const allBranches = 'All branches'

/** Narrows to a branch: one of those of the latest runs, or any that is typed. */
export function BranchFilter({ projectId, value, onChange }: Props) {
  const { data } = useAnswer(operations.listRuns, { repository: projectId, limit: 100 })
  const choices = useMemo(() => {
    const branches = new Set((data?.runs ?? []).map(({ branch }) => branch))
    if (value !== undefined) branches.add(value)
    return [allBranches, ...[...branches].toSorted()].map((id) => ({ id }))
  }, [data, value])
  const choose = (branch: string) => onChange(branch === allBranches || branch === '' ? undefined : branch)
  return (
    <ComboBox
      // Anew when the address changes, so that Back shows in the box too.
      key={value}
      aria-label="Branch"
      allowsCustomValue
      menuTrigger="focus"
      defaultInputValue={value ?? allBranches}
      defaultItems={choices}
      onSelectionChange={(key) => {
        if (key !== null) choose(String(key))
      }}
      className="relative w-56 min-w-0"
    >
      <Input
        className={`${inputClass} pr-9!`}
        onFocus={(event) => event.currentTarget.select()}
        onKeyDown={(event) => {
          // A branch that the arrows have come to is chosen by the box, which was told of the key before.
          if (event.key === 'Enter' && !event.currentTarget.hasAttribute('aria-activedescendant'))
            choose(event.currentTarget.value.trim())
        }}
      />
      <Button className="absolute inset-y-0 right-1 my-auto flex size-7 items-center justify-center rounded-sm text-muted hover:bg-hover">
        <ChevronDown />
      </Button>
      <Popover className={`${popoverClass} w-(--trigger-width)`}>
        <ListBox className="outline-none">
          {({ id }: { id: string }) => (
            <ListBoxItem
              id={id}
              textValue={id}
              className="cursor-default truncate rounded-sm px-2.5 py-1.5 outline-none data-focused:bg-hover data-selected:font-medium"
            >
              {id}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  )
}
