import { prompts } from '../library/prompts.ts'
import type { PublicText } from '../library/public-texts.ts'
import { completions } from './completions.ts'
import type { Library } from './library.ts'

/** The guides and schemas as resources, and the main ways of working as prompts; the same for everybody. */
export function textLibrary(texts: readonly PublicText[]): Library {
  const byUri = new Map(texts.map((text) => [text.resourceUri, text]))
  const byName = new Map(prompts.map((prompt) => [prompt.name, prompt]))
  return {
    resources: texts.map(({ resourceUri, name, title, description, mediaType }) => ({
      uri: resourceUri,
      name,
      title,
      description,
      mimeType: mediaType,
    })),
    templates: [],
    prompts: prompts.map((prompt) => ({
      name: prompt.name,
      title: prompt.title,
      description: prompt.description,
      arguments: prompt.arguments.map(({ name, description, required }) => ({ name, description, required })),
    })),
    skills: [],
    async read(uri) {
      const found = byUri.get(uri)
      return found && [{ uri, mimeType: found.mediaType, text: found.text }]
    },
    async prompt(name, values) {
      const found = byName.get(name)
      return (
        found && {
          description: found.description,
          messages: [{ role: 'user', content: { type: 'text', text: found.text(values) } }],
        }
      )
    },
    async complete(place, value, reader) {
      const prompt = 'prompt' in place ? byName.get(place.prompt) : undefined
      if (prompt === undefined) return undefined
      const { values = [], completedBy } = prompt.arguments.find(({ name }) => name === place.argument) ?? {}
      return completedBy === undefined
        ? values.filter((each) => each.startsWith(value.toLowerCase()))
        : completions(completedBy, value, place.chosen, reader)
    },
  }
}
