import type { Action, Condition, Duration } from '../model/action.ts'
import type { VirtualUser } from '../model/virtual-user.ts'
import { walkActions } from './walk-actions.ts'

export interface OutlineLine {
  id: string
  /** JSON pointer of the action in the document, for patches. */
  pointer: string
  depth: number
  text: string
}

/**
 * The tree of a virtual user, one line for each action: what it is, what it does, and how much hangs on it.
 * @param serverNames by the ids of the servers, to be told instead of these
 */
export function outline(
  document: VirtualUser,
  serverNames: ReadonlyMap<string, string> = new Map(),
): OutlineLine[] {
  return Array.from(walkActions(document), ({ action, pointer, depth, branch }) => ({
    id: action.id,
    pointer,
    depth,
    text: [
      branch === null ? '' : `[${branch}] `,
      action.type,
      action.name === '' ? '' : ` “${short(action.name)}”`,
      told(action, serverNames),
      action.enabled ? '' : ' (disabled)',
    ].join(''),
  }))
}

function told(action: Action, serverNames: ReadonlyMap<string, string>): string {
  switch (action.type) {
    case 'http_request': {
      const server = serverNames.get(action.server_id) ?? action.server_id
      return ` ${action.method} ${server} ${short(action.path)}${counts({
        'query parameter': action.query.length,
        extractor: action.extractors.length,
        assertion: action.assertions.length,
        resource: action.resources.list.length,
      })}${action.body === null ? '' : `, ${action.body.type} body`}`
    }
    case 'websocket':
      return ` ${action.operation} ${short(action.connection)}`
    case 'delay':
      return ` ${durationText(action.duration)}`
    case 'pacing':
      return ` ${durationText(action.interval)}`
    case 'set_variable':
      return ` ${action.variable} = ${short(action.value)}`
    case 'script':
      return counts({ line: action.source.split('\n').length })
    case 'page':
      return counts({ step: action.steps.length })
    case 'if':
    case 'while':
      return ` ${conditionText(action.condition)}`
    case 'loop':
      return ` ${short(action.count)} times`
    case 'for_each':
      return ` ${action.variable} of ${action.list}`
    default:
      return ''
  }
}

function counts(things: Record<string, number>): string {
  return Object.entries(things)
    .filter(([, count]) => count > 0)
    .map(([what, count]) => `, ${count} ${what}${count === 1 ? '' : 's'}`)
    .join('')
}

function durationText(duration: Duration): string {
  switch (duration.distribution) {
    case 'constant':
      return `${duration.ms} ms`
    case 'uniform':
      return `${duration.min_ms}–${duration.max_ms} ms`
    default:
      return `${duration.mean_ms} ± ${duration.deviation_ms} ms`
  }
}

function conditionText({ combine, comparisons }: Condition): string {
  const word = combine === 'all' ? ' and ' : ' or '
  return comparisons
    .map(({ left, operator, right }) =>
      `${short(left)} ${operator.replaceAll('_', ' ')} ${short(right)}`.trim(),
    )
    .join(word)
}

/** Names come from anywhere: one line of them, and no more than one reads. */
function short(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ')
  return line.length > 80 ? `${line.slice(0, 79)}…` : line
}
