import type { HttpServer } from '../../model/http-server.ts'
import type { Variable } from '../../model/variable.ts'
import type { VirtualUser } from '../../model/virtual-user.ts'
import type { Exported } from '../exported.ts'
import { actionLines } from './actions.ts'
import { helpersFor } from './helpers.ts'
import { variableLines } from './variables.ts'
import { comment, indented, noteFor, quote, type Work } from './work.ts'

const imports: readonly (readonly [use: RegExp, line: string])[] = [
  [/\bhttp\./, `import http from 'k6/http'`],
  [/\bexec\./, `import exec from 'k6/execution'`],
  [/\bSharedArray\(/, `import { SharedArray } from 'k6/data'`],
  [/\bparseHTML\(/, `import { parseHTML } from 'k6/html'`],
  [/\bencoding\./, `import encoding from 'k6/encoding'`],
]

/** A script for k6 1.0 and later (https://grafana.com/docs/k6/latest/javascript-api/): one user, one iteration. */
export function exportK6(
  virtualUser: VirtualUser,
  servers: ReadonlyMap<string, HttpServer>,
  variables: readonly Variable[],
): Exported {
  const work: Work = { servers, notes: [], files: new Map() }
  const note = noteFor(work, null)
  const actions = actionLines(work, virtualUser.actions, virtualUser.think_time_factor)
  const values = variableLines(variables, note)
  tell(virtualUser, servers, note)
  const main = [
    ...(values.fresh.length === 0 ? [] : ['// Variables that have their value where they stand.']),
    'const fresh = {',
    ...indented(values.fresh),
    '}',
    '',
    ...values.init,
    ...[...work.files].map(([name, path]) => `const ${name} = open(${quote(`./${path}`)}, 'b')`),
    '',
    'export default function () {',
    ...indented([
      ...(values.once.length === 0
        ? []
        : ['if (exec.vu.iterationInInstance === 0) {', ...indented(values.once), '}']),
      ...values.begin,
      ...actions,
    ]),
    '}',
  ]
  const helpers = helpersFor(main.join('\n'))
  const body = [...main, ...helpers].join('\n')
  const text = [
    ...comment(`Virtual user: ${virtualUser.name}`),
    ...(virtualUser.description === '' ? [] : comment(virtualUser.description)),
    ...importLines(body),
    '',
    ...optionLines(virtualUser, servers),
    '',
    ...state,
    '',
    ...main,
    ...helpers.flatMap((helper) => ['', helper]),
    '',
  ]
  return { text: text.join('\n'), notes: work.notes }
}

const state = [
  '// What variables hold: a text, or a list of them.',
  'const vars = {}',
  '',
  'function value(name, index) {',
  '  const found = name in vars ? vars[name] : name in fresh ? fresh[name]() : undefined',
  '  const one = Array.isArray(found) ? found[index || 0] : found',
  '  if (one === undefined) throw new Error(`The variable ${name} has no value.`)',
  '  return String(one)',
  '}',
  '',
  'function count(name) {',
  '  return String([].concat(vars[name] || []).length)',
  '}',
]

function importLines(body: string): string[] {
  const names = ['check', 'group', 'sleep'].filter((name) => new RegExp(String.raw`\b${name}\(`).test(body))
  return [
    ...imports.filter(([use]) => use.test(body)).map(([, line]) => line),
    ...(names.length === 0 ? [] : [`import { ${names.join(', ')} } from 'k6'`]),
  ]
}

function optionLines(
  { user_agent: userAgent, cookies }: VirtualUser,
  servers: ReadonlyMap<string, HttpServer>,
): string[] {
  const areVerified = [...servers.values()].every(({ tls }) => tls.verify)
  return [
    '// Load belongs to a scenario: https://grafana.com/docs/k6/latest/using-k6/scenarios/',
    'export const options = {',
    '  vus: 1,',
    '  iterations: 1,',
    ...(userAgent === null ? [] : [`  userAgent: ${quote(userAgent)},`]),
    ...(cookies.keep && !cookies.clear_each_iteration ? ['  noCookiesReset: true,'] : []),
    ...(areVerified ? [] : ['  insecureSkipTLSVerify: true,']),
    '}',
  ]
}

function tell(
  virtualUser: VirtualUser,
  servers: ReadonlyMap<string, HttpServer>,
  note: (text: string) => void,
): void {
  if (!virtualUser.cookies.keep) note('k6 keeps the cookies of an iteration.')
  if (virtualUser.cache.keep) note('k6 has no cache: everything is asked for again.')
  for (const { name, tls, http_version: version } of servers.values()) {
    if (tls.server_name !== null) note(`${name} is told no other name than its own.`)
    if (!tls.verify && servers.size > 1)
      note('Certificates are verified of all servers, or of none: of none.')
    if (version === 'http/1.1')
      note('k6 speaks HTTP/2 where a server does; GODEBUG=http2client=0 makes it HTTP/1.1.')
  }
}
