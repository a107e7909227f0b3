import { idPrefixes, operations, Problem } from '@flamegate/contract'
import type { CallContext } from '../implement.ts'
import type { LiveApp, LiveRecording, LiveTold } from '../ports/index.ts'
import { reach } from '../targets.ts'

/** What a question is asked of: a live app, or a recording of one. */
export interface LiveSource {
  id: string
  projectId: string
  /** Name of the app. */
  app: string
  /** Undefined when it is the app itself. */
  recording?: LiveRecording
  /** Of a recording its end. */
  lastPushAt: Date | null
  told: LiveTold
}

/** A live app among those that the caller may read. */
export async function getLiveApp(context: CallContext, id: string): Promise<LiveApp> {
  const app = await context.deps.stores.live.find(context.caller, id)
  if (app === undefined) {
    const detail = isOfRecording(id)
      ? 'This is a live recording. It has no log entries, and stays as it is: give the id of a live app.'
      : 'No such live app in your workspaces.'
    throw new Problem('live_app_not_found', detail, {
      hint: [operations.listLiveApps, 'shows those of a project'],
    })
  }
  await reach(context, app.workspaceId, app.id)
  return app
}

/** A live recording among those that the caller may read. */
export async function getLiveRecording(context: CallContext, id: string): Promise<LiveRecording> {
  const recording = await context.deps.stores.liveRecordings.find(context.caller, id)
  if (recording === undefined) {
    throw new Problem('live_recording_not_found', 'No such live recording in your workspaces.', {
      hint: [operations.listLiveRecordings, 'shows those of a project'],
    })
  }
  await reach(context, recording.workspaceId, recording.id)
  return recording
}

/** A live app or a live recording, by its id, among those that the caller may read. */
export async function getLiveSource(context: CallContext, id: string): Promise<LiveSource> {
  if (!isOfRecording(id)) return sourceOf(context, await getLiveApp(context, id))
  const recording = await getLiveRecording(context, id)
  const { projectId, app, to } = recording
  return { id, projectId, app, recording, lastPushAt: to, told: context.deps.stores.liveRecordings }
}

export function sourceOf({ deps }: CallContext, { id, projectId, name, lastPushAt }: LiveApp): LiveSource {
  return { id, projectId, app: name, lastPushAt, told: deps.stores.live }
}

function isOfRecording(id: string): boolean {
  return id.startsWith(`${idPrefixes.liveRecording}_`)
}
