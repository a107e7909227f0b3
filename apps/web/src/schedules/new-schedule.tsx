import { operations } from '@flamegate/contract'
import { useState } from 'react'
import { useAnswer, useCall } from '../api.ts'
import { Button } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { FormButtons } from '../components/form-buttons.tsx'
import { Form, textOf } from '../components/form.tsx'
import { PlusIcon } from '../components/icons.tsx'
import { Select } from '../components/select.tsx'
import { TextField } from '../components/text-field.tsx'
import { say } from '../components/toasts.tsx'

interface Props {
  projectId: string
  /** Which one it is of; else it is asked for. */
  scenario?: { id: string; name: string }
}

/** A button that has a scenario run by itself: once, or again and again. */
export function NewSchedule({ projectId, scenario }: Props) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        {...(scenario === undefined ? { variant: 'primary' as const } : {})}
        onPress={() => setOpen(true)}
      >
        {scenario === undefined ? <PlusIcon /> : null}
        {scenario === undefined ? 'New schedule' : 'Schedule…'}
      </Button>
      <Dialog
        title={scenario === undefined ? 'New schedule' : `Schedule “${scenario.name}”`}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
      >
        <ScheduleForm projectId={projectId} scenario={scenario} onClose={() => setOpen(false)} />
      </Dialog>
    </>
  )
}

const ownTimeZone = new Intl.DateTimeFormat().resolvedOptions().timeZone

const kinds = [
  { id: 'cron', label: 'Again and again' },
  { id: 'once', label: 'Once' },
]
const overlaps = [
  { id: 'skip', label: 'Leave it out' },
  { id: 'wait', label: 'Run after it' },
]
const lates = [
  { id: 'skip', label: 'Only tell' },
  { id: 'run', label: 'Run late' },
]

function ScheduleForm({
  projectId,
  scenario,
  onClose,
}: Props & { scenario: Props['scenario']; onClose: () => void }) {
  const scenarios =
    useAnswer(
      operations.listScenarios,
      { project_id: projectId, limit: 100 },
      { enabled: scenario === undefined },
    ).data?.scenarios ?? []
  const [chosen, setChosen] = useState<string>()
  const [kind, setKind] = useState('cron')
  const [overlap, setOverlap] = useState('skip')
  const [late, setLate] = useState('skip')
  const call = useCall(operations.scheduleScenario, [operations.listScheduledJobs])
  const scenarioId = scenario?.id ?? chosen ?? scenarios[0]?.id ?? ''
  const save = (values: FormData) => {
    const name = textOf(values, 'name').trim()
    const local = textOf(values, 'run_at')
    call.mutate(
      {
        scenario_id: scenarioId,
        ...(name === '' ? {} : { name }),
        ...(kind === 'cron'
          ? { cron: textOf(values, 'cron').trim(), time_zone: textOf(values, 'time_zone').trim() }
          : { run_at: isoOf(local) }),
        overlap: overlap === 'wait' ? 'wait' : 'skip',
        when_overdue: late === 'run' ? 'run' : 'skip',
      },
      {
        onSuccess: ({ schedule }) => {
          say(`“${schedule.name}” is scheduled.`)
          onClose()
        },
      },
    )
  }
  return (
    <Form error={call.error} fields={['name', 'cron', 'time_zone', 'run_at']} onSubmit={save}>
      {scenario === undefined ? (
        <Select
          label="Scenario"
          choices={scenarios.map(({ id, name }) => ({ id, label: name }))}
          value={scenarioId}
          onChange={setChosen}
        />
      ) : null}
      <TextField label="Name" name="name" maxLength={80} placeholder="That of the scenario" />
      <Select label="How often" choices={kinds} value={kind} onChange={setKind} />
      {kind === 'cron' ? (
        <div className="grid gap-3 sm:grid-cols-2">
          <TextField
            label="Cron"
            name="cron"
            defaultValue="0 3 * * 1-5"
            hint="Minute, hour, day of the month, month, weekday"
          />
          <TextField label="Time zone" name="time_zone" defaultValue={ownTimeZone} />
        </div>
      ) : (
        <TextField label="At" name="run_at" type="datetime-local" hint="On the clock of this machine" />
      )}
      <div className="grid gap-3 sm:grid-cols-2">
        <Select
          label="While the run before goes on"
          choices={overlaps}
          value={overlap}
          onChange={setOverlap}
        />
        <Select label="When a time was missed" choices={lates} value={late} onChange={setLate} />
      </div>
      <p className="text-sm text-muted">It runs in your name, for as long as you may run scenarios here.</p>
      <FormButtons action="Schedule" isDisabled={call.isPending || scenarioId === ''} onCancel={onClose} />
    </Form>
  )
}

/** What the field has is a local time; what it has not is for the server to complain of. */
function isoOf(local: string): string {
  const date = new Date(local)
  return Number.isNaN(date.getTime()) ? local : date.toISOString()
}
