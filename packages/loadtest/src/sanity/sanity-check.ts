import type { Action } from '../model/action.ts'
import type { HttpServer } from '../model/http-server.ts'
import type { Variable } from '../model/variable.ts'
import type { VirtualUser } from '../model/virtual-user.ts'
import { listsOf } from '../outline/walk-actions.ts'
import { variablesIn, variablesNamedBy, variablesSetByAction } from '../outline/action-variables.ts'
import { checkAction, checkCredentials, longestMs, type Surroundings } from './check-action.ts'
import { checkVariables } from './check-variables.ts'
import { type Finding, grades, type Report } from './finding.ts'

export interface SanityContext extends Surroundings {
  /** Of the project. */
  variables: readonly Variable[]
  /** Names of its secrets that nobody has given a value. */
  unsetSecrets: ReadonlySet<string>
}

/**
 * Finds what is wrong with a virtual user without sending anything: errors first, then warnings, then what is worth knowing; each
 * in the order in which it is written. What is disabled is not looked at, but for what an import disabled.
 */
export function sanityCheck(document: VirtualUser, context: SanityContext): Finding[] {
  const findings: Finding[] = []
  const reportOf =
    (actionId: string | null): Report =>
    (grade, code, words, advice) =>
      findings.push({ grade, code, actionId, words, advice })
  const enabled = enabledActions(document.actions, reportOf)
  for (const action of enabled) checkAction(action, context, reportOf(action.id))
  checkNames(enabled, reportOf)
  checkConnections(enabled, reportOf)
  checkWhole(document, enabled, reportOf(null))
  const usedServers = [...context.servers].filter(([id]) =>
    enabled.some((action) => serversOf(action).has(id)),
  )
  for (const [, server] of usedServers) checkServer(server, reportOf(null))
  checkUses(
    enabled,
    usedServers.map(([, server]) => server),
    context,
    reportOf,
  )
  return findings.toSorted((a, b) => grades.indexOf(a.grade) - grades.indexOf(b.grade))
}

type ReportOf = (actionId: string | null) => Report

/** All that is enabled, with all around it; what is disabled by an import is reported. */
function enabledActions(actions: readonly Action[], reportOf: ReportOf): Action[] {
  return actions.flatMap((action) => {
    if (!action.enabled) {
      if (action.type === 'http_request' && action.disabled_reason !== null)
        reportOf(action.id)(
          'WARNING',
          'disabled_by_import',
          `The import disabled it: ${action.disabled_reason}`,
          'Verify the target host and enable it, or delete it.',
        )
      return []
    }
    return [action, ...listsOf(action).flatMap((list) => enabledActions(list.actions, reportOf))]
  })
}

function checkNames(actions: readonly Action[], reportOf: ReportOf): void {
  const ids = new Set<string>()
  const containers = new Set<string>()
  for (const action of actions) {
    if (ids.has(action.id))
      reportOf(action.id)(
        'ERROR',
        'duplicate_id',
        `Two actions have the id ${action.id}.`,
        'Give one of them another.',
      )
    ids.add(action.id)
    if (action.type !== 'container' || action.name === '') continue
    if (containers.has(action.name))
      reportOf(action.id)(
        'INFO',
        'duplicate_name',
        `Another container is named “${action.name}”, too.`,
        'Give them different names to tell their results apart.',
      )
    containers.add(action.name)
  }
}

function checkConnections(actions: readonly Action[], reportOf: ReportOf): void {
  const open = new Set<string>()
  for (const action of actions) {
    if (action.type !== 'websocket') continue
    if (action.operation === 'connect') open.add(action.connection)
    else if (!open.has(action.connection))
      reportOf(action.id)(
        'ERROR',
        'no_connection',
        `No action before it connects “${action.connection}”.`,
        'Put a connect action with this name in front.',
      )
  }
}

const asks = (action: Action) =>
  action.type === 'http_request' || action.type === 'page' || action.type === 'websocket'

function checkWhole(document: VirtualUser, enabled: readonly Action[], report: Report): void {
  const asking = enabled.filter(asks)
  if (asking.length === 0)
    report(
      'ERROR',
      'no_requests',
      'It sends nothing: it has no request that is enabled.',
      'Add requests, or enable some.',
    )
  const waits = enabled.flatMap((action) =>
    action.type === 'delay'
      ? [longestMs(action.duration) * (action.is_scaled ? document.think_time_factor : 1)]
      : [],
  )
  const isPaced = enabled.some(({ type }) => type === 'pacing')
  if (asking.length > 1 && !isPaced && !waits.some((ms) => ms > 0))
    report(
      'WARNING',
      'no_think_time',
      waits.length === 0 ? 'It never waits between requests.' : 'All of its think times are 0.',
      'Add delays as a person makes them, or a pacing; without them one user is as much load as many.',
    )
  if (!document.cookies.keep)
    report(
      'WARNING',
      'cookies_not_kept',
      'Cookies are not kept: no session lasts.',
      'Keep them unless that is meant.',
    )
  else if (document.cookies.clear_each_iteration) {
    const once = enabled.find(
      (action) =>
        action.type === 'once' && listsOf(action).some(({ actions }) => actions.some((each) => each.enabled)),
    )
    if (once !== undefined)
      report(
        'WARNING',
        'cookies_cleared',
        `“${once.name || once.id}” runs in the first iteration only, but cookies are cleared before each: a session that begins there ends with it.`,
        'Do not clear cookies, or log in in each iteration.',
      )
  }
}

function serversOf(action: Action): Set<string> {
  const ids = new Set<string>()
  if (action.type === 'http_request') {
    ids.add(action.server_id)
    for (const { server_id: id } of action.resources.list) ids.add(id)
  }
  if (action.type === 'websocket' && action.operation === 'connect') ids.add(action.server_id)
  if (action.type === 'page')
    for (const step of action.steps) if (step.type === 'goto') ids.add(step.server_id)
  return ids
}

function checkServer({ name, headers, authentication }: HttpServer, report: Report): void {
  const ofServer: Report = (grade, code, words, advice) =>
    report(grade, code, `HTTP server ${name}: ${words}`, advice)
  checkCredentials(headers, ofServer)
  const secret =
    authentication.type === 'bearer'
      ? authentication.token
      : authentication.type === 'none'
        ? ''
        : authentication.password
  if (secret !== '' && variablesIn(secret).length === 0)
    ofServer(
      'WARNING',
      'plain_secret',
      'Its authentication holds a secret in plain text.',
      'Make a secret variable, and write ${its_name} there.',
    )
}

/** An action with those of its extractors that are enabled. */
function withoutDisabled(action: Action): Action {
  return 'extractors' in action
    ? { ...action, extractors: action.extractors.filter(({ enabled }) => enabled) }
    : action
}

/** Variables that are needed and not there, and such as are there and not needed. */
function checkUses(
  enabled: readonly Action[],
  servers: readonly HttpServer[],
  context: SanityContext,
  reportOf: ReportOf,
): void {
  const byAction = enabled.map((action) => ({ action, names: variablesNamedBy(action) }))
  const ofServers = new Set(variablesIn(servers))
  const needed = new Set([...byAction.flatMap(({ names }) => [...names]), ...ofServers])
  const given = checkVariables(context.variables, needed, context, reportOf(null))
  const set = new Set(enabled.flatMap((action) => [...variablesSetByAction(withoutDisabled(action))]))
  const isThere = (name: string) => given.names.has(name) || set.has(name)

  function miss(name: string, report: Report): void {
    report(
      given.areOpen ? 'WARNING' : 'ERROR',
      'unresolved_variable',
      `Nothing gives \${${name}} a value.`,
      given.areOpen
        ? 'It is right if the first line of a CSV file names it; otherwise create the variable or an extractor.'
        : 'Create the variable, or an extractor that sets it.',
    )
  }

  for (const { action, names } of byAction)
    for (const name of names) if (!isThere(name)) miss(name, reportOf(action.id))
  for (const name of ofServers) if (!isThere(name)) miss(name, reportOf(null))
  for (const name of needed)
    if (context.unsetSecrets.has(name) && !set.has(name))
      reportOf(null)(
        'ERROR',
        'unset_secret',
        `The secret \${${name}} has no value yet.`,
        'Give it one among the variables of the project.',
      )
  for (const { action } of byAction) {
    if (!('extractors' in action)) continue
    for (const { variable, enabled: isOn } of action.extractors) {
      if (isOn && !needed.has(variable))
        reportOf(action.id)(
          'WARNING',
          'unused_extractor',
          `Nothing uses \${${variable}}, which it takes from its answer.`,
          'Send it where it is needed, or delete the extractor.',
        )
      if (isOn && given.names.has(variable))
        reportOf(action.id)(
          'WARNING',
          'duplicate_name',
          `Its extractor sets \${${variable}}, which is a variable of the project, too.`,
          'Give one of them another name.',
        )
    }
  }
}
