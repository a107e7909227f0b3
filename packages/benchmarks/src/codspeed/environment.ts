import type { Environment } from '../benchmark-result.ts'
import type { JsonValue } from '../json-value.ts'

/** As much as may be kept of a fact: the options with which a Python was built can fill pages. */
const KEY_LENGTH_MAX = 100
const VALUE_LENGTH_MAX = 1000

/** The sections that tell about the program that ran the benchmarks. */
const RUNTIMES: Record<string, string> = { nodejs: 'node', python: 'python', go: 'go' }

/**
 * Reads `environment-<pid>.json`, {integration_environment: {section: {key: text or list}}, linked_libraries: {name:
 * {path, build_id}}}. A library is told by its build id, because its path is one of the machine.
 */
export function readEnvironment(json: JsonValue): Environment {
  const facts = [
    ...integrationFacts(json.get('integration_environment')),
    ...libraries(json.get('linked_libraries')),
  ]
  return Object.fromEntries(
    facts.map(([key, value]) => [key.slice(0, KEY_LENGTH_MAX), value.slice(0, VALUE_LENGTH_MAX)]),
  )
}

function integrationFacts(sections: JsonValue): [key: string, value: string][] {
  if (sections.isMissing) return []
  return sections.keys().flatMap((section) => {
    const facts = sections.get(section)
    return facts.keys().map((key): [string, string] => {
      const value = factText(facts.get(key))
      const runtime = RUNTIMES[section]
      // `sys.version` of Python goes on with how it was built.
      return key === 'version' && runtime !== undefined
        ? ['runtime', `${runtime} ${value.split(/\s/, 1)[0]}`]
        : [`${section}_${key.replaceAll(/[\s-]/g, '_')}`, value]
    })
  })
}

function factText(fact: JsonValue): string {
  return fact.isList
    ? fact
        .items()
        .map((item) => item.text())
        .join(' ')
    : fact.text()
}

function libraries(linked: JsonValue): [key: string, value: string][] {
  if (linked.isMissing) return []
  return linked.keys().flatMap((name): [string, string][] => {
    const buildId = linked.get(name).get('build_id')
    const fileName = name.slice(name.lastIndexOf('/') + 1)
    return buildId.isMissing ? [] : [[`library:${fileName}`, buildId.text()]]
  })
}
