import type { ScimAttributes, ScimPerson } from '@flamegate/operations/ports'
import { Messages, Schemas, Types } from 'scimmy'
import { z } from 'zod'

/** What a provider says of a person in a whole resource, or what it comes to after a patch. */
export interface ToldUser extends ScimAttributes {
  /** In lower case: the primary e-mail address, else that of work, else the user name. */
  email: string
  /** What an account that is made is called. */
  accountName: string
  /** Undefined when it says nothing about it. */
  isActive: boolean | undefined
}

/** A person as RFC 7643, 4.1 writes them. */
export interface UserResource {
  schemas: string[]
  id: string
  externalId?: string
  meta: { resourceType: 'User'; created: string; lastModified: string; location: string }
  userName: string
  name?: { givenName?: string; familyName?: string }
  displayName?: string
  active: boolean
  emails: { value: string; type: 'work'; primary: true }[]
}

/** Attributes that are kept; of all others a provider may tell, and nothing becomes of it. */
export const keptAttributes = ['userName', 'name', 'displayName', 'active', 'emails'] as const
const understood: ReadonlyMap<string, string> = new Map(
  ['externalId', ...keptAttributes].map((name) => [name.toLowerCase(), name]),
)
const longestText = 256
const longestAccountName = 100

const coreSchema = `${Schemas.User.id}:`.toLowerCase()

const text = z
  .string()
  .trim()
  .max(longestText)
  .refine((value) => !value.includes('\0'), 'Leave out the character U+0000.')
const told = z.object({
  userName: text.min(1),
  externalId: text.nullish(),
  displayName: text.nullish(),
  name: z
    .object({ formatted: text.nullish(), givenName: text.nullish(), familyName: text.nullish() })
    .nullish(),
  active: z.boolean().nullish(),
  emails: z
    .array(z.object({ value: text.nullish(), type: z.string().nullish(), primary: z.boolean().nullish() }))
    .max(50)
    .nullish(),
})

const operationSchema = z.object({
  // Microsoft Entra begins them with a capital.
  op: z
    .string()
    .toLowerCase()
    .pipe(z.enum(['add', 'remove', 'replace'])),
  path: z.string().max(1000).optional(),
  value: z.unknown().optional(),
})
const patchSchema = z.object({
  schemas: z.tuple([z.literal(Messages.PatchOp.id)]),
  Operations: z.array(operationSchema).min(1).max(100),
})
type Operation = z.output<typeof operationSchema>

/** The whole of a person, as `POST` and `PUT` bring it. @throws Types.Error for what is none */
export function readUser(body: unknown): ToldUser {
  return toldUser(userOf(keptOf(body)))
}

/**
 * What a person is after the operations of `PATCH` (RFC 7644, 3.5.2). Those about attributes that are not kept are left out, since
 * providers send them unasked.
 * @throws Types.Error for what is no patch
 */
export async function patchUser(person: ScimPerson, body: unknown): Promise<ToldUser> {
  const patch = patchSchema.safeParse(body)
  if (!patch.success) {
    throw new Types.Error(400, 'invalidSyntax', `Send a ${Messages.PatchOp.id} with 1 to 100 Operations.`)
  }
  const { schemas, Operations } = patch.data
  const operations = Operations.flatMap(understoodOperation)
  const before = userOf(keptOf(userResource(person, '')))
  if (operations.length === 0) return toldUser(before)
  const message = await asScim(() => new Messages.PatchOp({ schemas, Operations: operations }).apply(before))
  return toldUser(message ?? before)
}

/** @param baseUrl What `/Users` is below. */
export function userResource(person: ScimPerson, baseUrl: string): UserResource {
  const { userId, userName, externalId, displayName, givenName, familyName, email, isActive } = person
  const name = { ...(givenName ? { givenName } : {}), ...(familyName ? { familyName } : {}) }
  return {
    schemas: [Schemas.User.id],
    id: userId,
    ...(externalId === null ? {} : { externalId }),
    meta: {
      resourceType: 'User',
      created: person.createdAt.toISOString(),
      lastModified: person.updatedAt.toISOString(),
      location: `${baseUrl}/Users/${userId}`,
    },
    userName,
    ...(Object.keys(name).length === 0 ? {} : { name }),
    ...(displayName === null ? {} : { displayName }),
    active: isActive,
    emails: [{ value: email, type: 'work', primary: true }],
  }
}

/** The understood part of a resource, by the names of RFC 7643: names come in any case. */
function keptOf(body: unknown): Record<string, unknown> {
  if (!isObject(body)) throw new Types.Error(400, 'invalidSyntax', 'Send a User as a JSON object.')
  const entries = Object.entries(body).flatMap(([key, value]) => {
    const name = understood.get(key.toLowerCase())
    return name === undefined || value === null ? [] : [[name, name === 'active' ? asBoolean(value) : value]]
  })
  return Object.fromEntries(entries)
}

/** The operation as far as it is about attributes that are kept, with their names as RFC 7643 writes them. */
function understoodOperation({ op, path, value }: Operation): Operation[] {
  if (path !== undefined) {
    return understoodPart(path, value).map(([name, part]) => ({ op, path: name, value: part }))
  }
  if (!isObject(value)) throw new Types.Error(400, 'invalidValue', 'Without a path, the value is an object.')
  const parts = Object.entries(value).flatMap(([name, part]) => understoodPart(name, part))
  return parts.length === 0 ? [] : [{ op, value: Object.fromEntries(parts) }]
}

/**
 * A path and its value; none when it is about an attribute that is not kept, or about addresses, which are their people's to change.
 * So no path with a filter gets to the library, whose regular expressions sixty backslashes keep busy for hours.
 */
function understoodPart(path: string, value: unknown): [path: string, value: unknown][] {
  // Some providers write the schema in front.
  const short = path.toLowerCase().startsWith(coreSchema) ? path.slice(coreSchema.length) : path
  const [root = ''] = short.split(/[.[]/, 1)
  const name = understood.get(root.toLowerCase())
  if (name === undefined || name === 'emails') return []
  const rest = short.slice(name.length)
  if (!/^(?:\.[a-z]+)?$/i.test(rest)) {
    throw new Types.Error(400, 'invalidPath', `There is nothing at the path ${path}.`)
  }
  return [[name + rest, name === 'active' ? asBoolean(value) : value]]
}

/** Microsoft Entra writes `"False"`, unless it is told to keep to the specification. */
function asBoolean(value: unknown): unknown {
  if (typeof value !== 'string' || !/^(?:true|false)$/i.test(value)) return value
  return value.toLowerCase() === 'true'
}

function userOf(resource: Record<string, unknown>): Schemas.User {
  try {
    return new Schemas.User(resource, 'in')
  } catch (cause) {
    throw asScimError(cause)
  }
}

function toldUser(user: unknown): ToldUser {
  const { data, error } = told.safeParse(user)
  if (data === undefined) {
    const [issue] = error.issues
    throw new Types.Error(400, 'invalidValue', `${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`)
  }
  const { userName, name, emails } = data
  const written = emails?.filter(({ value }) => value) ?? []
  const chosen =
    written.find(({ primary }) => primary) ?? written.find(({ type }) => type === 'work') ?? written[0]
  const email = (chosen?.value ?? userName).toLowerCase()
  const givenName = name?.givenName || null
  const familyName = name?.familyName || null
  const parts = [givenName, familyName].filter((part) => part !== null).join(' ')
  const accountName = data.displayName || name?.formatted || parts || email.slice(0, email.indexOf('@'))
  return {
    userName,
    email,
    accountName: accountName.slice(0, longestAccountName).trim(),
    externalId: data.externalId || null,
    displayName: data.displayName || null,
    givenName,
    familyName,
    isActive: data.active ?? undefined,
  }
}

async function asScim<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    throw asScimError(cause)
  }
}

/** The library tells values of a wrong type as a TypeError. */
function asScimError(cause: unknown): unknown {
  return cause instanceof TypeError ? new Types.Error(400, 'invalidValue', cause.message) : cause
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
