import { compile } from 'json-p3'
import type { Action, ActionOf, Duration } from '../model/action.ts'
import type { Assertion } from '../model/assertion.ts'
import type { Extractor } from '../model/extractor.ts'
import type { HttpServer } from '../model/http-server.ts'
import type { PageStep } from '../model/page.ts'
import { variablesOf } from '../model/template-text.ts'
import type { Field } from '../model/template.ts'
import { variablesSetBy } from '../outline/action-variables.ts'
import { listsOf } from '../outline/walk-actions.ts'
import { isPassword, wordsOf } from '../text/secret-names.ts'
import type { Report } from './finding.ts'

/** What a document refers to, and is checked against. */
export interface Surroundings {
  servers: ReadonlyMap<string, HttpServer>
  /** Sizes of the project's files by path, in bytes. */
  files: ReadonlyMap<string, number>
}

const longThinkTimeMs = 5 * 60_000

/** Faults that one enabled action has by itself. */
export function checkAction(action: Action, { servers, files }: Surroundings, report: Report): void {
  if ('extractors' in action) {
    for (const extractor of action.extractors) checkExtractor(extractor, report)
    for (const assertion of action.assertions) checkAssertion(assertion, report)
  }
  if (action.name.trim() === '' && named.has(action.type))
    report('INFO', 'unnamed_action', 'It has no name.', 'Name it: results are shown by names.')
  const lists = listsOf(action)
  if (lists.length > 0 && !lists.some(({ actions }) => actions.some(({ enabled }) => enabled)))
    report(
      'WARNING',
      'empty_container',
      'Nothing that is enabled is in it.',
      'Put actions into it, or delete it.',
    )

  switch (action.type) {
    case 'http_request':
      checkRequest(action, servers, files, report)
      break
    case 'websocket':
      if (action.operation === 'connect') checkServer(action.server_id, servers, report)
      break
    case 'page':
      if (!action.steps.some(({ enabled }) => enabled))
        report('WARNING', 'empty_page', 'It has no step that is enabled.', 'Add steps, or delete it.')
      for (const step of action.steps) {
        if (step.type === 'goto') checkServer(step.server_id, servers, report)
        if (step.type === 'set_files') for (const path of step.paths) checkFile(path, files, report)
        if (step.type === 'fill' || step.type === 'type_text') checkTyped(step, report)
      }
      break
    case 'script':
      if (withoutComments(action.source).trim() === '')
        report('WARNING', 'empty_script', 'The script does nothing.', 'Write it, or delete it.')
      break
    case 'delay':
      checkDuration(action.duration, 'think time', report)
      break
    case 'pacing':
      checkDuration(action.interval, 'pacing', report)
      break
    case 'random':
      if (action.choices.every(({ weight }) => weight === 0))
        report(
          'ERROR',
          'no_weight',
          'All of its weights are 0.',
          'Give a weight to at least one of its choices.',
        )
      break
    case 'while':
      checkExit(action, report)
      break
    default:
  }
}

const named = new Set(['container', 'http_request', 'page', 'script'])

function checkRequest(
  action: ActionOf<'http_request'>,
  servers: Surroundings['servers'],
  files: Surroundings['files'],
  report: Report,
): void {
  checkServer(action.server_id, servers, report)
  for (const { server_id: id, enabled } of action.resources.list)
    if (enabled) checkServer(id, servers, report)
  for (const { name, value } of action.query) {
    if (name === '')
      report('WARNING', 'empty_query_parameter', 'A query parameter has no name.', 'Name it, or delete it.')
    else if (value === '')
      report(
        'INFO',
        'empty_query_parameter',
        `The query parameter ${name} is empty.`,
        'Give it a value if it needs one.',
      )
  }
  const host = headerOf(action.headers, 'host')
  const base = servers.get(action.server_id)?.base_url
  if (
    host !== undefined &&
    base !== undefined &&
    (URL.parse(base)?.host ?? host.toLowerCase()) !== host.toLowerCase()
  )
    report(
      'WARNING',
      'host_header',
      `Its Host header says ${host}, its server is ${new URL(base).host}.`,
      'Delete the header: it is made by itself.',
    )
  checkCredentials(action.headers, report)
  const { body } = action
  if (body?.type === 'file') checkFile(body.path, files, report)
  if (body?.type === 'multipart')
    for (const part of body.parts)
      if (part.type === 'file') checkFile(part.path, files, report, part.file_name === '')
  if (body?.type === 'form')
    for (const { name, value } of body.fields)
      if ((isPassword(name) || /\bsecret$/.test(wordsOf(name))) && isLiteral(value))
        report(
          'WARNING',
          'plain_secret',
          `The field ${name} holds a secret in plain text.`,
          'Make a secret variable, and write ${its_name} there.',
        )
}

function checkTyped(
  { enabled, locator, value }: Extract<PageStep, { type: 'fill' | 'type_text' }>,
  report: Report,
): void {
  const isForPassword = [locator?.value, locator?.name].some((text) => text != null && isPassword(text))
  if (enabled && isForPassword && isLiteral(value))
    report(
      'INFO',
      'plain_secret',
      'A step types a password that stands in it in plain text.',
      'Make a secret variable, and write ${its_name} there.',
    )
}

export function checkCredentials(headers: readonly Field[], report: Report): void {
  for (const { name, value } of headers)
    if (/^(?:proxy-)?authorization$|^x-api-key$|^api-key$|^x-auth-token$/i.test(name) && isLiteral(value))
      report(
        'WARNING',
        'plain_secret',
        `The header ${name} holds a credential in plain text, as it was when it was written down.`,
        'Take it from an answer, use the authentication of the server, or make a secret variable.',
      )
}

const isLiteral = (template: string) => template.trim() !== '' && variablesOf(template).length === 0

function headerOf(headers: readonly Field[], wanted: string): string | undefined {
  return headers.find(({ name }) => name.toLowerCase() === wanted)?.value
}

function checkServer(id: string, servers: Surroundings['servers'], report: Report): void {
  if (!servers.has(id))
    report(
      'ERROR',
      'unknown_server',
      `There is no HTTP server ${id}.`,
      'Choose one of the project, or create it.',
    )
}

/** @param mayBeEmpty what is sent without a name is what a browser sends where no file was chosen */
export function checkFile(
  path: string,
  files: Surroundings['files'],
  report: Report,
  mayBeEmpty = false,
): void {
  const size = files.get(path)
  if (size === undefined)
    report('ERROR', 'missing_file', `The project has no file ${path}.`, 'Upload it under this path.')
  else if (size === 0 && !mayBeEmpty)
    report('WARNING', 'empty_file', `The file ${path} is empty.`, 'Upload one with content.')
}

function checkDuration(duration: Duration, what: string, report: Report): void {
  if (duration.distribution === 'uniform' && duration.min_ms > duration.max_ms)
    report(
      'ERROR',
      'duration_bounds',
      'Its shortest duration is longer than its longest.',
      'Exchange the two.',
    )
  const longest = longestMs(duration)
  if (longest > longThinkTimeMs)
    report(
      'WARNING',
      'long_think_time',
      `A ${what} of ${Math.round(longest / 1000)} s is more than 5 minutes.`,
      'Is it in milliseconds? A session of the server may end meanwhile.',
    )
}

/** Longest of a duration, or what most of a gaussian are shorter than, in milliseconds. */
export function longestMs(duration: Duration): number {
  if (duration.distribution === 'constant') return duration.ms
  return duration.distribution === 'uniform' ? duration.max_ms : duration.mean_ms + 2 * duration.deviation_ms
}

function checkExit(action: ActionOf<'while'>, report: Report): void {
  const needed = action.condition.comparisons.flatMap(({ left, right }) => [
    ...variablesOf(left),
    ...variablesOf(right),
  ])
  const set = variablesSetBy(action)
  if (needed.some((name) => set.has(name))) return
  report(
    'WARNING',
    'while_without_exit',
    needed.length === 0
      ? 'Its condition names no variable: it never changes.'
      : `Nothing in it sets ${[...new Set(needed)].join(', ')}, which its condition is about.`,
    `Have something in it set the variable; otherwise it ends only after ${action.iterations_max} times, as a failure.`,
  )
}

function checkExtractor(extractor: Extractor, report: Report): void {
  if (!extractor.enabled) return
  if (extractor.type === 'regex') checkPattern(extractor.pattern, extractor.flags, report)
  if (extractor.type === 'json_path') checkPath(extractor.path, report)
}

function checkAssertion(assertion: Assertion, report: Report): void {
  if (!assertion.enabled) return
  if (assertion.type === 'body_matches') checkPattern(assertion.pattern, assertion.flags, report)
  if (assertion.type === 'json_path') checkPath(assertion.path, report)
}

function checkPattern(pattern: string, flags: string, report: Report): void {
  try {
    RegExp(pattern, flags)
  } catch {
    report('ERROR', 'pattern', `${pattern} is no regular expression of JavaScript.`, 'Mend the pattern.')
  }
}

function checkPath(path: string, report: Report): void {
  try {
    compile(path)
  } catch {
    report('ERROR', 'json_path', `${path} is no JSONPath of RFC 9535.`, 'Write it like $.items[0].id.')
  }
}

/** Near enough to see whether there is any code. */
function withoutComments(source: string): string {
  return source.replaceAll(/\/\/[^\n]*/g, '').replaceAll(/\/\*[^]*?\*\//g, '')
}
