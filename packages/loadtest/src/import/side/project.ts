import { asList, asText, isObject, type JsonObject } from '../../json/json-values.ts'
import { SourceError } from '../importer.ts'

/** A line of a test of Selenium IDE. */
export interface Command {
  /** Without the `//` of those that are disabled. */
  name: string
  target: string
  value: string
  comment: string
  isDisabled: boolean
  /** Name that a window which it opens gets; null where it opens none. */
  opens: string | null
  place: string
}

export interface SideTest {
  id: string
  name: string
  commands: Command[]
  place: string
}

export interface SideSuite {
  name: string
  /** Ids of its tests. */
  tests: string[]
  isParallel: boolean
  keepsSession: boolean
  place: string
}

export interface SideProject {
  name: string
  url: string
  tests: SideTest[]
  suites: SideSuite[]
  plugins: number
}

/** Most commands of a project. */
const commandsMax = 50_000

/** Checks the form of a project (https://www.selenium.dev/selenium-ide/docs/en/api/commands). */
export function readProject(value: unknown): SideProject {
  if (!isObject(value) || !Array.isArray(value['tests']))
    throw new SourceError('It is no project of Selenium IDE: "tests" is missing.')
  let count = 0
  const tests = value['tests'].map((test, index): SideTest => {
    const place = `tests[${index}]`
    const { id, name, commands } = objectAt(test, place)
    if (!Array.isArray(commands)) throw new SourceError('"commands" is missing.', place)
    count += commands.length
    if (count > commandsMax) throw new SourceError(`It has more than ${commandsMax} commands.`)
    return {
      id: asText(id),
      name: asText(name),
      commands: commands.map((command, at) => readCommand(command, `${place}.commands[${at}]`)),
      place,
    }
  })
  const suites = asList(value['suites']).map((suite, index): SideSuite => {
    const place = `suites[${index}]`
    const { name, tests: ids, parallel, persistSession } = objectAt(suite, place)
    return {
      name: asText(name),
      tests: asList(ids).map(asText),
      isParallel: parallel === true,
      keepsSession: persistSession === true,
      place,
    }
  })
  return {
    name: asText(value['name']),
    url: asText(value['url']),
    tests,
    suites,
    plugins: asList(value['plugins']).length,
  }
}

function readCommand(value: unknown, place: string): Command {
  const { command, target, value: argument, comment, opensWindow, windowHandleName } = objectAt(value, place)
  if (typeof command !== 'string') throw new SourceError('"command" is missing.', place)
  return {
    name: command.replace(/^\/\/\s*/, ''),
    target: asText(target),
    value: asText(argument),
    comment: asText(comment),
    isDisabled: command.startsWith('//'),
    opens: opensWindow === true ? asText(windowHandleName) : null,
    place,
  }
}

function objectAt(value: unknown, place: string): JsonObject {
  if (!isObject(value)) throw new SourceError('This is no object.', place)
  return value
}
