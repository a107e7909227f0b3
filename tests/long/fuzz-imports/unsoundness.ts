import type { Imported } from '../../../packages/loadtest/src/import/importer.ts'
import { countOutcomes } from '../../../packages/loadtest/src/import/report.ts'
import type { Action } from '../../../packages/loadtest/src/model/action.ts'
import { filePath } from '../../../packages/loadtest/src/model/template.ts'
import { walkActions } from '../../../packages/loadtest/src/outline/walk-actions.ts'
import {
  DocumentError,
  type DocumentKind,
  parseDocument,
} from '../../../packages/loadtest/src/patch/parse-document.ts'

/** What is wrong with what an importer gave, if anything. */
export function unsoundness(imported: Imported, isVerified: (host: string) => boolean): string | undefined {
  return (
    wrongDocument(imported) ??
    wrongReference(imported) ??
    wrongReport(imported) ??
    wrongTarget(imported, isVerified)
  )
}

function wrongDocument({
  virtualUsers,
  servers,
  variables,
  rules,
  files,
  report,
}: Imported): string | undefined {
  const kinds: [DocumentKind, readonly { document: unknown }[]][] = [
    ['virtual_user', virtualUsers],
    ['http_server', servers],
    ['variable', variables],
    ['correlation_rule', rules],
  ]
  for (const [kind, all] of kinds) {
    for (const { document } of all) {
      try {
        parseDocument(kind, document)
      } catch (error) {
        if (!(error instanceof DocumentError)) throw error
        const [fault] = error.faults
        return `no ${kind}: ${fault?.pointer.replaceAll(/\d+/g, '…')} ${fault?.message.slice(0, 100)}`
      }
    }
  }
  if (files.some(({ path }) => !filePath.safeParse(path).success)) return 'a file whose path is none'
  // Those of an archive get their names in the project, as names are taken there already.
  if (report.format === 'archive') return undefined
  return repeated(servers.map(({ document }) => document.name)) ? 'two servers of one name' : undefined
}

function repeated(names: readonly string[]): boolean {
  return new Set(names).size < names.length
}

function wrongReference({ virtualUsers, servers, report }: Imported): string | undefined {
  const serverIds = new Set(servers.map(({ id }) => id))
  const ids = new Set<string>()
  for (const { document } of virtualUsers) collectIds(document.actions, ids)
  for (const { document } of virtualUsers) {
    for (const { action } of walkActions(document))
      for (const id of serverIdsOf(action))
        if (report.format !== 'archive' && !serverIds.has(id)) return 'a request to no server'
  }
  const stray = report.elements.find(({ actionId }) => actionId !== null && !ids.has(actionId))
  return stray === undefined ? undefined : `the report names an action that is not there (${stray.kind})`
}

function collectIds(value: unknown, ids: Set<string>): void {
  if (typeof value !== 'object' || value === null) return
  if ('id' in value && typeof value.id === 'string') ids.add(value.id)
  for (const inside of Object.values(value)) collectIds(inside, ids)
}

function wrongReport({ report }: Imported): string | undefined {
  const { read, mapped, approximated, dropped } = countOutcomes(report)
  if (read !== mapped + approximated + dropped) return 'the report does not add up'
  const silent = report.elements.find(({ outcome, note }) => outcome !== 'mapped' && !note)
  if (silent !== undefined) return `${silent.outcome} without a reason (${silent.kind})`
  return undefined
}

/** Requests are enabled only to hosts that are verified; an archive was allowed to run already. */
function wrongTarget(
  { virtualUsers, servers, report }: Imported,
  isVerified: (host: string) => boolean,
): string | undefined {
  if (report.format === 'archive') return undefined
  const foreign = new Set(
    servers
      .filter(
        ({ document: { base_url: url } }) => !url.includes('${') && !isVerified(URL.parse(url)?.host ?? ''),
      )
      .map(({ id }) => id),
  )
  const found = virtualUsers
    .flatMap(({ document }) => enabledIn(document.actions))
    .find((action) => serverIdsOf(action, true).some((id) => foreign.has(id)))
  return found === undefined ? undefined : `enabled, to a host that is not verified (${found.type})`
}

/** Those that would run, with what is around them. */
function enabledIn(actions: readonly Action[]): Action[] {
  return actions
    .filter(({ enabled }) => enabled)
    .flatMap((action) => {
      if ('choices' in action) return action.choices.flatMap((choice) => enabledIn(choice.actions))
      const inside = 'actions' in action ? enabledIn(action.actions) : []
      return [action, ...inside, ...('else_actions' in action ? enabledIn(action.else_actions) : [])]
    })
}

/** Servers that an action names; only those that it would send something to. */
function serverIdsOf(action: Action, isOnlyEnabled = false): string[] {
  const named = (parts: readonly { enabled: boolean; server_id?: string }[]): string[] =>
    parts.flatMap(({ enabled, server_id: id }) =>
      id === undefined || (isOnlyEnabled && !enabled) ? [] : [id],
    )
  if (action.type === 'http_request') return [action.server_id, ...named(action.resources.list)]
  if (action.type === 'websocket') return 'server_id' in action ? [action.server_id] : []
  return action.type === 'page' ? named(action.steps) : []
}
