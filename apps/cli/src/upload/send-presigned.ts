import { createReadStream } from 'node:fs'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ApiUnreachable } from '@flamegate/client'
import type { UploadFile } from './upload-file.ts'

/** An upload whose bytes were refused by the storage. */
export class UploadRefused extends Error {
  override name = 'UploadRefused'
}

/** A connection that moves nothing for this long is given up. */
const idleMs = 60_000

/**
 * Sends a file by a presigned request, from disk without holding it in memory. `onProgress` is called with the bytes
 * sent so far. Not by fetch, which cannot say the length of a stream beforehand, as the storage demands.
 *
 * @throws ApiUnreachable when the connection fails
 * @throws UploadRefused when the storage answers anything but success
 */
export async function sendPresigned(
  file: UploadFile,
  target: { method: string; url: string; headers: Readonly<Record<string, string>> },
  onProgress: (sentBytes: number) => void,
): Promise<void> {
  const body = file.path === undefined ? Readable.from([await file.read()]) : createReadStream(file.path)
  const status = await send(body, file.sizeBytes, target, onProgress).catch((error: unknown) => {
    throw new ApiUnreachable('The upload was interrupted.', { cause: error })
  })
  if (status < 200 || status > 299) {
    throw new UploadRefused(
      `The storage refused ${file.name} with status ${status}. Upload URLs work once and for an hour; try again.`,
    )
  }
}

async function send(
  body: Readable,
  sizeBytes: number,
  target: { method: string; url: string; headers: Readonly<Record<string, string>> },
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
