import { operations, type Operation, type Principal } from '@flamegate/contract'
import { splitPush } from '@flamegate/operations'
import type { JobQueue, ObjectStorage } from '@flamegate/operations/ports'
import { noteForAccessLog } from '@flamegate/runtime'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { isJson, otlpErrors, pyroscopeErrors } from './push-replies.ts'
import { needType, packed, plainBody } from './pushed-body.ts'
import { pushedBytesMax, type PushedProfile } from './pushed-profile.ts'
import { readIngest } from './read-ingest.ts'
import { readPush } from './read-push.ts'

export interface PushOptions {
  storage: Pick<ObjectStorage, 'write'>
  queue: Pick<JobQueue, 'add'>
}

interface Inside extends PushOptions {
  /** @throws Problem `unauthenticated` */
  identify: (request: FastifyRequest, reply: FastifyReply) => Promise<Principal>
  execute: (
    operation: Operation,
    input: unknown,
    origin: { principal: Principal; requestId: string; ip: string },
  ) => Promise<Record<string, unknown>>
}

const created = operations.pushProfile.output.pick({ workspace_id: true, file_id: true, task_id: true })
const contentType = 'application/octet-stream'

interface PushRequest {
  Params: { project_id: string }
  Body: Uint8Array | undefined
}

/**
 * Where agents push profiles of a project, below `/v1/projects/{project_id}`: `/pyroscope` is what Pyroscope's SDKs and
 * Alloy are told as the address of the server, and `/otlp` what exporters of OpenTelemetry are told as their endpoint. Only
 * the outside of a message is read here; profiles become files, which the worker reads.
 */
export function pushRoutes(options: Inside): FastifyPluginAsync {
  return async (app) => {
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    const principals = new WeakMap<FastifyRequest, Principal>()
    // Before the body is taken in.
    app.addHook('onRequest', async (request, reply) => {
      noteForAccessLog(request, { operation: operations.pushProfile.id })
      asBearer(request)
      principals.set(request, await options.identify(request, reply))
    })

    async function take(request: FastifyRequest<PushRequest>, profiles: readonly PushedProfile[]) {
      const principal = principals.get(request)
      if (principal === undefined) throw new TypeError('A request came past its hook')
      for (const profile of profiles) {
        // oxlint-disable-next-line no-await-in-loop -- one request is one call at a time
        await store(options, profile, request.params.project_id, {
          principal,
          requestId: request.id,
          ip: request.ip,
        })
      }
    }
    const prefix = '/v1/projects/:project_id'
    const limit = { bodyLimit: pushedBytesMax }

    await app.register(async (pyroscope) => {
      pyroscope.setErrorHandler(pyroscopeErrors)

      pyroscope.post<PushRequest>(`${prefix}/pyroscope/ingest`, limit, async (request, reply) => {
        const type = request.headers['content-type'] ?? ''
        await take(request, await readIngest(request.query, type, await bodyOf(request)))
        return reply.send()
      })

      pyroscope.post<PushRequest>(
        `${prefix}/pyroscope/push.v1.PusherService/Push`,
        limit,
        async (request, reply) => {
          needType(request.headers['content-type'], ['application/proto', 'application/json'])
          await take(request, readPush(await bodyOf(request), isJson(request)))
          return isJson(request)
            ? reply.type('application/json').send('{}')
            : reply.type('application/proto').send(Buffer.alloc(0))
        },
      )
    })

    await app.register(async (otlp) => {
      otlp.setErrorHandler(otlpErrors)

      otlp.post<PushRequest>(`${prefix}/otlp/v1development/profiles`, limit, async (request, reply) => {
        needType(request.headers['content-type'], ['application/x-protobuf', 'application/json'])
        await take(request, ofOpenTelemetry(await bodyOf(request), isJson(request)))
        return isJson(request)
          ? reply.type('application/json').send('{}')
          : reply.type('application/x-protobuf').send(Buffer.alloc(0))
      })
    })
  }
}

/** JSON would have to be read whole to be taken apart, so that it stays one profile. */
function ofOpenTelemetry(body: Uint8Array, json: boolean): PushedProfile[] {
  if (body.length === 0) return []
  if (json) return [{ about: { file_name: 'profiles.otlp.json' }, content: body }]
  return splitPush(body).map(({ service, content }) => ({
    about: { file_name: 'profiles.otlp', ...(service === '' ? {} : { service: service.slice(0, 200) }) },
    content,
  }))
}

async function store(
  { execute, storage, queue }: Inside,
  { about, content }: PushedProfile,
  projectId: string,
  origin: { principal: Principal; requestId: string; ip: string },
): Promise<void> {
  const bytes = await packed(content)
  const answer = await execute(
    operations.pushProfile,
    { ...about, project_id: projectId, file_name: `${about.file_name}.gz`, size_bytes: bytes.length },
    origin,
  )
  const { workspace_id: workspaceId, file_id: fileId, task_id: taskId } = created.parse(answer)
  await storage.write(`${workspaceId}/${fileId}`, bytes, { contentType })
  await queue.add('import_profile', { taskId, workspaceId, requestId: origin.requestId })
}

function bodyOf({ body, headers }: FastifyRequest<PushRequest>): Promise<Uint8Array> {
  return plainBody(body ?? new Uint8Array(), headers['content-encoding'])
}

/** Agents that know no tokens have a user name, which may be anything, and the token as its password. */
function asBearer({ headers }: FastifyRequest): void {
  const basic = /^basic +([\w+/=-]+)$/i.exec(headers.authorization ?? '')?.[1]
  if (basic === undefined) return
  const userAndPassword = Buffer.from(basic, 'base64').toString()
  headers.authorization = `Bearer ${userAndPassword.slice(userAndPassword.indexOf(':') + 1)}`
}
