import { newId, operations, Problem } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { liveRecordingBounds } from '../limits/live-limits.ts'
import type { LiveApp, LiveRecordingBounds, LiveRecordingRefusal } from '../ports/index.ts'
import { liveRecordingOnWire } from './live-recording-on-wire.ts'
import { getLiveApp, sourceOf } from './reaching.ts'
import { timeOfQuestion } from './time-of-question.ts'

const usualSeconds = 60

export const pinLiveRecording = implement(operations.pinLiveRecording)(async (input, context) => {
  const { from: fromText, last_seconds: seconds, until, name, note = null } = input
  if (fromText !== undefined && seconds !== undefined) {
    throw wrongTime('from', 'Give from or last_seconds, not both.')
  }
  if (until !== undefined && Date.parse(until) > Date.now()) {
    throw wrongTime('until', 'That is still to come; left out, it is the last push.')
  }
  const app = await getLiveApp(context, input.live_app_id)
  const time = await timeOfQuestion(context, sourceOf(context, app), {
    last_seconds: seconds ?? usualSeconds,
    until,
  })
  const { to } = time
  const from = fromText === undefined ? time.from : new Date(fromText)
  if (from >= to) throw wrongTime('from', `It is not before the end, ${to.toISOString()}.`)
  const bounds = await liveRecordingBounds(context.deps, app.workspaceId)
  const pinned = await context.deps.stores.liveRecordings.pin(
    context.caller,
    {
      id: newId('liveRecording'),
      workspaceId: app.workspaceId,
      projectId: app.projectId,
      liveAppId: app.id,
      app: app.name,
      name,
      note,
      from,
      to,
    },
    bounds,
  )
  if ('refused' in pinned) throw refusal(pinned, app, bounds)
  context.concerns(app.workspaceId, pinned.id)
  return { live_recording: liveRecordingOnWire(pinned) }
})

function wrongTime(field: string, message: string): Problem {
  return new Problem('invalid_input', 'That is not a time that could be kept.', {
    errors: [{ field, message }],
  })
}

function refusal(
  why: LiveRecordingRefusal,
  { lastPushAt }: LiveApp,
  { recordingsOfProjectMax, bytesOfWorkspaceMax }: LiveRecordingBounds,
): Problem {
  if (why.refused === 'nothing_told') {
    const last =
      lastPushAt === null ? 'It never pushed.' : `Its last push was at ${lastPushAt.toISOString()}.`
    return wrongTime('until', `The app told nothing in this time, or it is not kept any more. ${last}`)
  }
  const hint = [operations.deleteLiveRecording, 'makes room'] as const
  if (why.refused === 'too_many') {
    const most = `The project has ${recordingsOfProjectMax} live recordings, and there are no more to be had.`
    return new Problem('in_use', most, { hint })
  }
  const [needed, kept, most] = [why.neededBytes, why.keptBytes, bytesOfWorkspaceMax].map(mebibytes)
  return new Problem(
    'too_large',
    `This would be ${needed}. Live recordings of the workspace have ${kept} of ${most}.`,
    { hint },
  )
}

function mebibytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(1)} MiB`
}
