import type { Action } from '../model/action.ts'
import type { injectionTargets } from '../model/correlation-rule.ts'
import { walkActions } from '../outline/walk-actions.ts'
import type { VirtualUser } from '../model/virtual-user.ts'

export type InjectionTarget = (typeof injectionTargets)[number]

/** A text of the document that is sent: where values of a recording may stand. */
export interface TextSlot {
  action: Action
  /** Place of the action among all, in the order in which they are written. */
  order: number
  target: InjectionTarget
  /** Of the parameter, header or field; null for paths and whole bodies. */
  name: string | null
  /** JSON pointer of the text. */
  pointer: string
  /** A template. */
  text: string
}

/** Headers that say what the client is and can do, or that are made new with each request. */
const ownHeaders =
  /^(?:accept(?:-.*)?|user-agent|content-(?:type|length|encoding)|host|connection|cookie|cache-control|pragma|upgrade.*|sec-.*|dnt|te|expect|priority|save-data|x-requested-with)$/i

/** Whether a header of this name is the client's own: no server gave its value. */
export function isOwnHeader(name: string): boolean {
  return ownHeaders.test(name)
}

/** All texts that the enabled and disabled actions of a document send, in the order in which they are written. */
export function textSlots(document: VirtualUser): TextSlot[] {
  const slots: TextSlot[] = []
  let order = 0
  for (const { action, pointer } of walkActions(document)) {
    const add = (target: InjectionTarget, name: string | null, place: string, text: string) =>
      slots.push({ action, order, target, name, pointer: `${pointer}/${place}`, text })
    addTexts(action, add)
    order++
  }
  return slots
}

type Add = (target: InjectionTarget, name: string | null, place: string, text: string) => void

function addTexts(action: Action, add: Add): void {
  if (action.type === 'websocket') {
    if (action.operation === 'connect') {
      add('path', null, 'path', action.path)
      addFields(add, 'header', 'headers', action.headers)
    }
    if (action.operation === 'send' && action.format === 'text') add('body', null, 'message', action.message)
  }
  if (action.type !== 'http_request') return
  add('path', null, 'path', action.path)
  addFields(add, 'query', 'query', action.query)
  addFields(add, 'header', 'headers', action.headers)
  const { body } = action
  if (body?.type === 'raw' || body?.type === 'json') add('body', null, 'body/text', body.text)
  if (body?.type === 'form') addFields(add, 'body', 'body/fields', body.fields)
  if (body?.type === 'multipart')
    for (const [index, part] of body.parts.entries())
      if (part.type === 'field') add('body', part.name, `body/parts/${index}/value`, part.value)
  for (const [index, resource] of action.resources.list.entries()) {
    add('path', null, `resources/list/${index}/path`, resource.path)
    addFields(add, 'header', `resources/list/${index}/headers`, resource.headers)
  }
}

function addFields(
  add: Add,
  target: InjectionTarget,
  place: string,
  fields: readonly { name: string; value: string }[],
): void {
  for (const [index, { name, value }] of fields.entries())
    if (target !== 'header' || !isOwnHeader(name)) add(target, name, `${place}/${index}/value`, value)
}
