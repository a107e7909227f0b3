import { actionKinds, kindOf } from './action-fields.ts'
import { counted } from '../documents/counted.ts'
import { isObject, type JsonObject, objectsIn, partOf, textOf } from '../documents/json.ts'

/** What an action is called: its name, or what it is. */
export function actionTitle(action: JsonObject): string {
  return textOf(action['name']) || (actionKinds[kindOf(action)]?.label ?? textOf(action['type']))
}

/** What an action does, in a few words. */
export function actionDetail(action: JsonObject, serverNames: ReadonlyMap<string, string>): string {
  const text = (name: string) => textOf(action[name])
  switch (action['type']) {
    case 'http_request':
      return `${text('method')} ${serverNames.get(text('server_id')) ?? ''}${text('path')}`
    case 'websocket':
      return text('operation') === 'connect'
        ? `${serverNames.get(text('server_id')) ?? ''}${text('path')}`
        : text('message') || text('connection')
    case 'delay':
      return durationWords(action['duration'])
    case 'pacing':
      return durationWords(action['interval'])
    case 'set_variable':
      return `${text('variable')} = ${text('value')}`
    case 'script':
      return text('source').trim().split('\n')[0] ?? ''
    case 'page':
      return counted(objectsIn(action['steps']).length, 'step')
    case 'if':
    case 'while':
      return conditionWords(action['condition'])
    case 'loop':
      return `${text('count')} times`
    case 'for_each':
      return `${text('variable')} of ${text('list')}`
    default:
      return ''
  }
}

/** All of an action that a filter looks at, in lower case. */
export function actionHaystack(action: JsonObject, serverNames: ReadonlyMap<string, string>): string {
  const parts = [actionTitle(action), actionDetail(action, serverNames), textOf(action['id'])]
  const type = textOf(action['type'])
  const variables = ['extractors', 'assertions'].flatMap((list) =>
    objectsIn(action[list]).map((each) => textOf(each['variable'])),
  )
  return [...parts, type, textOf(action['comment']), ...variables].join('\n').toLowerCase()
}

function durationWords(duration: unknown): string {
  const ms = (name: string) => {
    const value = Number(partOf(duration, name))
    return value >= 1000 ? `${Number((value / 1000).toFixed(2))} s` : `${value} ms`
  }
  switch (partOf(duration, 'distribution')) {
    case 'constant':
      return ms('ms')
    case 'uniform':
      return `${ms('min_ms')} to ${ms('max_ms')}`
    case 'gaussian':
      return `${ms('mean_ms')} ± ${ms('deviation_ms')}`
    default:
      return ''
  }
}

function conditionWords(condition: unknown): string {
  if (!isObject(condition)) return ''
  return objectsIn(condition['comparisons'])
    .map((each) =>
      `${textOf(each['left'])} ${textOf(each['operator']).replaceAll('_', ' ')} ${textOf(each['right'])}`.trim(),
    )
    .join(condition['combine'] === 'any' ? ' or ' : ' and ')
}
