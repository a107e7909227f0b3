import type { Action } from '../model/action.ts'
import type { Locator, PageStep } from '../model/page.ts'

/** Actions as lines, steps of pages and inner actions indented: `click role=link[Login]`. */
export function drawActions(actions: readonly Action[], indent = ''): string[] {
  const inner = `${indent}  `
  return actions.flatMap((action): string[] => {
    const off = action.enabled ? '' : ' (off)'
    const line = `${indent}${drawOne(action)}${off}`
    if (action.type === 'page') return [line, ...action.steps.map((step) => `${inner}${drawStep(step)}`)]
    if (action.type === 'random') return [line]
    const inside = 'actions' in action ? drawActions(action.actions, inner) : []
    const otherwise = action.type === 'if' ? drawActions(action.else_actions, inner) : []
    return [line, ...inside, ...(otherwise.length === 0 ? [] : [`${indent}else`, ...otherwise])]
  })
}

function drawOne(action: Action): string {
  switch (action.type) {
    case 'http_request':
      return `${action.method} ${action.path}`
    case 'delay':
      return `delay ${action.duration.distribution === 'constant' ? action.duration.ms : '…'}`
    case 'set_variable':
      return `set ${action.variable} = ${action.value}`
    case 'if':
    case 'while':
      return `${action.type} ${action.condition.comparisons
        .map(({ left, operator, right }) => `${left} ${operator} ${right}`.trim())
        .join(action.condition.combine === 'all' ? ' and ' : ' or ')}`
    case 'loop':
      return `loop ${action.count}`
    case 'for_each':
      return `for each ${action.variable} of ${action.list}`
    default:
      return `${action.type} ${action.name}`.trim()
  }
}

/** Only what is not as it is when nothing is said. */
function drawStep({ type, enabled, timeout_ms, ...rest }: PageStep): string {
  const plain = new Set<unknown>(['', null, false, 'left', 'equals', 1])
  const parts = Object.entries({ ...rest, timeout_ms })
    .filter(
      ([name, value]) =>
        name !== 'id' &&
        name !== 'server_id' &&
        !plain.has(value) &&
        !(name === 'state' && value === 'visible'),
    )
    .map(([name, value]) => (isLocator(value) ? drawLocator(value) : `${name}=${String(value)}`))
  return [type, ...parts, ...(enabled ? [] : ['(off)'])].join(' ')
}

function isLocator(value: unknown): value is Locator {
  return typeof value === 'object' && value !== null && 'by' in value
}

function drawLocator({ by, value, name, exact, has_text, nth, frames, within }: Locator): string {
  const parts = [
    ...(within === null ? [] : [`${drawLocator(within)} >`]),
    ...frames.map((frame) => `{${frame}}`),
    `${by}${exact ? '!' : ''}=${value}${name === null ? '' : `[${name}]`}${has_text === null ? '' : `~${has_text}`}${nth === null ? '' : `#${nth}`}`,
  ]
  return parts.join(' ')
}
