import {
  operations,
  Problem,
  uploadLimits,
  type Caller,
  type Operation,
  type Principal,
} from '@flamegate/contract'
import { mustHaveRoom, type CallLimits } from '@flamegate/operations'
import type { ArchiveLinks, JobQueue, ObjectStorage, Stores } from '@flamegate/operations/ports'
import { noteForAccessLog } from '@flamegate/runtime'
import { endsWhenIdle } from '@flamegate/storage'
import { runnerErrorHandler } from '@flamegate/surfaces'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { inputOfUpload, uploadMetadata } from './upload-metadata.ts'

export interface CodspeedOptions {
  links: ArchiveLinks
  storage: Pick<ObjectStorage, 'find' | 'receive'>
  queue: Pick<JobQueue, 'add'>
  stores: Pick<Stores, 'plans' | 'usage'>
  limits: Pick<CallLimits, 'factor'> | undefined
}

interface Inside extends CodspeedOptions {
  /** @throws Problem `unauthenticated` */
  identify: (request: FastifyRequest, reply: FastifyReply) => Promise<Principal>
  execute: (
    operation: Operation,
    input: unknown,
    origin: { principal: Principal; requestId: string; ip: string },
  ) => Promise<Record<string, unknown>>
}

const created = operations.createCodspeedUpload.output.extend({ url: z.string() })
const query = z.object({ project: z.string().max(64).optional() })

/**
 * What `codspeed run --upload-url <publicUrl>/upload` talks to: `POST /upload` announces an archive, and `PUT` to the
 * address in the answer brings it. `?project=prj_…` names the project where the repository does not.
 * @see https://github.com/CodSpeedHQ/codspeed/blob/main/src/upload/uploader.rs
 */
export function codspeedRoutes(options: Inside): FastifyPluginAsync {
  return async (app) => {
    await app.register(announcements(options))
    await app.register(archives(options))
  }
}

function announcements({ identify, execute }: Inside): FastifyPluginAsync {
  return async (app) => {
    app.setErrorHandler(runnerErrorHandler('json'))

    app.post('/upload', async (request, reply) => {
      noteForAccessLog(request, { operation: operations.createCodspeedUpload.id })
      asBearer(request)
      const principal = await identify(request, reply)
      const metadata = read(uploadMetadata, request.body)
      const answer = await execute(
        operations.createCodspeedUpload,
        inputOfUpload(metadata, read(query, request.query).project),
        { principal, requestId: request.id, ip: request.ip },
      )
      const { upload, run_id: runId, url } = created.parse(answer)
      return reply
        .header('cache-control', 'no-store')
        .send({ status: 'success', uploadUrl: upload.url, runId, url })
    })
  }
}

function archives({ links, storage, queue, stores, limits }: Inside): FastifyPluginAsync {
  return async (app) => {
    app.setErrorHandler(runnerErrorHandler('text'))
    // The body stays in the socket until the address has been checked.
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', (_request, _payload, done) => done(null))

    app.put('/upload/*', { bodyLimit: Number.MAX_SAFE_INTEGER }, async (request, reply) => {
      const archive = links.read(request.raw.url ?? '/')
      if (archive === undefined) {
        throw new Problem(
          'unauthenticated',
          'This upload URL is not valid or has expired. Run codspeed again.',
        )
      }
      const { key, taskId, md5 } = archive
      if (request.headers['content-md5'] !== md5) {
        throw new Problem(
          'invalid_input',
          `This upload URL takes the archive with the MD5 ${md5} and no other.`,
        )
      }
      const sizeBytes = sizeOf(request)
      const [workspaceId = ''] = key.split('/')
      // The runner sends it again when it did not get the answer. The same bytes are there then.
      if ((await storage.find(key)) === undefined) {
        // When it was announced, nobody knew how large it is.
        const caller = holderOfLink(workspaceId)
        await mustHaveRoom({ caller, deps: { stores, limits } }, workspaceId, sizeBytes)
        const body = endsWhenIdle(request.raw)
        const contentType = 'application/x-tar'
        await storage.receive(key, body, { sizeBytes, md5, contentType }).catch((cause: unknown) => {
          if (!(cause instanceof RangeError)) throw cause
          throw new Problem('invalid_input', `The archive is damaged. ${cause.message}`, { cause })
        })
      }
      await queue.add('import_results', { taskId, workspaceId, requestId: request.id })
      return reply.send({ status: 'success' })
    })
  }
}

/** Whoever sends an archive shows no token any more: somebody who may know how full the workspace is. */
function holderOfLink(workspaceId: string): Caller {
  return {
    principal: {
      userId: 'usr_runner',
      via: 'api_token',
      clientId: 'codspeed',
      clientName: 'CodSpeed',
      scopes: ['upload'],
      workspaceIds: [workspaceId],
    },
    roles: new Map([[workspaceId, 'viewer']]),
    access: 'read',
  }
}

/** The runner sends its token without a scheme. */
function asBearer({ headers }: FastifyRequest): void {
  const { authorization } = headers
  if (authorization === undefined || authorization === '') {
    throw new Problem(
      'unauthenticated',
      'Uploads need a token. Set CODSPEED_TOKEN to an API token with the scope upload, or give the job the permission id-token: write and turn keyless uploads on for the project. Pull requests from forks have neither.',
    )
  }
  if (!/^bearer /i.test(authorization)) headers.authorization = `Bearer ${authorization}`
}

function sizeOf({ headers }: FastifyRequest): number {
  const sizeBytes = Number(headers['content-length'])
  if (!Number.isSafeInteger(sizeBytes) || sizeBytes <= 0) {
    throw new Problem('invalid_input', 'Say the size of the archive: Content-Length.')
  }
  if (sizeBytes > uploadLimits.uploadBytes) {
    throw new Problem(
      'too_large',
      `The archive has ${sizeBytes} bytes, and ${uploadLimits.uploadBytes} are the most that is taken.`,
    )
  }
  return sizeBytes
}

function read<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const errors = result.error.issues.map(({ path, message }) => ({ field: path.join('.'), message }))
  throw new Problem('invalid_input', 'This is not what codspeed run sends.', { errors })
}
