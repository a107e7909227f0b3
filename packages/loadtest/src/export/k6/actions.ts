import type { Action, Condition, Duration } from '../../model/action.ts'
import { requestLines } from './requests.ts'
import { comment, expression, indented, noteFor, quote, type Work } from './work.ts'

export function actionLines(work: Work, actions: readonly Action[], thinkTimeFactor: number): string[] {
  return actions.flatMap((action) => {
    if (!action.enabled) {
      noteFor(work, action.id)('It is disabled, and left out.')
      return []
    }
    const title = [action.type === 'container' ? '' : action.name, action.comment].filter(
      (text) => text !== '',
    )
    return [...title.flatMap(comment), ...lines(work, action, thinkTimeFactor)]
  })
}

function lines(work: Work, action: Action, factor: number): string[] {
  const note = noteFor(work, action.id)
  const inside = (actions: readonly Action[]) => indented(actionLines(work, actions, factor))
  switch (action.type) {
    case 'http_request':
      return requestLines(work, action)
    case 'container':
      return [`group(${quote(action.name || 'Container')}, () => {`, ...inside(action.actions), '})']
    case 'if':
      return [
        `if (${test(action.condition)}) {`,
        ...inside(action.actions),
        ...(action.else_actions.length === 0 ? [] : ['} else {', ...inside(action.else_actions)]),
        '}',
      ]
    case 'while':
      return [
        `for (let left = ${action.iterations_max}; left > 0 && (${test(action.condition)}); left--) {`,
        ...inside(action.actions),
        '}',
      ]
    case 'loop':
      return [
        `for (let left = Number(${expression(action.count)}); left > 0; left--) {`,
        ...inside(action.actions),
        '}',
      ]
    case 'for_each':
      return [
        `for (const each of [].concat(vars[${quote(action.list)}] || [])) {`,
        `  vars[${quote(action.variable)}] = each`,
        ...inside(action.actions),
        '}',
      ]
    case 'once':
      return ['if (exec.vu.iterationInInstance === 0) {', ...inside(action.actions), '}']
    case 'random':
      return [
        `switch (choose([${action.choices.map(({ weight }) => weight).join(', ')}])) {`,
        ...indented(
          action.choices.flatMap(({ name, actions }, index) => [
            `case ${index}: {`,
            ...indented(name === '' ? [] : comment(name)),
            ...inside(actions),
            '  break',
            '}',
          ]),
        ),
        '}',
      ]
    case 'delay':
      return [`sleep((${milliseconds(action.duration)}) * ${(action.is_scaled ? factor : 1) / 1000})`]
    case 'pacing':
      return [`pace(${quote(action.id)}, ${milliseconds(action.interval)})`]
    case 'set_variable':
      return [`vars[${quote(action.variable)}] = ${expression(action.value)}`]
    case 'script':
      note('The script runs in a sandbox of its own here: write it anew.')
      return comment(`Script:\n${action.source}`)
    case 'websocket':
      note(`WebSockets of k6 work by events: write ${action.operation} with k6/websockets.`)
      return comment(`WebSocket: ${action.operation}`)
    default:
      note('A page needs a browser: write its steps with k6/browser.')
      return comment(`Page: ${action.steps.length} steps`)
  }
}

function test({ combine, comparisons }: Condition): string {
  return comparisons
    .map(
      ({ left, operator, right }) => `compare(${expression(left)}, ${quote(operator)}, ${expression(right)})`,
    )
    .join(combine === 'all' ? ' && ' : ' || ')
}

function milliseconds(duration: Duration): string {
  switch (duration.distribution) {
    case 'constant':
      return String(duration.ms)
    case 'uniform':
      return `${duration.min_ms} + Math.random() * ${duration.max_ms - duration.min_ms}`
    default:
      return `gaussian(${duration.mean_ms}, ${duration.deviation_ms})`
  }
}
