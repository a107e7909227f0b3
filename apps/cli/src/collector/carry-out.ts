import { ApiProblem, ApiUnreachable } from '@flamegate/client'
import { operations } from '@flamegate/contract'
import { CaptureFailed, type Captured } from '../capture/capture-request.ts'
import { takeCapture } from '../capture/captures.ts'
import { inOwnFolder } from '../capture/in-own-folder.ts'
import { uploadCaptured } from '../capture/upload-captured.ts'
import { uploadedAs } from '../capture/uploaded-as.ts'
import { UploadRefused } from '../upload/send-presigned.ts'
import { TaskFailed } from '../upload/wait-for-task.ts'
import { UsageError } from '../usage-error.ts'
import { orderedRequest, type CaptureOrder } from './ordered-request.ts'
import { connect, type CollectorContext } from './connect.ts'

/** How often the platform hears how far it is, and the collector whether to go on. */
const tellEveryMs = 5_000

/** Takes one capture that was asked for, uploads it and reports what came of it, in the platform's words for tasks. */
export async function carryOut(
  context: CollectorContext,
  order: CaptureOrder & { task_id: string },
): Promise<void> {
  const { patient, log } = context
  const { task_id, name, type } = order
  const report = (input: {
    state: 'started' | 'going_on' | 'done' | 'failed' | 'stopped'
    message?: string
    percent?: number
    profile_id?: string
  }) => patient.call(operations.reportCapture, { task_id, ...input })

  const { goes_on: isOurs } = await report({ state: 'started', message: `Taking ${type} of ${name}` })
  if (!isOurs) {
    log(`${task_id}: ${name} was called off, or is taken by another collector of this name`)
    return
  }
  log(`${task_id}: taking ${type} of ${name}`)
  const callingOff = new AbortController()
  const telling = setInterval(() => {
    tellAndAsk().catch(() => {
      // Whether there is a connection again shows when there is something to upload.
    })
  }, tellEveryMs)
  try {
    const profileId = await captureAndUpload(context, order, callingOff.signal)
    await report({ state: 'done', profile_id: profileId })
    log(`${task_id}: ${name} is profile ${profileId}`)
  } catch (error) {
    if (callingOff.signal.aborted) {
      await report({ state: 'stopped' })
      log(`${task_id}: ${name} was called off`)
      return
    }
    const reason = reasonOf(error) ?? 'The collector is broken; it says how where it runs.'
    log(`${task_id}: ${name} failed: ${reason}`)
    await report({ state: 'failed', message: reason.slice(0, 2000) })
    if (reasonOf(error) === undefined) throw error
  } finally {
    clearInterval(telling)
  }

  async function tellAndAsk(): Promise<void> {
    const [{ goes_on: goesOn }] = await Promise.all([
      report({ state: 'going_on', message: `Taking ${type} of ${name}` }),
      connect(context),
    ])
    if (!goesOn) callingOff.abort('SIGTERM')
  }
}

/** @returns the id of the profile; of several files, of the largest */
async function captureAndUpload(
  { terminal, patient, projectId, allowList, interruption }: CollectorContext,
  order: CaptureOrder & { task_id: string },
  callingOff: AbortSignal,
): Promise<string> {
  const { allowed, request } = await orderedRequest(order, allowList)
  // What is profiled is not to upload anything itself.
  const { FLAMEGATE_TOKEN: _, ...env } = terminal.env
  return inOwnFolder(async (folder) => {
    const captured: Captured = await takeCapture(request, {
      folder,
      cwd: allowed.cwd ?? terminal.cwd,
      env,
      passOn: (bytes) => terminal.passOn(bytes),
      interruption: AbortSignal.any([interruption, callingOff]),
      isAtTerminal: terminal.isStdinTyped,
    })
    callingOff.throwIfAborted()
    const profile = {
      project_id: projectId,
      benchmark: undefined,
      name: `${request.type} of ${allowed.name}`,
      type: uploadedAs(request).type,
      tags: allowed.tags,
    }
    const [largest] = await uploadCaptured(captured.files, profile, {
      client: patient,
      terminal,
      moment: order.task_id,
      isWaited: true,
      search: { cwd: allowed.cwd ?? terminal.cwd, folders: [] },
    })
    if (largest === undefined) throw new CaptureFailed('Nothing was written.')
    return largest.profile_id
  })
}

/** What those who asked are told; undefined for what is nobody's fault but ours. */
function reasonOf(error: unknown): string | undefined {
  const kinds = [CaptureFailed, TaskFailed, UploadRefused, UsageError, ApiUnreachable, ApiProblem]
  const isKnown = error instanceof Error && kinds.some((kind) => error instanceof kind)
  return isKnown ? error.message : undefined
}
