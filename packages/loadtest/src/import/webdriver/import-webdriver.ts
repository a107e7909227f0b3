import { asList, asText, isObject, type JsonObject } from '../../json/json-values.ts'
import { Addresses } from '../browser/addresses.ts'
import { finishImport } from '../browser/finish-import.ts'
import { report, toldOf } from '../browser/telling.ts'
import { UserDraft } from '../browser/user-draft.ts'
import { type Importer, SourceError } from '../importer.ts'
import { parseJson } from '../parse-json.ts'
import { readText } from '../read-source.ts'
import { ReportBuilder } from '../report.ts'
import { ServerDrafts } from '../server-drafts.ts'
import { CommandMapper } from '../side/command-mapper.ts'
import type { Command } from '../side/project.ts'
import { VariableDrafts } from '../variable-drafts.ts'
import { LoggedCommands, type Step } from './logged-commands.ts'

const bytesMax = 20_000_000
const stepsMax = 50_000

/**
 * A list of steps for a browser, in JSON:
 *
 * ```json
 * {
 *   "name": "Log in",
 *   "url": "https://shop.example.com",
 *   "steps": [
 *     { "action": "get", "target": "/login" },
 *     { "action": "type", "target": "id=user", "value": "alice" },
 *     { "action": "click", "target": "css=button[type=submit]" },
 *     { "action": "assertText", "target": "css=h1", "value": "Welcome" }
 *   ]
 * }
 * ```
 *
 * Actions, targets and values are those of Selenium IDE, but for control flow; `get`, `clear`, `back`, `forward` and `sleep` are
 * known besides. `${name}` is a variable. Entries of a log of WebDriver, which have a `command` (`findElement`) or a `method` and a
 * `path` (`POST`, `/session/1/url`) with their `parameters`, are read too. The list may also stand by itself. Each entry is an
 * element of the report.
 */
export const importWebdriver: Importer = async (source, options, context) => {
  const value = parseJson(await readText(source, bytesMax))
  const { name, url, entries } = listOf(value)
  const drafts = {
    servers: new ServerDrafts(context),
    variables: new VariableDrafts(context),
    report: new ReportBuilder('webdriver'),
  }
  const draft = new UserDraft(name, options, context)
  const commands = new CommandMapper(draft, new Addresses(drafts.servers, context, options.baseUrl ?? url))
  const log = new LoggedCommands()
  for (const [index, entry] of entries.entries()) {
    const place = `steps[${index}]`
    if (!isObject(entry)) throw new SourceError('This is no object.', place)
    const told = toldOf((telling) => {
      const steps = typeof entry['action'] === 'string' ? [ownStep(entry)] : log.read(entry)
      for (const step of steps) commands.map(commandFor(step, place), telling)
    })
    report(drafts.report, { place, kind: 'step', name: nameOf(entry) }, told)
  }
  return finishImport([{ name, actions: draft.actions }], drafts, options, context)
}

function listOf(value: unknown): { name: string; url: string | undefined; entries: readonly unknown[] } {
  const whole: JsonObject = isObject(value) ? value : { steps: value }
  const { name, url } = whole
  const entries = whole['steps'] ?? whole['commands']
  if (!Array.isArray(entries)) throw new SourceError('It is no list of steps: "steps" is missing.')
  if (entries.length === 0) throw new SourceError('There is no step in it.')
  if (entries.length > stepsMax) throw new SourceError(`It has more than ${stepsMax} steps.`)
  return { name: asText(name) || 'WebDriver steps', url: asText(url) || undefined, entries: asList(entries) }
}

/** Actions by the names that WebDriver has for them. */
const actions: ReadonlyMap<string, string> = new Map([
  ['get', 'open'],
  ['navigate', 'open'],
  ['clear', 'type'],
  ['back', 'goBack'],
  ['forward', 'goForward'],
  ['sleep', 'pause'],
])

function ownStep(entry: JsonObject): Step {
  const action = asText(entry['action'])
  const target = asText(entry['target'] ?? entry['url'])
  const isOpened = action === 'get' || action === 'navigate' || action === 'open'
  return {
    name: actions.get(action) ?? action,
    target: isOpened && target === '' ? asText(entry['value']) : target,
    value: action === 'clear' ? '' : asText(entry['value']),
  }
}

function commandFor({ name, target, value }: Step, place: string): Command {
  return { name, target, value, comment: '', isDisabled: false, opens: null, place }
}

function nameOf(entry: JsonObject): string {
  const words = ['action', 'command', 'method', 'path', 'endpoint', 'target', 'value']
  return words
    .map((word) => asText(entry[word]))
    .filter((word) => word !== '')
    .join(' ')
}
