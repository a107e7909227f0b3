import { IconButton } from '../components/button.tsx'
import { CloseIcon } from '../components/icons.tsx'
import { Select } from '../components/select.tsx'
import { TextField } from '../components/text-field.tsx'
import type { ThresholdDraft } from './monitor-draft.ts'

interface Props {
  /** Its place among the thresholds: what the server calls it. */
  index: number
  threshold: ThresholdDraft
  onChange: (threshold: ThresholdDraft) => void
  onRemove: () => void
}

const severities = [
  { id: 'warning', label: 'warning' },
  { id: 'critical', label: 'critical' },
] as const
const limits = [
  { id: 'above', label: 'above' },
  { id: 'below', label: 'below' },
  { id: 'between', label: 'between' },
] as const
const lasting = [
  { id: 'occurrences', label: 'so many values in a row' },
  { id: 'seconds', label: 'for so many seconds' },
] as const

/** From which value on a counter raises an alarm. */
export function ThresholdFields({ index, threshold, onChange, onRemove }: Props) {
  const set = (change: Partial<ThresholdDraft>) => onChange({ ...threshold, ...change })
  const field = (name: string) => `document.thresholds.${index}.${name}`
  const { limit, lasts } = threshold
  return (
    <fieldset className="relative grid gap-3 rounded-md border border-line p-3 sm:grid-cols-3">
      <legend className="px-1 text-sm text-muted">Threshold {index + 1}</legend>
      <TextField
        label="Name"
        name={field('name')}
        value={threshold.name}
        onChange={(name) => set({ name })}
      />
      <TextField
        label="Counters"
        name={field('counters')}
        placeholder="cpu.used"
        value={threshold.counters}
        onChange={(counters) => set({ counters })}
      />
      <Select
        label="It is"
        name={field('severity')}
        choices={severities}
        value={threshold.severity}
        onChange={(id) => set({ severity: id === 'critical' ? 'critical' : 'warning' })}
      />
      <Select
        label="When it is"
        choices={limits}
        value={limit}
        onChange={(id) => set({ limit: limits.find((each) => each.id === id)?.id ?? limit })}
      />
      <TextField
        label={limit === 'between' ? 'From' : 'Value'}
        name={field(limit === 'between' ? 'between.0' : limit)}
        value={threshold.value}
        onChange={(value) => set({ value })}
      />
      {limit === 'between' ? (
        <TextField
          label="To"
          name={field('between.1')}
          value={threshold.upper}
          onChange={(upper) => set({ upper })}
        />
      ) : (
        <span />
      )}
      <Select
        label="It lasts"
        choices={lasting}
        value={lasts}
        onChange={(id) => set({ lasts: id === 'seconds' ? 'seconds' : 'occurrences' })}
      />
      <TextField
        label={lasts === 'seconds' ? 'Seconds' : 'Values'}
        name={field(lasts)}
        value={threshold.amount}
        onChange={(amount) => set({ amount })}
      />
      <IconButton
        label={`Remove threshold ${index + 1}`}
        onPress={onRemove}
        className="absolute! -top-2 right-1"
      >
        <CloseIcon />
      </IconButton>
    </fieldset>
  )
}
