import { operations, type AlertThresholdsShape } from '@flamegate/contract'
import { useState } from 'react'
import { useAnswer, useCall } from '../api.ts'
import { Answer } from '../components/answer.tsx'
import { Button } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { Form } from '../components/form.tsx'
import { Select } from '../components/select.tsx'
import { SkeletonTable } from '../components/skeleton.tsx'
import { TextField } from '../components/text-field.tsx'
import { say } from '../components/toasts.tsx'
import type { ThresholdPlace } from './live-thresholds.tsx'
import { changedInput, draftOf, statistics, type AlertDraft } from './threshold-draft.ts'

interface Props {
  place: ThresholdPlace
  onClose: () => void
}

const targetWords = {
  live_app: { all: 'live apps', one: 'live app', when: 'while a program runs' },
  mcp_target: { all: 'MCP servers', one: 'MCP server', when: 'when an MCP server is measured' },
} as const

const isOfProject = (place: ThresholdPlace) =>
  place.live_app_id === undefined && place.mcp_target_id === undefined

/** Sets what raises alerts while programs run, or when MCP servers are measured. */
export function ThresholdsDialog({ place, onClose }: Props) {
  const isOfAll = isOfProject(place)
  const words = targetWords[place.target]
  const query = useAnswer(operations.getAlertThresholds, place)
  return (
    <Dialog
      title={isOfAll ? `Thresholds of ${words.all}` : `Thresholds of this ${words.one}`}
      isOpen
      wide
      onClose={onClose}
    >
      <p className="text-muted">
        {isOfAll
          ? `What raises an alert ${words.when}. Leave a field empty to switch it off.`
          : 'Those of the project count until they are changed here. Leave a field empty to switch it off.'}
      </p>
      <Answer query={query} skeleton={<SkeletonTable rows={4} />}>
        {({ thresholds }) => <ThresholdsForm place={place} thresholds={thresholds} onClose={onClose} />}
      </Answer>
    </Dialog>
  )
}

interface FormProps {
  place: ThresholdPlace
  thresholds: AlertThresholdsShape
  onClose: () => void
}

const fields = [
  'high_cpu.percent',
  'high_cpu.for_seconds',
  'high_memory',
  'high_memory.bytes',
  'high_memory.percent',
  'high_memory.for_seconds',
  'slow_response.ms',
  'slow_response.functions',
  'slow_response.for_seconds',
  'high_error_rate.percent',
  'high_error_rate.for_seconds',
]

function ThresholdsForm({ place, thresholds, onClose }: FormProps) {
  const [start] = useState(() => draftOf(thresholds))
  const [draft, setDraft] = useState(start)
  const call = useCall(operations.setAlertThresholds, [operations.getAlertThresholds])
  // A session of an MCP server is judged as a whole.
  const lasts = place.target === 'live_app'
  const change = (part: Partial<AlertDraft>) => setDraft((before) => ({ ...before, ...part }))
  const text = (key: Exclude<keyof AlertDraft, 'slowStatistic'>) => ({
    value: draft[key],
    onChange: (value: string) => change({ [key]: value }),
  })
  const save = (input: Partial<ReturnType<typeof changedInput>> & { reset?: boolean }) =>
    call.mutate(
      { ...place, ...input },
      {
        onSuccess: () => {
          say('The thresholds are set.')
          onClose()
        },
      },
    )
  return (
    <Form error={call.error} fields={fields} onSubmit={() => save(changedInput(start, draft))}>
      <Row title="Processor time">
        <Amount label="Percent of a processor" name="high_cpu.percent" {...text('cpuPercent')} />
        {lasts ? <Lasting of="processor time" name="high_cpu.for_seconds" {...text('cpuSeconds')} /> : null}
      </Row>
      <Row title="Memory of a process">
        <Amount label="MiB" name="high_memory.bytes" {...text('memoryMib')} />
        <Amount label="Percent of what it may have" name="high_memory.percent" {...text('memoryPercent')} />
        {lasts ? <Lasting of="memory" name="high_memory.for_seconds" {...text('memorySeconds')} /> : null}
      </Row>
      <Row title="Slow calls">
        <Amount label="Longer than, in ms" name="slow_response.ms" {...text('slowMs')} />
        <Select
          label="Judged by"
          choices={statistics.map((id) => ({ id, label: id }))}
          value={draft.slowStatistic}
          onChange={(id) => change({ slowStatistic: statistics.find((each) => each === id) ?? 'p95' })}
        />
        <TextField
          label="Functions or routes"
          name="slow_response.functions"
          hint="any, all together, or names with commas between"
          {...text('slowFunctions')}
        />
        {lasts ? <Lasting of="slow calls" name="slow_response.for_seconds" {...text('slowSeconds')} /> : null}
      </Row>
      <Row title="Errors">
        <Amount label="Percent of calls that fail" name="high_error_rate.percent" {...text('errorPercent')} />
        {lasts ? <Lasting of="errors" name="high_error_rate.for_seconds" {...text('errorSeconds')} /> : null}
      </Row>
      <div className="flex flex-wrap justify-end gap-2">
        {isOfProject(place) ? null : (
          <Button isDisabled={call.isPending} onPress={() => save({ reset: true })}>
            Go by the project
          </Button>
        )}
        <Button onPress={onClose}>Cancel</Button>
        <Button type="submit" variant="primary" isDisabled={call.isPending}>
          Save
        </Button>
      </div>
    </Form>
  )
}

function Row({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="font-medium">{title}</legend>
      <div className="grid gap-4 sm:grid-cols-4">{children}</div>
    </fieldset>
  )
}

interface FieldProps {
  name: string
  value: string
  onChange: (value: string) => void
}

function Amount(props: FieldProps & { label: string }) {
  return <TextField inputMode="decimal" placeholder="Off" {...props} />
}

function Lasting({ of, ...props }: FieldProps & { of: string }) {
  return (
    <TextField label="For so many seconds" aria-label={`Seconds of ${of}`} inputMode="numeric" {...props} />
  )
}
