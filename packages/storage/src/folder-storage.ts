import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { Problem } from '@flamegate/contract'
import type { ObjectStorage, PresignedRequest, StoredObject } from '@flamegate/operations/ports'
import { AlreadyStored, WrongSize, openObjectFolder } from './object-folder.ts'
import { checkObjectKey } from './object-key.ts'
import { readLink, signLink } from './signed-link.ts'
import type { LinkClaims } from './signed-link.ts'
import { openUsedLinks } from './used-links.ts'
import { withMd5 } from './with-md5.ts'

export interface FolderStorageOptions {
  dir: string
  /** Where `objectRoutes` are reachable for those who get the links, such as `https://flamegate.example`. */
  baseUrl: string
  /** At least 32 characters; whoever knows it can make links. */
  signingKey: string
}

/** A link as it arrives over HTTP. */
export interface LinkRequest {
  key: string
  query: URLSearchParams
}

export interface FolderStorage extends ObjectStorage {
  /** Does what an upload link allows, once. @throws Problem */
  acceptUpload(
    request: LinkRequest & {
      contentType: string
      /** As the header says, when it is there. */
      contentLength?: string
      body: AsyncIterable<Uint8Array>
    },
  ): Promise<StoredObject>
  /** Does what a download link allows, once. @throws Problem */
  openDownload(
    request: LinkRequest,
  ): Promise<{ body: Readable; sizeBytes: number; contentType: string; fileName: string }>
}

/** Objects in a local folder, behind links that our own API serves (`objectRoutes`). For one machine. */
export async function openFolderStorage(options: FolderStorageOptions): Promise<FolderStorage> {
  const { dir, baseUrl, signingKey } = options
  if (signingKey.length < 32) throw new RangeError('The signing key needs at least 32 characters.')
  const folder = await openObjectFolder(dir)
  const usedLinks = await openUsedLinks(join(dir, 'used-links'))

  const presign = (
    claims: Omit<LinkClaims, 'expiresAtS' | 'nonce'>,
    expiresInS: number,
    headers: Record<string, string>,
  ): PresignedRequest => {
    checkObjectKey(claims.key)
    const expiresAtS = Math.floor(Date.now() / 1_000) + expiresInS
    const query = signLink({ ...claims, expiresAtS, nonce: randomUUID() }, signingKey)
    return {
      method: claims.method,
      url: `${baseUrl.replace(/\/$/, '')}/v1/objects/${claims.key}?${query}`,
      headers,
      expiresAt: new Date(expiresAtS * 1_000).toISOString(),
    }
  }

  const verified = ({ key, query }: LinkRequest, method: 'PUT' | 'GET') => {
    const claims = readLink(method, key, query, signingKey, Date.now())
    if (!claims)
      throw new Problem('unauthenticated', 'This link is not valid or has expired. Ask for a new one.')
    return claims
  }

  return {
    presignUpload: async (key, { sizeBytes, contentType, expiresInS }) =>
      presign({ method: 'PUT', key, sizeBytes, contentType, fileName: '' }, expiresInS, {
        'content-type': contentType,
      }),
    presignDownload: async (key, { fileName, contentType, expiresInS }) =>
      presign({ method: 'GET', key, sizeBytes: 0, contentType, fileName }, expiresInS, {}),
    find: (key) => folder.find(key),
    async read(key, { maxBytes }) {
      const found = await folder.openObject(key)
      if (!found) throw new Error(`There is no object ${key}.`)
      if (found.sizeBytes > maxBytes) {
        found.body.destroy()
        throw new RangeError(`The object is larger than ${maxBytes} bytes.`)
      }
      return Buffer.concat(await found.body.toArray())
    },
    open: async (key) => (await folder.openObject(key))?.body,
    async receive(key, body, { sizeBytes, md5 }) {
      try {
        await folder.receive(key, withMd5(body, md5), sizeBytes)
      } catch (error) {
        if (error instanceof AlreadyStored) return
        if (error instanceof WrongSize) throw new RangeError(error.message, { cause: error })
        throw error
      }
    },
    write: (key, bytes) => folder.put(key, bytes),
    remove: (key) => folder.remove(key),
    list: () => folder.list(),

    async acceptUpload(request) {
      const claims = verified(request, 'PUT')
      if (request.contentType !== claims.contentType) {
        throw new Problem(
          'unsupported_media_type',
          `Send the content-type ${claims.contentType} with this link.`,
        )
      }
      const announced = Number(request.contentLength ?? claims.sizeBytes)
      if (announced !== claims.sizeBytes) {
        throw wrongSize(new WrongSize(announced > claims.sizeBytes), claims.sizeBytes)
      }
      if ((await usedLinks.has(claims)) || (await folder.find(claims.key))) throw alreadyUploaded()
      try {
        const stored = await folder.receive(claims.key, request.body, claims.sizeBytes)
        await usedLinks.add(claims)
        return stored
      } catch (error) {
        if (error instanceof AlreadyStored) throw alreadyUploaded()
        if (error instanceof WrongSize) throw wrongSize(error, claims.sizeBytes)
        throw error
      }
    },

    async openDownload(request) {
      const claims = verified(request, 'GET')
      const { key, contentType, fileName } = claims
      if ((await folder.find(key)) === undefined) throw gone()
      if (!(await usedLinks.add(claims))) {
        throw new Problem('conflict', 'This link has been used: each works once. Ask for a new one.')
      }
      const found = await folder.openObject(key)
      if (!found) throw gone()
      return { ...found, contentType, fileName }
    },
  }
}

function gone(): Problem {
  return new Problem('file_not_found', 'The file of this link does not exist (any more).')
}

function alreadyUploaded(): Problem {
  return new Problem('conflict', 'This link has been used: the upload is complete.')
}

function wrongSize(error: WrongSize, sizeBytes: number): Problem {
  return error.isTooLarge
    ? new Problem('too_large', `This link takes exactly ${sizeBytes} bytes; more were sent.`, {
        cause: error,
      })
    : new Problem('invalid_input', `This link takes exactly ${sizeBytes} bytes; fewer were sent.`, {
        cause: error,
      })
}
