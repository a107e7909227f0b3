import { createReadStream } from 'node:fs'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ApiUnreachable } from '@flamegate/client'
import type { UploadFile } from './upload-file.ts'
import { Refusal } from '../refusal.ts'

/** A request that may be made once, without a credential. */
export interface PresignedRequest {
  method: string
  url: string
  headers: Readonly<Record<string, string>>
}

/** An upload whose bytes were refused by the storage. */
export class UploadRefused extends Refusal {
  override name = 'UploadRefused'
  /** The signature does not count any more, or never did. */
  readonly isLinkOver: boolean
  /** The storage is in trouble, or has too much to do. */
  readonly isPassing: boolean

  constructor(message: string, status: number) {
    super(message)
    this.isLinkOver = status === 401 || status === 403
    this.isPassing = isPassing(status)
  }
}

/** A connection that moves nothing for this long is given up. */
const idleMs = 60_000
const attemptsMax = 5
/** Stands for a status where there was none. */
const interrupted = 0
/** What a storage says to a second upload to one place: 409 our own, 412 S3 with If-None-Match. */
const alreadyThere = new Set([409, 412])

/**
 * Sends a file by a presigned request, from disk without holding it in memory. `onProgress` is called with the bytes
 * sent so far. Not by fetch, which cannot say the length of a stream beforehand, as the storage demands. What is
 * interrupted, or meets a storage in trouble, is sent anew from its beginning.
 *
 * @returns whether the bytes were sent now, or are there from an earlier upload
 * @throws ApiUnreachable when the connection fails again and again
 * @throws UploadRefused when the storage answers anything but success
 */
export async function sendPresigned(
  file: UploadFile,
  target: PresignedRequest,
  onProgress: (sentBytes: number) => void,
  pause: (ms: number) => Promise<void>,
  attempt = 1,
): Promise<'sent' | 'there'> {
  const status = await sendOnce(file, target, onProgress).catch((error: unknown) => {
    if (attempt < attemptsMax) return interrupted
    throw new ApiUnreachable('The upload was interrupted.', { cause: error })
  })
  if (status >= 200 && status < 300) return 'sent'
  if (alreadyThere.has(status)) return 'there'
  if ((status === interrupted || isPassing(status)) && attempt < attemptsMax) {
    await pause(500 * 2 ** (attempt - 1))
    return sendPresigned(file, target, onProgress, pause, attempt + 1)
  }
  throw new UploadRefused(
    `The storage refused ${file.name} with status ${status}. Upload URLs work once and for an hour; try again.`,
    status,
  )
}

function isPassing(status: number): boolean {
  return status === 429 || status >= 500
}

function sendOnce(
  file: UploadFile,
  target: PresignedRequest,
  onProgress: (sentBytes: number) => void,
): Promise<number> {
  const body = file.path === undefined ? Readable.from(readAll(file)) : createReadStream(file.path)
  return send(body, file.sizeBytes, target, onProgress)
}

async function* readAll(file: UploadFile): AsyncGenerator<Uint8Array> {
  yield await file.read()
}

async function send(
  body: Readable,
  sizeBytes: number,
  target: PresignedRequest,
  onProgress: (sentBytes: number) => void,
): Promise<number> {
  const start = new URL(target.url).protocol === 'https:' ? requestHttps : requestHttp
  const request = start(target.url, {
    method: target.method,
    headers: { ...target.headers, 'content-length': sizeBytes },
  })
  request.setTimeout(idleMs, () => request.destroy(new Error(`nothing moved for ${idleMs / 1000} s`)))
  const answered = new Promise<number>((resolve, reject) => {
    request.once('error', reject)
    request.once('response', (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
  })
  // A refusal may come before the last byte was sent, and then counts more than the broken pipe.
  await Promise.race([answered, pipeline(body, counted(onProgress), request).catch(() => answered)])
  return answered
}

function counted(onProgress: (sentBytes: number) => void): Transform {
  let sentBytes = 0
  return new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      sentBytes += chunk.length
      onProgress(sentBytes)
      done(null, chunk)
    },
  })
}
