import {
  allows,
  catalogue,
  clientScopes,
  Problem,
  scopes,
  scopeSchema,
  toolsetNames,
  toolsets,
} from '@flamegate/contract'
import type { Scope, Toolset } from '@flamegate/contract'
import type { GrantChoices, IdentityStore } from '@flamegate/operations/ports'
import { z } from 'zod'
import { readInput } from '../accounts/account-input.ts'

/** Choices of a grant as the pages send and get them; null is all of them, also those to come. */
export interface ChoicesView {
  workspace_ids: readonly string[] | null
  toolsets: readonly Toolset[] | null
  read_only: boolean
}

/** What there is to choose from, with what is chosen as the page opens. */
export interface ChoicesOffer {
  workspaces: { id: string; name: string }[]
  toolsets: { toolset: Toolset; description: string }[]
  /** What the person chose for this client before, or everything. */
  choices: ChoicesView
}

/** What a person can allow a client. */
export interface AllowanceOffer extends ChoicesOffer {
  /** What the client asks for. */
  scopes: ScopeView[]
  /** What it did not ask for, and can be given all the same: not every client knows how to ask later. */
  additional_scopes: ScopeView[]
}

interface ScopeView {
  scope: Scope
  description: string
}

/** What a person allows a client besides what it asked for. */
export interface Allowance {
  choices: GrantChoices
  additionalScopes: readonly Scope[]
}

/** The toolset `general` comes with every other. */
const choosableToolsets = toolsetNames.filter(
  (name) => name !== 'general' && catalogue.some((operation) => operation.toolset === name),
)

/** A token carries the ids, and should stay short enough for a header. */
const mostWorkspaces = 50

const choicesShape = {
  workspace_ids: z
    .array(z.string())
    .min(1, 'Choose at least one workspace.')
    .max(mostWorkspaces, `Choose up to ${mostWorkspaces} workspaces, or all of them.`)
    .nullable()
    .default(null),
  toolsets: z.array(z.enum(toolsetNames)).min(1, 'Choose at least one toolset.').nullable().default(null),
  read_only: z.boolean().default(false),
}

const choicesInput = z.strictObject(choicesShape)
const allowanceInput = z.strictObject({
  ...choicesShape,
  additional_scopes: z.array(scopeSchema).default([]),
})

type Grants = Pick<IdentityStore, 'grants'>

/**
 * What the page that allows a client sent; nothing is what was asked for, without limits.
 * @throws Problem `invalid_input`
 */
export async function readAllowance(identity: Grants, userId: string, body: unknown): Promise<Allowance> {
  const { additional_scopes, ...input } = readInput(allowanceInput, body ?? {})
  return { choices: await ownChoices(identity, userId, input), additionalScopes: additional_scopes }
}

/**
 * The choices alone, as they are changed later.
 * @throws Problem `invalid_input`
 */
export async function readChoices(identity: Grants, userId: string, body: unknown): Promise<GrantChoices> {
  return ownChoices(identity, userId, readInput(choicesInput, body))
}

export async function offerAllowance(
  identity: Grants,
  userId: string,
  requested: readonly Scope[],
  before: GrantChoices = {},
): Promise<AllowanceOffer> {
  return {
    scopes: requested.map(describeScope),
    additional_scopes: clientScopes.filter((scope) => !allows(requested, [scope])).map(describeScope),
    ...(await offerChoices(identity, userId, before)),
  }
}

export async function offerChoices(
  { grants }: Grants,
  userId: string,
  before: GrantChoices,
): Promise<ChoicesOffer> {
  const workspaces = await grants.listWorkspaces(userId)
  const isMember = (id: string) => workspaces.some((workspace) => workspace.id === id)
  return {
    workspaces,
    toolsets: choosableToolsets.map((toolset) => ({ toolset, description: toolsets[toolset] })),
    choices: {
      workspace_ids: before.workspaceIds?.filter(isMember) ?? null,
      toolsets: before.toolsets ?? null,
      read_only: before.isReadOnly ?? false,
    },
  }
}

async function ownChoices(
  { grants }: Grants,
  userId: string,
  { workspace_ids, toolsets: chosen, read_only }: z.output<typeof choicesInput>,
): Promise<GrantChoices> {
  const choices: GrantChoices = {}
  if (workspace_ids) {
    const own = new Set((await grants.listWorkspaces(userId)).map(({ id }) => id))
    if (!workspace_ids.every((id) => own.has(id))) {
      const message = 'One of these workspaces is not yours any more. Reload the page.'
      throw new Problem('invalid_input', message, { errors: [{ field: 'workspace_ids', message }] })
    }
    choices.workspaceIds = [...new Set(workspace_ids)]
  }
  if (chosen) choices.toolsets = toolsetNames.filter((name) => chosen.includes(name))
  if (read_only) choices.isReadOnly = true
  return choices
}

function describeScope(scope: Scope): ScopeView {
  return { scope, description: scopes[scope] }
}
