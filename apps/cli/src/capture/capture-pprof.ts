import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { uploadLimits } from '@flamegate/contract/upload-shapes'
import { CaptureFailed, type Capture, type CaptureRequest } from './capture-request.ts'
import { limitedTo } from './limited-to.ts'

/** Of a profile that takes its time. */
const defaultSeconds = 10
/** For the way there and back, and for a server that is busy. */
const spareSeconds = 60

/** Takes a profile from Go's net/http/pprof: https://pkg.go.dev/net/http/pprof. */
export const capturePprof: Capture = async (request, { folder, interruption }) => {
  const address = pprofAddress(request)
  const seconds = Number(address.searchParams.get('seconds') ?? 0)
  const signal = AbortSignal.any([interruption, AbortSignal.timeout((seconds + spareSeconds) * 1000)])
  try {
    const response = await fetch(address, { signal })
    if (!response.ok || response.body === null) throw await refusal(address, response)
    const file = join(folder, `${request.type}.pb.gz`)
    const body = Readable.fromWeb(response.body)
    await pipeline(body, limitedTo(uploadLimits.uploadBytes), createWriteStream(file), { signal })
    return { files: [file], exitCode: 0 }
  } catch (cause) {
    if (cause instanceof CaptureFailed) throw cause
    if (interruption.aborted) {
      throw new CaptureFailed('It was interrupted; a program in Go sends a profile only at its end.', {
        cause,
      })
    }
    throw new CaptureFailed(`${address.href} does not answer: ${reasonOf(cause)}`, { cause })
  }
}

/** Where the program serves that profile. What is counted all the time comes at once, unless seconds are asked for. */
export function pprofAddress({
  target,
  type,
  seconds,
}: Pick<CaptureRequest, 'target' | 'type' | 'seconds'>): URL {
  const base = new URL('url' in target ? target.url : '')
  const root = base.pathname.includes('/debug/pprof') ? base.pathname : `${base.pathname}/debug/pprof`
  const name = type === 'cpu' ? 'profile' : type
  const address = new URL(`${root.replaceAll(/\/+/g, '/').replace(/\/$/, '')}/${name}`, base)
  const asked = seconds ?? (type === 'cpu' ? defaultSeconds : undefined)
  if (asked !== undefined) address.searchParams.set('seconds', String(asked))
  return address
}

async function refusal(address: URL, response: Response): Promise<CaptureFailed> {
  if (response.status === 404) {
    return new CaptureFailed(
      `There is no ${address.pathname} at ${address.host}. Let the program import _ "net/http/pprof", and give the address at which it serves it.`,
    )
  }
  const text = (await response.text()).slice(0, 500).trim()
  return new CaptureFailed(`${address.href} answered ${response.status}: ${text}`)
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error && error.cause.message !== '' ? error.cause.message : error.message
}
