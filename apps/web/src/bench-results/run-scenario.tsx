import { operations } from '@flamegate/contract'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useAnswer, useCall } from '../api.ts'
import { Button } from '../components/button.tsx'
import { Caution } from '../components/caution.tsx'
import { Dialog } from '../components/dialog.tsx'
import { FormButtons } from '../components/form-buttons.tsx'
import { Form, textOf } from '../components/form.tsx'
import { TextField } from '../components/text-field.tsx'

interface Props {
  scenario: { id: string; name: string; version: number }
}

/** A button that makes the load of a scenario, after telling what stands against it, and leads to what is measured. */
export function RunScenario({ scenario }: Props) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button variant="primary" onPress={() => setOpen(true)}>
        Run
      </Button>
      <Dialog title={`Run “${scenario.name}”`} isOpen={isOpen} onClose={() => setOpen(false)}>
        <RunForm scenario={scenario} onClose={() => setOpen(false)} />
      </Dialog>
    </>
  )
}

function RunForm({ scenario, onClose }: Props & { onClose: () => void }) {
  const navigate = useNavigate()
  const checks = useAnswer(operations.preflightScenario, { scenario_id: scenario.id }).data?.checks ?? []
  const problems = checks.filter(({ grade }) => grade === 'error')
  const call = useCall(operations.runScenario, [operations.listBenchResults])
  const start = (values: FormData) => {
    const name = textOf(values, 'name').trim()
    call.mutate(
      {
        scenario_id: scenario.id,
        agents_max: Number(textOf(values, 'agents_max')),
        ...(name === '' ? {} : { name }),
      },
      {
        onSuccess: ({ bench_result: { id, project_id } }) => {
          onClose()
          void navigate({
            to: '/projects/$projectId/bench-results/$benchResultId',
            params: { projectId: project_id, benchResultId: id },
          })
        },
      },
    )
  }
  return (
    <Form error={call.error} fields={['name', 'agents_max']} onSubmit={start}>
      <p className="text-muted">
        Agents put real load on the servers of version {scenario.version}, as it is saved.
      </p>
      {problems.map(({ code, message }) => (
        <Caution key={`${code} ${message}`}>{message}</Caution>
      ))}
      <TextField label="Name of the run" name="name" placeholder={scenario.name} maxLength={80} />
      <TextField
        label="Agents of each group, at most"
        name="agents_max"
        inputMode="numeric"
        defaultValue="10"
      />
      <FormButtons
        action={problems.length === 0 ? 'Start' : 'Start anyway'}
        isDisabled={call.isPending}
        onCancel={onClose}
      />
    </Form>
  )
}
