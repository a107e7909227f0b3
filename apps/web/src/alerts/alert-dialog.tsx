import { operations } from '@flamegate/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../api.ts'
import { Dialog } from '../components/dialog.tsx'
import { FormButtons } from '../components/form-buttons.tsx'
import { Form, textOf } from '../components/form.tsx'
import { Select } from '../components/select.tsx'
import { TextField } from '../components/text-field.tsx'
import { say } from '../components/toasts.tsx'
import { type AlertAction, type AnyAlert, isPossible } from './alert.ts'

interface Props {
  action: AlertAction
  alerts: readonly AnyAlert[]
  onClose: () => void
}

const looks: Readonly<Record<AlertAction, { verb: string; done: string; means: string }>> = {
  acknowledge: {
    verb: 'Acknowledge',
    done: 'acknowledged',
    means: 'Known and accepted: it no longer fails checks.',
  },
  mute: { verb: 'Mute', done: 'muted', means: 'Nobody hears of it for a while; then it is open again.' },
  resolve: { verb: 'Resolve', done: 'resolved', means: 'Repaired, or no change after all.' },
  reopen: { verb: 'Reopen', done: 'open again', means: 'It fails checks again.' },
}

const dayMs = 86_400_000
const muteDays = [1, 7, 30, 90]

export function actionVerb(action: AlertAction): string {
  return looks[action].verb
}

/** Asks why, and changes the state of one alert or many. */
export function AlertDialog({ action, alerts, onClose }: Props) {
  const { verb, done, means } = looks[action]
  const concerned = alerts.filter((alert) => isPossible(action, alert))
  const [days, setDays] = useState('7')
  const queries = useQueryClient()
  const call = useMutation<void, Error, string>({
    mutationFn: async (reason) => {
      const until = new Date(Date.now() + Number(days) * dayMs).toISOString()
      // One after the other: what was changed stays so when a later one is refused.
      for (const { id } of concerned) {
        await client.call(operations.resolveAlert, {
          alert_id: id,
          action,
          reason,
          ...(action === 'mute' ? { mute_until: until } : {}),
        })
      }
    },
    onSettled: async () => {
      const outdated = [
        operations.listPerformanceAlerts,
        operations.getBenchmarkHistory,
        operations.listBenchmarks,
        operations.compareRuns,
        operations.checkRegression,
      ]
      await Promise.all(outdated.map(({ id }) => queries.invalidateQueries({ queryKey: [id] })))
    },
    onSuccess: () => {
      say(concerned.length === 1 ? `The alert is ${done}.` : `${concerned.length} alerts are ${done}.`)
      onClose()
    },
  })
  const [first] = concerned
  return (
    <Dialog
      title={`${verb} ${concerned.length === 1 ? (first?.name ?? 'the alert') : `${concerned.length} alerts`}`}
      isOpen
      onClose={onClose}
    >
      <p className="text-muted">{means}</p>
      <Form
        error={call.error}
        fields={['reason', 'mute_until']}
        onSubmit={(values) => call.mutate(textOf(values, 'reason'))}
      >
        <TextField label="Reason" name="reason" hint="Everybody sees it." autoComplete="off" />
        {action === 'mute' ? (
          <Select
            label="For"
            name="mute_until"
            value={days}
            onChange={setDays}
            choices={muteDays.map((count) => ({
              id: String(count),
              label: count === 1 ? 'one day' : `${count} days`,
            }))}
          />
        ) : null}
        <FormButtons action={verb} isDisabled={call.isPending} onCancel={onClose} />
      </Form>
    </Dialog>
  )
}
