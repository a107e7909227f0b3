import { readFile } from 'node:fs/promises'
import type { CaptureType } from '@flamegate/contract'
import { CaptureFailed, type CaptureRequest, type CaptureTarget } from '../capture/capture-request.ts'
import type { AllowedCapture, AllowList } from './allow-list.ts'

/** What the platform asks for: a name from the list, what to measure and how long, and nothing that could be run. */
export interface CaptureOrder {
  name: string
  type: CaptureType
  seconds: number | null
}

const defaultSeconds = 30

/**
 * The capture that an order means, within the limits of the list.
 * @throws CaptureFailed for anything that is not on it
 */
export async function orderedRequest(
  order: CaptureOrder,
  { captures }: AllowList,
): Promise<{ allowed: AllowedCapture; request: CaptureRequest }> {
  const allowed = captures.find(({ name }) => name === order.name)
  if (allowed === undefined) throw new CaptureFailed(`This collector may not run ${order.name}.`)
  if (!allowed.types.includes(order.type)) {
    throw new CaptureFailed(`This collector may not take ${order.type} of ${order.name}.`)
  }
  if (order.seconds !== null && order.seconds > allowed.secondsMax) {
    throw new CaptureFailed(`${order.name} may take ${allowed.secondsMax} s at most here.`)
  }
  const request: CaptureRequest = {
    kind: allowed.kind,
    type: order.type,
    target: await targetOf(allowed),
    seconds: secondsOf(order, allowed),
  }
  return { allowed, request }
}

/** A command may run as long as it is allowed; what is there at once takes no time. */
function secondsOf({ type, seconds }: CaptureOrder, { kind, target, secondsMax }: AllowedCapture) {
  if (seconds !== null) return seconds
  const isThereAtOnce = type === 'heap_snapshot' || (kind === 'pprof' && type !== 'cpu')
  if (isThereAtOnce) return undefined
  return 'command' in target ? secondsMax : Math.min(defaultSeconds, secondsMax)
}

async function targetOf({ target }: AllowedCapture): Promise<CaptureTarget> {
  if (!('pidFile' in target)) return target
  const text = await readFile(target.pidFile, 'utf8').catch(() => '')
  const pid = Number(text.trim())
  if (Number.isSafeInteger(pid) && pid > 0) return { pid }
  throw new CaptureFailed(`${target.pidFile} has no number of a process in it: the program does not run.`)
}
