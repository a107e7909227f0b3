import { operations } from '@flamegate/contract'
import { ConfirmCall } from '../components/confirm-call.tsx'
import { say } from '../components/toasts.tsx'
import type { LiveRecording } from './recording-table.tsx'

interface Props {
  recording: LiveRecording
  onDeleted?: () => void
  onClose: () => void
}

/** Asks before a recording is deleted. */
export function DeleteRecording({ recording, onDeleted, onClose }: Props) {
  return (
    <ConfirmCall
      title={`Delete ${recording.name}?`}
      action="Delete for good"
      operation={operations.deleteLiveRecording}
      input={{ live_recording_id: recording.id }}
      outdates={[operations.listLiveRecordings]}
      onDone={() => {
        say(`${recording.name} is deleted.`)
        onDeleted?.()
      }}
      onClose={onClose}
    >
      What {recording.app} told in this time is removed for good, unless the app itself still keeps it.
    </ConfirmCall>
  )
}
