import { operations } from '@flamegate/contract'
import type { ComponentProps } from 'react'
import { useAnswer } from '../api.ts'
import { Button } from '../components/button.tsx'
import { CloseIcon } from '../components/icons.tsx'
import { Select } from '../components/select.tsx'
import { TextField } from '../components/text-field.tsx'
import { useTypedWords } from '../profile-views/use-typed-words.ts'
import type { Filters } from './filters.ts'

interface Props {
  workspaceId: string
  filters: Filters
  onChange: (change: Filters) => void
}

const anybody = 'Anybody'
const decisions = [
  { id: 'any', label: 'All calls' },
  { id: 'allowed', label: 'Allowed' },
  { id: 'refused', label: 'Refused' },
  { id: 'confirmation_required', label: 'Asked to confirm' },
  { id: 'confirmed', label: 'Confirmed' },
]

/** Narrows the audit log. What can only be taken over from an event, a client or an outcome, shows as a button. */
export function FilterBar({ workspaceId, filters, onChange }: Props) {
  const { data } = useAnswer(operations.listWorkspaceMembers, { workspace_id: workspaceId })
  const emails = (data?.members ?? []).filter(({ status }) => status === 'active').map(({ email }) => email)
  const people = new Set([anybody, ...emails, ...(filters.user === undefined ? [] : [filters.user])])
  const text = (name: 'operation' | 'target' | 'from' | 'to') => ({
    kept: filters[name],
    onKeep: (words: string) => onChange({ [name]: words }),
  })
  return (
    <search aria-label="Filters" className="flex flex-wrap items-end gap-3">
      <TypedField
        label="Operation"
        placeholder="compare_runs"
        className="w-48 grow sm:grow-0"
        {...text('operation')}
      />
      <Select
        label="Person"
        className="w-52 grow sm:grow-0"
        choices={[...people].map((id) => ({ id, label: id }))}
        value={filters.user ?? anybody}
        onChange={(user) => onChange({ user: user === anybody ? '' : user })}
      />
      <Select
        label="Decision"
        className="w-44"
        choices={decisions}
        value={filters.decision ?? 'any'}
        onChange={(decision) => onChange({ decision: decision === 'any' ? '' : decision })}
      />
      <TypedField
        label="On what"
        placeholder="Part of its id"
        className="w-44 grow sm:grow-0"
        {...text('target')}
      />
      <TypedField label="From" type="date" className="w-40" {...text('from')} />
      <TypedField label="To" type="date" className="w-40" {...text('to')} />
      {(['client', 'outcome'] as const).map((name) =>
        filters[name] === undefined ? null : (
          <Button
            key={name}
            aria-label={`Do not narrow to this ${name}: ${filters[name]}`}
            onPress={() => onChange({ [name]: '' })}
            className="max-w-full shrink!"
          >
            <span className="truncate">
              {name}: {filters[name]}
            </span>
            <CloseIcon />
          </Button>
        ),
      )}
    </search>
  )
}

interface TypedFieldProps extends ComponentProps<typeof TextField> {
  /** What the address says. */
  kept: string | undefined
  onKeep: (words: string) => void
}

/** A field that is quicker than the address that follows it. */
function TypedField({ kept, onKeep, ...field }: TypedFieldProps) {
  const [words, setWords] = useTypedWords(kept, onKeep)
  return <TextField {...field} value={words} onChange={setWords} />
}
