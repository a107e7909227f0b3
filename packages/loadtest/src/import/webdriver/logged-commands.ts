import { asList, asObject, asText, isObject, type JsonObject } from '../../json/json-values.ts'
import { literal } from '../../model/template.ts'
import { Unmapped } from '../browser/telling.ts'
import { namedKeys } from '../side/keys.ts'

/** A step in the words of Selenium IDE. */
export interface Step {
  name: string
  target: string
  value: string
}

/** The key under which WebDriver gives an element its id (https://www.w3.org/TR/webdriver2/#elements). */
const elementKeys = ['element-6066-11e4-a52e-4f735466cecf', 'ELEMENT']

/** How elements are found, in the words of WebDriver and in those of Selenium IDE. */
const strategies: ReadonlyMap<string, string> = new Map([
  ['css selector', 'css'],
  ['xpath', 'xpath'],
  ['link text', 'linkText'],
  ['partial link text', 'partialLinkText'],
  ['tag name', 'tagName'],
  ['id', 'id'],
  ['name', 'name'],
  ['class name', 'className'],
])

/** Endpoints of a session (https://www.w3.org/TR/webdriver2/#endpoints), with the names that logs give them. */
const endpoints: readonly [method: string, path: RegExp, name: string][] = [
  ['POST', /^$/, 'newSession'],
  ['DELETE', /^$/, 'deleteSession'],
  ['POST', /^url$/, 'navigateTo'],
  ['POST', /^back$/, 'back'],
  ['POST', /^forward$/, 'forward'],
  ['POST', /^refresh$/, 'refresh'],
  ['POST', /^elements?$/, 'findElement'],
  ['POST', /^element\/([^/]+)\/click$/, 'elementClick'],
  ['POST', /^element\/([^/]+)\/clear$/, 'elementClear'],
  ['POST', /^element\/([^/]+)\/value$/, 'elementSendKeys'],
  ['POST', /^frame$/, 'switchToFrame'],
  ['POST', /^frame\/parent$/, 'switchToParentFrame'],
]

const names: ReadonlyMap<string, string> = new Map([
  ['get', 'navigateTo'],
  ['url', 'navigateTo'],
  ['goBack', 'back'],
  ['goForward', 'forward'],
  ['clickElement', 'elementClick'],
  ['clearElement', 'elementClear'],
  ['sendKeysToElement', 'elementSendKeys'],
  ['findElements', 'findElement'],
  ['switchFrame', 'switchToFrame'],
  ['quit', 'deleteSession'],
])

/** Reads a log of WebDriver commands one by one, and remembers which element has which id. */
export class LoggedCommands {
  readonly #elements = new Map<string, string>()
  /** Target of the element that was found last: logs without answers do not tell its id. */
  #last: string | null = null

  /** The steps that a command comes to: none for those that only find an element or begin a session. */
  read(entry: JsonObject): Step[] {
    const { name, parameters, elementId } = commandOf(entry)
    switch (name) {
      case 'newSession':
      case 'deleteSession':
        return []
      case 'navigateTo':
        return [{ name: 'open', target: literal(asText(parameters['url'])), value: '' }]
      case 'back':
        return [{ name: 'goBack', target: '', value: '' }]
      case 'forward':
        return [{ name: 'goForward', target: '', value: '' }]
      case 'refresh':
        return [{ name: 'refresh', target: '', value: '' }]
      case 'findElement':
        this.#find(parameters, entry)
        return []
      case 'elementClick':
        return [{ name: 'click', target: this.#target(elementId), value: '' }]
      case 'elementClear':
        return [{ name: 'type', target: this.#target(elementId), value: '' }]
      case 'elementSendKeys':
        return [{ name: 'sendKeys', target: this.#target(elementId), value: keysOf(parameters) }]
      case 'switchToFrame':
        return [{ name: 'selectFrame', target: this.#frame(parameters['id']), value: '' }]
      case 'switchToParentFrame':
        return [{ name: 'selectFrame', target: 'relative=parent', value: '' }]
      default:
        throw new Unmapped(
          /^(?:get|is|take|find)/.test(name)
            ? 'It only reads: what the test makes of the answer is not in a log.'
            : 'There is no step for this command.',
        )
    }
  }

  #find(parameters: JsonObject, entry: JsonObject): void {
    const strategy = strategies.get(asText(parameters['using']))
    if (strategy === undefined) throw new Unmapped('How the element is found is not known.')
    const target = `${strategy}=${literal(asText(parameters['value']))}`
    this.#last = target
    for (const answer of [entry['result'], entry['response'], entry['value']]) {
      const found = asObject(answer)
      for (const one of asList(found['value'] ?? answer)
        .concat(found['value'] ?? answer)
        .slice(0, 1000)) {
        const id = elementIdOf(one)
        if (id !== undefined) this.#elements.set(id, target)
      }
    }
  }

  #target(id: string): string {
    const target = this.#elements.get(id) ?? (this.#elements.size === 0 ? this.#last : null)
    if (target === null) throw new Unmapped('Which element this is, the log does not tell.')
    return target
  }

  #frame(id: unknown): string {
    if (id === null || id === undefined) return 'relative=top'
    return typeof id === 'number' ? `index=${id}` : this.#target(elementIdOf(id) ?? '')
  }
}

function commandOf(entry: JsonObject): { name: string; parameters: JsonObject; elementId: string } {
  const parameters = asObject(entry['parameters'] ?? entry['params'] ?? entry['body'])
  const id =
    asText(parameters['id'] ?? parameters['elementId'] ?? entry['elementId']) ||
    (elementIdOf(parameters['id']) ?? '')
  const name = asText(entry['command'])
  if (name !== '' && !/[\s/]/.test(name)) return { name: names.get(name) ?? name, parameters, elementId: id }
  // `POST /session/{id}/url`, in one text or in two.
  const [, said = '', whole = ''] =
    /^(?:([A-Z]+)\s+)?(\S+)$/.exec(name || asText(entry['path'] ?? entry['endpoint'] ?? entry['url'])) ?? []
  const method = (said || asText(entry['method'])).toUpperCase()
  const path = /\/session(?:\/[^/]+)?(?:\/(.*))?$/.exec(whole)
  for (const [verb, pattern, known] of path === null ? [] : endpoints) {
    const match = verb === method ? pattern.exec(path?.[1] ?? '') : null
    if (match !== null) return { name: known, parameters, elementId: match[1] ?? id }
  }
  return { name: method === 'GET' ? 'get…' : `${method} ${whole}`, parameters, elementId: id }
}

function elementIdOf(value: unknown): string | undefined {
  if (!isObject(value)) return undefined
  const id = elementKeys.map((key) => value[key]).find((found) => typeof found === 'string')
  return id === undefined ? undefined : asText(id)
}

/** `text`, or letters one by one as older clients send them. */
function keysOf({ text, value }: JsonObject): string {
  const typed = typeof text === 'string' ? text : asList(value).map(asText).join('')
  return namedKeys(literal(typed))
}
