import { operations } from '@flamegate/contract'
import { completions, type CompletedKind } from './completions.ts'
import type { Library, ListedTemplate } from './library.ts'

const mimeType = 'text/markdown'
const templates = [
  template('project', 'Project', 'A project: its repository, and how much it holds.'),
  template(
    'run',
    'Benchmark run',
    'A benchmark run: commit, environment, and every benchmark with its value.',
  ),
  template('benchmark', 'Benchmark', 'A benchmark: how its value changed from run to run.'),
  template('profile', 'Profile', 'A profile: what was measured, where, and how much.'),
  template('virtual_user', 'Virtual user', 'A virtual user: its actions, a line each.'),
]
const kinds = new Set<string>(templates.map(({ name }) => name))
const kindsByTemplate = new Map(templates.map(({ uriTemplate, name }) => [uriTemplate, name]))

function template(
  name: CompletedKind,
  title: string,
  description: string,
): ListedTemplate & { name: CompletedKind } {
  return { uriTemplate: `flamegate://${name}/{${name}_id}`, name, title, description, mimeType }
}

/** Projects, runs, benchmarks, profiles and virtual users as resources: what `fetch` answers the reader, with the reader's rights. */
export const recordLibrary: Library = {
  resources: [],
  templates,
  prompts: [],
  skills: [],
  async read(uri, reader) {
    const [, kind = '', id] = /^flamegate:\/\/(\w+)\/(\w{1,64})$/.exec(uri) ?? []
    if (!kinds.has(kind) || id === undefined) return undefined
    const answer = await reader.ask(operations.fetch, { id })
    // fetch goes by the id alone; a run is no profile, whatever it is called.
    return answer?.metadata.kind === kind ? [{ uri, mimeType, text: answer.text }] : undefined
  },
  async prompt() {
    return undefined
  },
  async complete(place, value, reader) {
    const kind = 'template' in place ? kindsByTemplate.get(place.template) : undefined
    return kind && completions(kind, value, place.chosen, reader)
  },
}
