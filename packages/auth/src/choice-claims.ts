import { toolsetNames } from '@flamegate/contract'
import type { GrantChoices, VersionedChoices } from '@flamegate/operations/ports'

/** Choices of a grant as claims of its access tokens; what is not limited is left out. */
export interface ChoiceClaims {
  /** Workspace ids. */
  wid?: readonly string[]
  /** Toolsets. */
  tsets?: readonly string[]
  /** Read-only. */
  ro?: true
  /** Version of the choices. */
  cv?: number
}

export function choiceClaims({ choices, version }: VersionedChoices): ChoiceClaims {
  const { workspaceIds, toolsets, isReadOnly } = choices
  const claims: ChoiceClaims = {}
  if (workspaceIds) claims.wid = workspaceIds
  if (toolsets) claims.tsets = toolsets
  if (isReadOnly) claims.ro = true
  if (version > 0) claims.cv = version
  return claims
}

/** 0 for a token that says none: those from before there were versions are of the first one. */
export function readChoicesVersion({ cv }: Record<string, unknown>): number {
  return typeof cv === 'number' ? cv : 0
}

/** The way back. A toolset that is not known any more is none. */
export function readChoiceClaims({ wid, tsets, ro }: Record<string, unknown>): GrantChoices {
  const choices: GrantChoices = {}
  if (Array.isArray(wid)) choices.workspaceIds = wid.filter((id) => typeof id === 'string')
  if (Array.isArray(tsets)) choices.toolsets = toolsetNames.filter((name) => tsets.includes(name))
  if (ro === true) choices.isReadOnly = true
  return choices
}
