import { reportCapture } from '@flamegate/contract/profiles/report-capture'
import { CaptureFailed, type Captured } from '../capture/capture-request.ts'
import { takeCapture } from '../capture/captures.ts'
import { inOwnFolder } from '../capture/in-own-folder.ts'
import { uploadCaptured } from '../capture/upload-captured.ts'
import { uploadedAs } from '../capture/uploaded-as.ts'
import type { Order } from './carry-out.ts'
import type { CollectorContext } from './connect.ts'
import { orderedRequest, type CaptureOrder } from './ordered-request.ts'

type OrderedCapture = CaptureOrder & { task_id: string }

/** A capture that was asked for: it is taken and uploaded. */
export function captureOrder(context: CollectorContext, ordered: OrderedCapture): Order {
  const { patient } = context
  const { task_id, name, type } = ordered
  return {
    id: task_id,
    name,
    doing: () => `Taking ${type} of ${name}`,
    report: async (state) => (await patient.call(reportCapture, { task_id, ...state })).goes_on,
    async carryOut(interruption) {
      const profileId = await captureAndUpload(context, ordered, interruption)
      await patient.call(reportCapture, { task_id, state: 'done', profile_id: profileId })
      return `profile ${profileId}`
    },
  }
}

/** @returns the id of the profile; of several files, of the largest */
async function captureAndUpload(
  { terminal, patient, projectId, allowList, interruption: ending }: CollectorContext,
  order: OrderedCapture,
  interruption: AbortSignal,
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
      interruption,
      isAtTerminal: terminal.isStdinTyped,
    })
    // One that the end of the collector cut short is uploaded; one that was called off is not.
    if (!ending.aborted) interruption.throwIfAborted()
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
