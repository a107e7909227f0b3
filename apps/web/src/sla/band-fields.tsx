import { needsStatistic, thresholdMetricNames, thresholdMetrics, unitOf } from '@flamegate/loadtest/scenario'
import { IconButton } from '../components/button.tsx'
import { Checkbox } from '../components/checkbox.tsx'
import { CloseIcon } from '../components/icons.tsx'
import { Select } from '../components/select.tsx'
import { TextField } from '../components/text-field.tsx'
import type { BandDraft } from './band-draft.ts'

interface Props {
  /** Its place among the bands: what the server calls it. */
  index: number
  band: BandDraft
  onChange: (band: BandDraft) => void
  onRemove: () => void
}

const severities: readonly { id: BandDraft['severity']; label: string; note?: string }[] = [
  { id: 'critical', label: 'critical', note: 'The run fails.' },
  { id: 'warning', label: 'warning', note: 'It passes, and says so.' },
  { id: 'passed', label: 'passed' },
]
const metrics = thresholdMetricNames.map((id) => ({ id, label: thresholdMetrics[id].words }))
const conditions = [
  { id: 'duration', label: 'without a break for (seconds)' },
  { id: 'occurrences', label: 'in all for (seconds)' },
]

/** A range of a metric, and for how long a run may be in it. */
export function BandFields({ index, band, onChange, onRemove }: Props) {
  const set = (change: Partial<BandDraft>) => onChange({ ...band, ...change })
  const field = (name: string) => `bands.${index}.${name}`
  const unit = unitOf(band.metric)
  const inUnit = (label: string) => (unit === '' ? label : `${label} (${unit})`)
  return (
    <fieldset className="relative grid gap-3 rounded-md border border-line p-3 sm:grid-cols-3">
      <legend className="px-1 text-sm text-muted">Band {index + 1}</legend>
      <Select
        label="It is"
        name={field('severity')}
        choices={severities}
        value={band.severity}
        onChange={(id) => set({ severity: severities.find((each) => each.id === id)?.id ?? band.severity })}
      />
      <Select
        label="When"
        name={field('metric')}
        choices={metrics}
        value={band.metric}
        onChange={(id) => set({ metric: thresholdMetricNames.find((each) => each === id) ?? band.metric })}
      />
      {needsStatistic(band.metric) ? (
        <TextField
          label="Statistic"
          name={field('statistic')}
          value={band.statistic}
          placeholder="p95"
          onChange={(statistic) => set({ statistic })}
        />
      ) : band.metric === 'apdex' ? (
        <TextField
          label="Target (ms)"
          name={field('apdex_target_ms')}
          value={band.apdexTarget}
          onChange={(apdexTarget) => set({ apdexTarget })}
        />
      ) : (
        <span />
      )}
      <div className="flex flex-col gap-2">
        <TextField
          label={inUnit('From')}
          name={field('from')}
          value={band.from}
          placeholder="open"
          onChange={(from) => set({ from })}
        />
        <Checkbox isSelected={band.isFromIncluded} onChange={(isFromIncluded) => set({ isFromIncluded })}>
          included
        </Checkbox>
      </div>
      <div className="flex flex-col gap-2">
        <TextField
          label={inUnit('To')}
          name={field('to')}
          value={band.to}
          placeholder="open"
          onChange={(to) => set({ to })}
        />
        <Checkbox isSelected={band.isToIncluded} onChange={(isToIncluded) => set({ isToIncluded })}>
          included
        </Checkbox>
      </div>
      <div className="flex flex-col gap-2">
        <Select
          label="It counts"
          choices={conditions}
          value={band.condition}
          onChange={(id) => set({ condition: id === 'duration' ? 'duration' : 'occurrences' })}
        />
        <TextField
          label="Seconds"
          className="[&_label]:sr-only"
          name={field(band.condition === 'duration' ? 'condition.duration_ms' : 'condition.times')}
          value={band.amount}
          onChange={(amount) => set({ amount })}
        />
      </div>
      <IconButton label={`Remove band ${index + 1}`} onPress={onRemove} className="absolute! -top-2 right-1">
        <CloseIcon />
      </IconButton>
    </fieldset>
  )
}
