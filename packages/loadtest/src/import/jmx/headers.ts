import type { Field } from '../../model/template.ts'
import { SourceError } from '../importer.ts'
import { itemsOf, type JmxElement, propertiesOf, textOf } from './jmx-element.ts'
import type { Scope } from './scope.ts'
import { noteOf, type Work } from './work.ts'

const headersMax = 200

/** Headers of all Header Managers in scope: of several that have one name the nearest counts. */
export function readHeaders(
  work: Work,
  configs: readonly JmxElement[],
  scope: Scope,
  actionId: string,
): Field[] {
  let headers: Field[] = []
  for (const manager of configs) {
    if (manager.type !== 'HeaderManager') continue
    const own = headersOf(work, manager).filter(({ name }) => !(isUserAgent(name) && isOfAll(manager)))
    const names = new Set(own.map(({ name }) => name.toLowerCase()))
    headers = [...headers.filter(({ name }) => !names.has(name.toLowerCase())), ...own]
    work.fates.mapped(manager, actionId)
  }
  if (headers.length > headersMax)
    throw new SourceError(`It has more than ${headersMax} headers.`, scope.owner.place)
  return headers
}

function headersOf(work: Work, manager: JmxElement): Field[] {
  const note = noteOf(work, manager)
  return itemsOf(manager, 'HeaderManager.headers', headersMax)
    .map(propertiesOf)
    .map((header) => ({
      name: work.texts.template(textOf(header, 'Header.name').trim(), note),
      value: work.texts.template(textOf(header, 'Header.value').trim(), note),
    }))
    .filter(({ name }) => name !== '')
}

function isUserAgent(name: string): boolean {
  return name.toLowerCase() === 'user-agent'
}

/** The User-Agent that a whole thread group has is that of the virtual user. */
function isOfAll({ around }: JmxElement): boolean {
  return around !== undefined && /ThreadGroup$|^TestPlan$/.test(around.type)
}

/** User-Agent of a whole thread group, if there is one. */
export function userAgentOf(work: Work, group: Scope): string | null {
  const managers = [group.around?.owner, group.owner]
    .flatMap((owner) => owner?.children ?? [])
    .filter(({ type, isEnabled }) => type === 'HeaderManager' && isEnabled)
  const found = managers
    .flatMap((manager) => headersOf(work, manager).map((header) => ({ ...header, manager })))
    .findLast(({ name }) => isUserAgent(name))
  if (found === undefined) return null
  work.fates.mapped(found.manager)
  if (found.value.includes('${'))
    work.fates.note(found.manager, 'The user agent is a fixed text: no variables stand in it.')
  return found.value.slice(0, 500)
}
