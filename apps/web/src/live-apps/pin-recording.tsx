import { operations } from '@flamegate/contract'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useCall } from '../api.ts'
import { Button } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { FormButtons } from '../components/form-buttons.tsx'
import { Form, textOf } from '../components/form.tsx'
import { Select } from '../components/select.tsx'
import { TextArea } from '../components/text-area.tsx'
import { TextField } from '../components/text-field.tsx'
import { say } from '../components/toasts.tsx'
import { liveWindows } from './live-windows.ts'

interface Props {
  liveAppId: string
  /** As it is looked at; one of `liveWindows`. */
  windowSeconds: number | undefined
}

/** A button that keeps what an app just did. */
export function PinRecording({ liveAppId, windowSeconds }: Props) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button onPress={() => setOpen(true)}>Pin…</Button>
      <Dialog title="Pin a recording" isOpen={isOpen} onClose={() => setOpen(false)}>
        <PinForm liveAppId={liveAppId} windowSeconds={windowSeconds} onClose={() => setOpen(false)} />
      </Dialog>
    </>
  )
}

function PinForm({ liveAppId, windowSeconds = 60, onClose }: Props & { onClose: () => void }) {
  const navigate = useNavigate()
  const call = useCall(operations.pinLiveRecording, [operations.listLiveRecordings])
  const [seconds, setSeconds] = useState(String(windowSeconds))
  const pin = (values: FormData) => {
    const note = textOf(values, 'note').trim()
    call.mutate(
      {
        live_app_id: liveAppId,
        name: textOf(values, 'name'),
        last_seconds: Number(seconds),
        ...(note === '' ? {} : { note }),
      },
      {
        onSuccess: ({ live_recording: { id, name } }) => {
          onClose()
          say(`${name} is kept.`, {
            label: 'Open',
            onPress: () =>
              void navigate({ to: '/live-recordings/$liveRecordingId', params: { liveRecordingId: id } }),
          })
        },
      },
    )
  }
  return (
    <Form error={call.error} fields={['name', 'last_seconds', 'note']} onSubmit={pin}>
      <p className="text-muted">
        What the app does is forgotten after a while; a recording of it is kept until somebody deletes it.
      </p>
      <TextField label="Name" name="name" maxLength={100} />
      <Select label="Time" name="last_seconds" choices={liveWindows} value={seconds} onChange={setSeconds} />
      <TextArea label="Note" name="note" lines={3} maxLength={2000} />
      <FormButtons action="Pin" isDisabled={call.isPending} onCancel={onClose} />
    </Form>
  )
}
