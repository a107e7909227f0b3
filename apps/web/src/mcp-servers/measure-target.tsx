import { type McpTargetShape, operations } from '@flamegate/contract'
import { useState } from 'react'
import { useCall } from '../api.ts'
import { Button } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { FormButtons } from '../components/form-buttons.tsx'
import { Form, textOf } from '../components/form.tsx'
import { Select } from '../components/select.tsx'
import { TextField } from '../components/text-field.tsx'
import { Ordered } from './ordered.tsx'

const measures = [
  { id: 'load', label: 'Load', note: 'So many calls at a time' },
  { id: 'diagnosis', label: 'Diagnosis', note: 'All that the rules need' },
  { id: 'times', label: 'Times', note: 'One call after the other' },
  { id: 'cpu', label: 'CPU profile', note: 'Of a program in Node.js, Python, Java or Go' },
  { id: 'memory', label: 'Memory', note: 'Heap and garbage collection' },
  { id: 'leaks', label: 'Memory leaks', note: 'Growth under a steady load' },
] as const

/** Has a server measured, by a collector or by commands. */
export function MeasureTarget({ target }: { target: McpTargetShape }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button variant="primary" onPress={() => setOpen(true)}>
        Measure…
      </Button>
      {isOpen ? (
        <Dialog title={`Measure ${target.name}`} isOpen wide onClose={() => setOpen(false)}>
          <MeasureForm mcpTargetId={target.id} onDone={() => setOpen(false)} />
        </Dialog>
      ) : null}
    </>
  )
}

function MeasureForm({ mcpTargetId, onDone }: { mcpTargetId: string; onDone: () => void }) {
  const [what, setWhat] = useState('load')
  const outdated = [operations.listMcpSessions, operations.getMcpTarget]
  const load = useCall(operations.loadTestMcpServer, outdated)
  const profile = useCall(operations.profileMcpServer, outdated)
  const order = load.data ?? profile.data
  if (order !== undefined) return <Ordered order={order} onDone={onDone} />
  const submit = (values: FormData) => {
    const label = textOf(values, 'label').trim()
    const common = {
      mcp_target_id: mcpTargetId,
      seconds: Number(textOf(values, 'seconds')),
      ...(label === '' ? {} : { label }),
    }
    const measure = measures.find(({ id }) => id === what)?.id ?? 'load'
    if (measure === 'load') {
      load.mutate({ ...common, concurrent: [Number(textOf(values, 'concurrent.0'))] })
    } else profile.mutate({ ...common, measure })
  }
  return (
    <Form error={load.error ?? profile.error} fields={['concurrent.0', 'seconds', 'label']} onSubmit={submit}>
      <Select label="What" choices={measures} value={what} onChange={setWhat} />
      <div className="grid gap-4 sm:grid-cols-3">
        {what === 'load' ? (
          <TextField label="Calls at a time" name="concurrent.0" inputMode="numeric" defaultValue="4" />
        ) : null}
        <TextField label="Seconds" name="seconds" inputMode="numeric" defaultValue="30" />
        <TextField label="Label" name="label" hint="A version or a commit" />
      </div>
      <FormButtons action="Measure" isDisabled={load.isPending || profile.isPending} onCancel={onDone} />
    </Form>
  )
}
