import type { Action } from '../../model/action.ts'
import { type VirtualUser, virtualUser } from '../../model/virtual-user.ts'
import { freeName, nameCharactersMax } from '../free-name.ts'
import {
  type Identified,
  type ImportContext,
  type Imported,
  type ImportOptions,
  SourceError,
} from '../importer.ts'
import type { ReportBuilder } from '../report.ts'
import type { ServerDrafts } from '../server-drafts.ts'
import type { VariableDrafts } from '../variable-drafts.ts'
import { oneLine } from './telling.ts'

export interface FoundUser {
  name: string
  description?: string
  tags?: string[]
  actions: Action[]
}

interface Drafts {
  servers: ServerDrafts
  variables: VariableDrafts
  report: ReportBuilder
}

/** Most virtual users that come of one source. */
const usersMax = 500

/** What an import answers, checked as a whole. */
export function finishImport(
  users: readonly FoundUser[],
  { servers, variables, report }: Drafts,
  options: ImportOptions,
  context: ImportContext,
): Imported {
  if (users.length > usersMax)
    throw new SourceError(`It has ${users.length} tests; at most ${usersMax} are imported from one source.`)
  const taken = new Set<string>()
  const virtualUsers = users.map((user) => {
    const wanted =
      users.length === 1 ? (options.name ?? user.name) : [options.name, user.name].filter(Boolean).join(': ')
    const name = oneLine(wanted, nameCharactersMax) || 'Imported test'
    return identified({ ...user, name: freeName(name, taken) }, context)
  })
  return {
    virtualUsers,
    servers: servers.all(),
    variables: variables.all(),
    rules: [],
    files: [],
    report: report.report,
  }
}

function identified(user: FoundUser, context: ImportContext): Identified<VirtualUser> {
  const parsed = virtualUser.safeParse(user)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new SourceError(
      `Something in it is larger than a virtual user may be (${issue?.path.join('.')}).`,
      oneLine(user.name, nameCharactersMax),
    )
  }
  return { id: context.newId('virtualUser'), document: parsed.data }
}
