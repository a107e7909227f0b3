import { captureName } from './capture-name.ts'
import type { CaptureRequest } from './capture-request.ts'

/** What the platform is told of a capture; a recording and a snapshot say themselves what they hold. */
export function uploadedAs(request: CaptureRequest): { type: string | undefined; name: string } {
  const tellsItself = request.kind === 'jfr' || request.type === 'heap_snapshot'
  return { type: tellsItself ? undefined : request.type, name: captureName(request) }
}
