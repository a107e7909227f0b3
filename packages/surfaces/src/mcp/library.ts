import type { AnswerOf, Operation } from '@flamegate/contract'

/** A resource as `resources/list` shows it, in the words of the MCP specification. */
export interface ListedResource {
  uri: string
  name: string
  title: string
  description: string
  mimeType: string
  /** What extensions say of it. */
  _meta?: Record<string, unknown>
}

/** A family of resources as `resources/templates/list` shows it; `uriTemplate` has only simple `{variables}`. */
export interface ListedTemplate extends Omit<ListedResource, 'uri' | '_meta'> {
  uriTemplate: string
}

/** A prompt as `prompts/list` shows it. */
export interface ListedPrompt {
  name: string
  title: string
  description: string
  arguments: readonly { name: string; description: string; required: boolean }[]
}

/** A skill as `skills/list` shows it, in the words of https://modelcontextprotocol.io/extensions/skills/overview. */
export interface ListedSkill {
  /** Of its `SKILL.md`, which can be read as a resource. */
  uri: string
  frontmatter: { name: string; description: string }
  /** All of its files. `digest` is `sha256:` and hexadecimal, `size` in bytes. */
  resources: readonly { uri: string; digest: string; size: number }[]
}

/** One of the `contents` of `resources/read`. */
export type ResourceContents = { uri: string; mimeType: string; _meta?: Record<string, unknown> } & (
  | { text: string }
  | { blob: string }
)

/** The result of `prompts/get`: `messages`, perhaps with a description; or what else that method may answer. */
export type PromptAnswer = Readonly<Record<string, unknown>>

/** Where a value is to be completed: an argument of a prompt, or a variable of a resource template. */
export type CompletionPlace = ({ prompt: string } | { template: string }) & {
  argument: string
  /** The values of other arguments that were filled in before. */
  chosen: Readonly<Record<string, string>>
}

/** Whoever reads. What they may not see is not there for them. */
export interface Reader {
  /** What an operation answers them; undefined when there is no such thing. */
  ask<O extends Operation>(operation: O, input: Record<string, unknown>): Promise<AnswerOf<O> | undefined>
  /** What the client brought when it was asked for more in the round before (`inputResponses`), by its keys. */
  inputResponses: Readonly<Record<string, unknown>> | undefined
}

/** What an MCP endpoint has besides tools: resources, templates of resources, prompts, skills and completion. */
export interface Library {
  resources: readonly ListedResource[]
  templates: readonly ListedTemplate[]
  prompts: readonly ListedPrompt[]
  /** Their files are resources that are not listed: who knows skills asks for them. */
  skills: readonly ListedSkill[]
  /** Undefined when there is no such resource for this reader. */
  read(uri: string, reader: Reader): Promise<readonly ResourceContents[] | undefined>
  /** Every required argument is there. Undefined when there is no such prompt. */
  prompt(
    name: string,
    values: Readonly<Record<string, string>>,
    reader: Reader,
  ): Promise<PromptAnswer | undefined>
  /** What `value` can become, best first; undefined when this library has no such place. */
  complete(place: CompletionPlace, value: string, reader: Reader): Promise<readonly string[] | undefined>
}

/** Several libraries as one; with none, an empty one. Where two have the same, the first one counts. */
export function joinLibraries(...libraries: readonly Library[]): Library {
  async function first<T>(look: (library: Library) => Promise<T | undefined>): Promise<T | undefined> {
    for (const library of libraries) {
      const found = await look(library)
      if (found !== undefined) return found
    }
    return undefined
  }
  return {
    resources: libraries.flatMap(({ resources }) => resources),
    templates: libraries.flatMap(({ templates }) => templates),
    prompts: libraries.flatMap(({ prompts }) => prompts),
    skills: libraries.flatMap(({ skills }) => skills),
    read: (uri, reader) => first((library) => library.read(uri, reader)),
    prompt: (name, values, reader) => first((library) => library.prompt(name, values, reader)),
    complete: (place, value, reader) => first((library) => library.complete(place, value, reader)),
  }
}
