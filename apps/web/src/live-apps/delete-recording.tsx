import { operations } from '@flamegate/contract'
import { useCall } from '../api.ts'
import { ConfirmDialog } from '../components/confirm-dialog.tsx'
import { say } from '../components/toasts.tsx'
import type { LiveRecording } from './recording-table.tsx'

interface Props {
  recording: LiveRecording
  onDeleted?: () => void
  onClose: () => void
}

/** Asks before a recording is deleted. */
export function DeleteRecording({ recording, onDeleted, onClose }: Props) {
  const call = useCall(operations.deleteLiveRecording, [operations.listLiveRecordings])
  const confirm = () =>
    call.mutate(
      { live_recording_id: recording.id },
      {
        onSuccess: () => {
          say(`${recording.name} is deleted.`)
          onClose()
          onDeleted?.()
        },
      },
    )
  return (
    <ConfirmDialog
      title={`Delete ${recording.name}?`}
      action="Delete for good"
      isOpen
      isPending={call.isPending}
      error={call.error}
      onConfirm={confirm}
      onClose={onClose}
    >
      What {recording.app} told in this time is removed for good, unless the app itself still keeps it.
    </ConfirmDialog>
  )
}
