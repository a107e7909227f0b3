import { z } from 'zod'
import type { ProblemCode } from './problem.ts'
import type { Role } from './role.ts'
import type { Scope } from './scope.ts'
import type { Toolset } from './toolset.ts'

/**
 * What a call may do. `read` changes nothing; `write` adds or changes; `destroy` removes or takes away;
 * `run` starts real traffic or uses quota. (R, W, D and X in the catalogue.)
 */
export type Effect = 'read' | 'write' | 'destroy' | 'run'

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

type Shape = z.ZodRawShape

/** What the author of an operation writes. */
export interface OperationSpec<Input extends Shape, Output extends Shape> {
  /** The tool's name: `[a-z0-9_]`, at most 40 characters. */
  id: string
  title: string
  /** For an agent that decides whether to call it: what it answers, when to use it, where its ids come from. */
  description: string
  toolset: Toolset
  effect: Effect
  /** Any one of these is enough. */
  scopes: readonly [Scope, ...Scope[]]
  /** Weakest role that may; derived from the first scope when left out. */
  role?: Role
  /** `none`: needs no workspace, so no look-up of memberships (guides, the tool catalogue). */
  tenancy?: 'workspace' | 'none'
  /** Path parameters in braces are fields of the input: `/v1/runs/{run_id}`. */
  http: { method: HttpMethod; path: `/v1/${string}`; status?: 200 | 201 | 202 }
  /** Calling it twice with the same input leaves the same state. Derived from the effect and method when left out. */
  idempotent?: boolean
  /** False for what a screen needs but no agent does. */
  mcp?: false
  /** Bytes of a body, where more than usual may come. It may be gzip then, and is so long when it is unpacked. */
  bodyBytesMax?: number
  /** `json`: a tool result's text is the answer as JSON, for clients that read that text as data. */
  toolText?: 'json'
  /** A field that says all of the answer as markdown: the text of a tool result, and no part of its structure. */
  reportField?: string
  /** A field of bytes as base64, which whoever accepts application/octet-stream gets as they are, and nothing besides. */
  bytesField?: string
  input: z.ZodObject<Input, z.core.$strict>
  output: z.ZodObject<Output>
  problems: readonly ProblemCode[]
  examples: readonly {
    title: string
    input: z.input<z.ZodObject<Input>>
    output: z.output<z.ZodObject<Output>>
  }[]
  /** Version of the document in the answer, where documents are edited: the ETag over REST. */
  version?(output: z.output<z.ZodObject<Output>>): number
  /** Path of the web page that shows the answer. */
  link(output: z.output<z.ZodObject<Output>>, input: z.output<z.ZodObject<Input>>): string
  /** The answer in compact markdown, for people and models that read rather than parse. */
  markdown(output: z.output<z.ZodObject<Output>>): string
}

/** An operation, complete: everything the outside world sees of it derives from this object. */
export interface Operation<Input extends Shape = Shape, Output extends Shape = Shape> extends Omit<
  OperationSpec<Input, Output>,
  'role' | 'tenancy' | 'idempotent' | 'mcp' | 'http'
> {
  http: { method: HttpMethod; path: `/v1/${string}`; status: 200 | 201 | 202 }
  role: Role
  tenancy: 'workspace' | 'none'
  idempotent: boolean
  mcp: boolean
  /** The output with `url`, the page in the web UI. */
  answer: z.ZodObject
  /** Names of the path parameters, in order. */
  pathParameters: readonly string[]
}

export type InputOf<O> = O extends Operation<infer Input> ? z.output<z.ZodObject<Input>> : never
export type RawInputOf<O> = O extends Operation<infer Input> ? z.input<z.ZodObject<Input>> : never
export type OutputOf<O> = O extends Operation<Shape, infer Output> ? z.output<z.ZodObject<Output>> : never
export type AnswerOf<O> = OutputOf<O> & { url: string }

const roleForScope: Record<Scope, Role> = {
  read: 'viewer',
  write: 'member',
  run: 'member',
  upload: 'member',
  agent: 'member',
  push: 'member',
  admin: 'admin',
}

/**
 * Defines an operation once. The defaults follow the effect, so that a definition says only what is special
 * to it; contradictions (a GET that writes, a path parameter that is no field) are a TypeError at start.
 */
export function defineOperation<const Input extends Shape, const Output extends Shape>(
  spec: OperationSpec<Input, Output>,
): Operation<Input, Output> {
  const pathParameters = [...spec.http.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '')
  for (const name of pathParameters) {
    if (!(name in spec.input.shape))
      throw new TypeError(`${spec.id}: path parameter ${name} is no field of the input`)
  }
  if ((spec.http.method === 'GET') !== (spec.effect === 'read')) {
    throw new TypeError(`${spec.id}: effect ${spec.effect} does not go with ${spec.http.method}`)
  }
  if (spec.reportField !== undefined && !(spec.reportField in spec.output.shape)) {
    throw new TypeError(`${spec.id}: the report ${spec.reportField} is no field of the output`)
  }
  if (spec.bytesField !== undefined && !(spec.bytesField in spec.output.shape)) {
    throw new TypeError(`${spec.id}: the bytes ${spec.bytesField} are no field of the output`)
  }
  if (!/^[a-z0-9_]{1,40}$/.test(spec.id)) throw new TypeError(`${spec.id} is no tool name`)
  return {
    ...spec,
    http: { ...spec.http, status: spec.http.status ?? 200 },
    role: spec.role ?? roleForScope[spec.scopes[0]],
    tenancy: spec.tenancy ?? 'workspace',
    idempotent: spec.idempotent ?? spec.http.method !== 'POST',
    mcp: spec.mcp ?? true,
    answer: spec.output.extend({ url: z.string().describe('The page that shows this in the web UI.') }),
    pathParameters,
  }
}
