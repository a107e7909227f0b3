import { type McpTargetShape, operations } from '@flamegate/contract'
import { useState } from 'react'
import { useCall } from '../api.ts'
import { Button } from '../components/button.tsx'
import { CopyField } from '../components/copy-field.tsx'
import { Dialog } from '../components/dialog.tsx'
import { FormResult } from '../components/form-result.tsx'
import { Form, textOf } from '../components/form.tsx'
import { TextField } from '../components/text-field.tsx'
import { say } from '../components/toasts.tsx'

/** Has a server measured again and again. */
export function MonitorTarget({ target }: { target: McpTargetShape }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button onPress={() => setOpen(true)}>Monitor…</Button>
      {isOpen ? (
        <Dialog title={`Monitor ${target.name}`} isOpen onClose={() => setOpen(false)}>
          <MonitorForm target={target} onDone={() => setOpen(false)} />
        </Dialog>
      ) : null}
    </>
  )
}

function MonitorForm({ target, onDone }: { target: McpTargetShape; onDone: () => void }) {
  const { id, monitor } = target
  const call = useCall(operations.monitorMcpServer, [operations.getMcpTarget, operations.listMcpTargets])
  const change = (input: { is_on: boolean } & Record<string, number | boolean>) =>
    call.mutate(
      { mcp_target_id: id, ...input },
      {
        onSuccess: ({ commands }) => {
          say(input.is_on ? `${target.name} is monitored.` : `${target.name} is not monitored any more.`)
          if (commands.length === 0) onDone()
        },
      },
    )
  const commands = call.data?.commands ?? []
  if (commands.length > 0) {
    return (
      <FormResult onDone={onDone}>
        <p>No connected collector may measure it. Until one does, run this where it is:</p>
        {commands.map(({ title, command }) => (
          <CopyField key={title} label={title} value={command} />
        ))}
      </FormResult>
    )
  }
  return (
    <Form
      error={call.error}
      fields={['interval_seconds', 'retention_hours', 'seconds']}
      onSubmit={(values) =>
        change({
          is_on: true,
          interval_seconds: Number(textOf(values, 'interval_seconds')),
          retention_hours: Number(textOf(values, 'retention_hours')),
          seconds: Number(textOf(values, 'seconds')),
        })
      }
    >
      <TextField
        label="Every so many seconds"
        name="interval_seconds"
        inputMode="numeric"
        defaultValue={String(monitor?.interval_seconds ?? 300)}
      />
      <TextField
        label="For so many seconds"
        name="seconds"
        inputMode="numeric"
        hint="Two calls a second"
        defaultValue={String(monitor?.seconds ?? 10)}
      />
      <TextField
        label="Sessions are kept for so many hours"
        name="retention_hours"
        inputMode="numeric"
        defaultValue={String(monitor?.retention_hours ?? 24)}
      />
      <div className="flex flex-wrap justify-end gap-2">
        {monitor === null ? null : (
          <Button isDisabled={call.isPending} onPress={() => change({ is_on: false })}>
            Stop
          </Button>
        )}
        <Button onPress={onDone}>Cancel</Button>
        <Button type="submit" variant="primary" isDisabled={call.isPending}>
          Monitor
        </Button>
      </div>
    </Form>
  )
}
