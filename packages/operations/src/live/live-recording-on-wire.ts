import type { operations, OutputOf } from '@flamegate/contract'
import type { LiveRecording } from '../ports/index.ts'

export function liveRecordingOnWire(
  recording: LiveRecording,
): OutputOf<typeof operations.getLiveRecording>['live_recording'] {
  return {
    id: recording.id,
    project_id: recording.projectId,
    live_app_id: recording.liveAppId,
    app: recording.app,
    name: recording.name,
    note: recording.note,
    from: recording.from.toISOString(),
    to: recording.to.toISOString(),
    processes: recording.processes,
    sections: recording.sections,
    size_bytes: recording.sizeBytes,
    created_by: recording.createdBy,
    created_at: recording.createdAt.toISOString(),
  }
}
