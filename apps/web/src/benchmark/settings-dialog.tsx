import { operations, type RawInputOf } from '@flamegate/contract'
import { useState } from 'react'
import { useCall } from '../api.ts'
import { Checkbox } from '../components/checkbox.tsx'
import { Dialog } from '../components/dialog.tsx'
import { FormButtons } from '../components/form-buttons.tsx'
import { Form, textOf } from '../components/form.tsx'
import { Select } from '../components/select.tsx'
import { TextField } from '../components/text-field.tsx'
import { say } from '../components/toasts.tsx'
import { readPercent } from '../thresholds/threshold.ts'
import type { Benchmark } from './history.ts'
import { outdatedByBenchmark } from './outdated.ts'

const states = [
  { id: 'active', label: 'Active', note: 'Measured and judged' },
  { id: 'ignored', label: 'Ignored', note: 'Measured, but never fails a check' },
  { id: 'archived', label: 'Archived', note: 'Hidden, because it is measured no more' },
] as const

/** Name to show, state, whether it is critical, and its own threshold. */
export function SettingsDialog({ benchmark, onClose }: { benchmark: Benchmark; onClose: () => void }) {
  const [state, setState] = useState<Benchmark['state']>(benchmark.state)
  const [isCritical, setCritical] = useState(benchmark.is_critical)
  const call = useCall(operations.updateBenchmark, outdatedByBenchmark)
  const threshold = benchmark.threshold_percent
  return (
    <Dialog title={`Settings of ${benchmark.name}`} isOpen onClose={onClose}>
      <Form
        error={call.error}
        fields={['name', 'state', 'threshold_percent']}
        onSubmit={(values) => {
          // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server is the one judge of what was typed
          const input = {
            benchmark_id: benchmark.id,
            name: textOf(values, 'name'),
            state,
            is_critical: isCritical,
            threshold_percent: readPercent(textOf(values, 'threshold_percent')),
          } as RawInputOf<typeof operations.updateBenchmark>
          call.mutate(input, {
            onSuccess: () => {
              say('The settings are saved.')
              onClose()
            },
          })
        }}
      >
        <TextField label="Name to show" name="name" defaultValue={benchmark.name} autoComplete="off" />
        <Select
          label="State"
          name="state"
          choices={states}
          value={state}
          onChange={(chosen) => setState(states.find(({ id }) => id === chosen)?.id ?? 'active')}
        />
        <TextField
          label="Own threshold (%)"
          name="threshold_percent"
          inputMode="decimal"
          defaultValue={threshold === null ? '' : String(threshold)}
          placeholder="As everywhere in the project"
          hint="From which change on a comparison counts it."
          autoComplete="off"
        />
        <Checkbox isSelected={isCritical} onChange={setCritical}>
          <span>Critical: a regression of it always fails a check</span>
        </Checkbox>
        <FormButtons action="Save" isDisabled={call.isPending} onCancel={onClose} />
      </Form>
    </Dialog>
  )
}
