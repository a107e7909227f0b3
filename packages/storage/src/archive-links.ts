import { createHmac, timingSafeEqual } from 'node:crypto'
import type { ArchiveLinks, ExpectedArchive } from '@flamegate/operations/ports'
import { checkObjectKey, isObjectKey } from './object-key.ts'

const path = '/upload/'

/**
 * Addresses under `/upload/`, signed, so that no table knows them:
 *
 *     <baseUrl>/upload/<key>?task=…&md5=…&expires=…&signature=…
 */
export function createArchiveLinks(options: {
  /** Where the API is reachable for those who get the addresses, such as `https://flamegate.example`. */
  baseUrl: string
  /** At least 32 characters; whoever knows it can make addresses. */
  signingKey: string
}): ArchiveLinks {
  const { baseUrl, signingKey } = options
  if (signingKey.length < 32) throw new RangeError('The signing key needs at least 32 characters.')

  return {
    urlOf(archive) {
      checkObjectKey(archive.key)
      const query = new URLSearchParams({
        task: archive.taskId,
        md5: archive.md5,
        expires: String(archive.expiresAt.getTime()),
        signature: signatureOf(archive, signingKey).toString('base64url'),
      })
      return `${baseUrl.replace(/\/$/, '')}${path}${archive.key}?${query.toString()}`
    },
    read(pathAndQuery) {
      // Not decoded: an encoded slash or dot must not become a real one.
      const { pathname, searchParams } = new URL(pathAndQuery, 'http://localhost')
      const archive = {
        key: pathname.slice(path.length),
        taskId: searchParams.get('task') ?? '',
        md5: searchParams.get('md5') ?? '',
        expiresAt: new Date(Number(searchParams.get('expires'))),
      }
      const given = Buffer.from(searchParams.get('signature') ?? '', 'base64url')
      const expected = signatureOf(archive, signingKey)
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
      return isObjectKey(archive.key) && Date.now() < archive.expiresAt.getTime() ? archive : undefined
    },
  }
}

function signatureOf({ key, taskId, md5, expiresAt }: ExpectedArchive, signingKey: string): Buffer {
  // The first word keeps it apart from the links of the folder storage, which have the same key.
  const text = JSON.stringify(['archive', key, taskId, md5, expiresAt.getTime()])
  return createHmac('sha256', signingKey).update(text).digest()
}
