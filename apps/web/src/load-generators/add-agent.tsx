import { operations } from '@flamegate/contract'
import { useState } from 'react'
import { useCall } from '../api.ts'
import { Button } from '../components/button.tsx'
import { CopyField } from '../components/copy-field.tsx'
import { Dialog } from '../components/dialog.tsx'
import { FormButtons } from '../components/form-buttons.tsx'
import { FormResult } from '../components/form-result.tsx'
import { Form, textOf } from '../components/form.tsx'
import { PlusIcon } from '../components/icons.tsx'
import { Select } from '../components/select.tsx'
import { TextField } from '../components/text-field.tsx'
import { When } from '../components/when.tsx'

interface Props {
  workspaceId: string
  /** The group that it is for; else it is asked for. */
  group?: string
  /** What it is to do. */
  work?: Work
}

type Work = 'load' | 'monitors'

const words: Readonly<Record<Work, { where: string; what: string; group: string }>> = {
  load: {
    where: 'where the load is to come from',
    what: 'An agent makes the load of scenarios that name its group.',
    group: 'Scenarios name it in each user profile.',
  },
  monitors: {
    where: 'near the system that is monitored',
    what: 'An agent collects the monitors that name its group.',
    group: 'Monitors name it.',
  },
}

/** A button that makes the command that starts an agent, with a token that is shown once. */
export function AddAgent({ workspaceId, group, work = 'load' }: Props) {
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      <Button variant="primary" onPress={() => setOpen(true)}>
        <PlusIcon />
        {group === undefined ? 'Add an agent' : `Add an agent of ${group}`}
      </Button>
      <Dialog title="Add an agent" isOpen={isOpen} onClose={close}>
        <AgentForm workspaceId={workspaceId} group={group} work={work} onDone={close} />
      </Dialog>
    </>
  )
}

const lifetimes = [
  { id: '30', label: '30 days' },
  { id: '90', label: '90 days' },
  { id: '365', label: 'A year' },
]

interface FormProps {
  workspaceId: string
  group: string | undefined
  work: Work
  onDone: () => void
}

function AgentForm({ workspaceId, group, work, onDone }: FormProps) {
  const [lifetime, setLifetime] = useState('90')
  const call = useCall(operations.getAgentInstallCommand, [operations.listApiTokens])
  if (call.data !== undefined) {
    return (
      <FormResult onDone={onDone}>
        <p>
          Run this {words[work].where}, as often as you want agents. It holds a token that is not shown again,
          and that gets the secrets of what agents run: keep it like a password.
        </p>
        <CopyField label="Command" value={call.data.command} />
        <p className="text-sm text-muted">
          The token expires <When at={call.data.expires_at} />. It can be revoked among the API tokens.
        </p>
      </FormResult>
    )
  }
  return (
    <Form
      error={call.error}
      fields={['agent_group', 'expires_in_days']}
      onSubmit={(values) =>
        call.mutate({
          workspace_id: workspaceId,
          agent_group: textOf(values, 'agent_group'),
          work,
          expires_in_days: Number(lifetime),
        })
      }
    >
      <p className="text-muted">
        {words[work].what} It connects outwards only, over HTTPS, and needs Node.js and the flamegate command.
      </p>
      <TextField
        label="Group"
        name="agent_group"
        defaultValue={group ?? 'default'}
        hint={words[work].group}
        maxLength={60}
      />
      <Select
        label="Its token works for"
        name="expires_in_days"
        choices={lifetimes}
        value={lifetime}
        onChange={setLifetime}
      />
      <FormButtons action="Make the command" isDisabled={call.isPending} onCancel={onDone} />
    </Form>
  )
}
