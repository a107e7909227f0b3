import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  NoSuchKey,
  NotFound,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import type { ObjectStorage } from '@flamegate/operations/ports'
import { attachment } from './content-disposition.ts'
import { checkObjectKey, isObjectKey } from './object-key.ts'
import { withMd5 } from './with-md5.ts'

export interface S3StorageOptions {
  /** Left out for AWS itself. */
  endpoint?: string
  /** How the holders of links reach the same service, when that is not how we do (a private network). */
  publicEndpoint?: string
  region: string
  bucket: string
  accessKeyId: string
  secretAccessKey: string
  /** `endpoint/bucket/key` instead of `bucket.endpoint/key`; most services other than AWS want it. */
  forcePathStyle?: boolean
}

/**
 * Objects in a bucket of any service that speaks the S3 API. Size and content type of an upload are part of its link's
 * signature, and so is `if-none-match: *`, by which services that know it (AWS does) take each upload once only.
 * Downloads have no such thing: their links work until they expire.
 */
export function openS3Storage(options: S3StorageOptions): ObjectStorage & { close(): void } {
  const { bucket } = options
  const client = clientFor(options, options.endpoint)
  const linkClient =
    options.publicEndpoint === undefined ? client : clientFor(options, options.publicEndpoint)

  return {
    async presignUpload(key, { sizeBytes, contentType, expiresInS }) {
      checkObjectKey(key)
      const command = new PutObjectCommand({
        Bucket: bucket,
        Key: key,
        ContentLength: sizeBytes,
        ContentType: contentType,
        IfNoneMatch: '*',
      })
      const signableHeaders = new Set(['host', 'content-length', 'content-type', 'if-none-match'])
      const url = await getSignedUrl(linkClient, command, { expiresIn: expiresInS, signableHeaders })
      return {
        method: 'PUT',
        url,
        headers: { 'content-type': contentType, 'if-none-match': '*' },
        expiresAt: expiryOf(expiresInS),
      }
    },
    async presignDownload(key, { fileName, contentType, expiresInS }) {
      checkObjectKey(key)
      const command = new GetObjectCommand({
        Bucket: bucket,
        Key: key,
        ResponseContentDisposition: attachment(fileName),
        ResponseContentType: contentType,
      })
      const url = await getSignedUrl(linkClient, command, { expiresIn: expiresInS })
      return { method: 'GET', url, headers: {}, expiresAt: expiryOf(expiresInS) }
    },
    async find(key) {
      checkObjectKey(key)
      try {
        const head = await client.send(new HeadObjectCommand({ Bucket: bucket, Key: key }))
        // Only what we wrote ourselves carries its hash; a client's upload does not.
        return { sizeBytes: head.ContentLength ?? 0, sha256: head.Metadata?.['sha256'] }
      } catch (error) {
        if (error instanceof NotFound) return undefined
        throw error
      }
    },
    async read(key, { maxBytes }) {
      checkObjectKey(key)
      const { sizeBytes } = await client
        .send(new HeadObjectCommand({ Bucket: bucket, Key: key }))
        .then((head) => ({ sizeBytes: head.ContentLength ?? 0 }))
      if (sizeBytes > maxBytes) throw new RangeError(`The object is larger than ${maxBytes} bytes.`)
      const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key }))
      if (!Body) throw new Error(`There is no object ${key}.`)
      return Body.transformToByteArray()
    },
    async open(key) {
      checkObjectKey(key)
      try {
        const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key }))
        return Body?.transformToWebStream()
      } catch (error) {
        if (error instanceof NoSuchKey) return undefined
        throw error
      }
    },
    async receive(key, body, { sizeBytes, md5, contentType }) {
      checkObjectKey(key)
      const content = Readable.from(withMd5(exactly(body, sizeBytes), md5))
      // The client waits for more when its source fails.
      const failed = new AbortController()
      content.once('error', (error) => failed.abort(error))
      const command = new PutObjectCommand({
        Bucket: bucket,
        Key: key,
        Body: content,
        ContentLength: sizeBytes,
        ContentMD5: md5,
        ContentType: contentType,
        IfNoneMatch: '*',
      })
      try {
        await client.send(command, { abortSignal: failed.signal })
      } catch (error) {
        const isThere = error instanceof S3ServiceException && error.$metadata.httpStatusCode === 412
        if (!isThere) throw content.errored ?? error
      } finally {
        content.destroy()
      }
    },
    async write(key, bytes, { contentType }) {
      checkObjectKey(key)
      const sha256 = createHash('sha256').update(bytes).digest('hex')
      await client.send(
        new PutObjectCommand({
          Bucket: bucket,
          Key: key,
          Body: bytes,
          ContentLength: bytes.byteLength,
          ContentType: contentType,
          Metadata: { sha256 },
        }),
      )
      return { sizeBytes: bytes.byteLength, sha256 }
    },
    async remove(key) {
      checkObjectKey(key)
      await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: key }))
    },
    async *list() {
      let token: string | undefined
      do {
        const page = await client.send(new ListObjectsV2Command({ Bucket: bucket, ContinuationToken: token }))
        for (const { Key: key = '', Size: sizeBytes = 0, LastModified: storedAt } of page.Contents ?? []) {
          // Of a bucket that is shared, what is not ours is left alone.
          if (isObjectKey(key) && storedAt !== undefined) yield { key, sizeBytes, storedAt }
        }
        token = page.NextContinuationToken
      } while (token !== undefined)
    },
    close() {
      client.destroy()
      if (linkClient !== client) linkClient.destroy()
    },
  }
}

function clientFor(options: S3StorageOptions, endpoint: string | undefined): S3Client {
  return new S3Client({
    endpoint,
    region: options.region,
    credentials: { accessKeyId: options.accessKeyId, secretAccessKey: options.secretAccessKey },
    forcePathStyle: options.forcePathStyle ?? false,
    // Extra checksums that not all services know, and that would become part of a link without a body to sum up.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 5_000, requestTimeout: 60_000 },
  })
}

/**
 * The same chunks, the last one only when the body has ended: a store that has as many bytes as were announced keeps
 * them, whatever comes after.
 * @throws RangeError when they are not so many bytes
 */
async function* exactly(body: AsyncIterable<Uint8Array>, sizeBytes: number): AsyncGenerator<Uint8Array> {
  let received = 0
  let held: Uint8Array | undefined
  for await (const chunk of body) {
    received += chunk.byteLength
    if (received > sizeBytes) throw new RangeError('More bytes came than announced.')
    if (held !== undefined) yield held
    held = chunk
  }
  if (received < sizeBytes) throw new RangeError('Fewer bytes came than announced.')
  if (held !== undefined) yield held
}

function expiryOf(expiresInS: number): string {
  return new Date(Date.now() + expiresInS * 1_000).toISOString()
}
