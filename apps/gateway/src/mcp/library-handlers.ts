import type { CompletionPlace, Library, Reader } from '@flamegate/surfaces'
import {
  isInputRequiredResult,
  isSpecType,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
} from '@modelcontextprotocol/server'
import type { Server, ServerContext } from '@modelcontextprotocol/server'
import { pageOf } from './paging.ts'
import { ask } from './visit.ts'
import type { Visit } from './visit.ts'

/** As many as `completion/complete` may answer at once. */
const completionsMax = 100

/** Serves resources, templates, prompts and completion from `library`, in the name of the visitor. */
export function serveLibrary(server: Server, library: Library, visit: Visit): void {
  function readerFor({ mcpReq }: ServerContext): Reader {
    return {
      ask: (operation, input) => ask(visit, operation, input),
      inputResponses: mcpReq.inputResponses,
    }
  }

  server.setRequestHandler('resources/list', ({ params }) => {
    const { items, ...more } = pageOf(library.resources, params?.cursor)
    return { resources: items, ...more }
  })
  server.setRequestHandler('resources/templates/list', ({ params }) => {
    const { items, ...more } = pageOf(library.templates, params?.cursor)
    return { resourceTemplates: items, ...more }
  })
  server.setRequestHandler('resources/read', async ({ params }, context) => {
    const contents = await library.read(params.uri, readerFor(context))
    if (contents === undefined) throw new ResourceNotFoundError(params.uri)
    return { contents: [...contents] }
  })
  server.setRequestHandler('prompts/list', ({ params }) => {
    const { items, ...more } = pageOf(library.prompts, params?.cursor)
    return { prompts: items.map((prompt) => ({ ...prompt, arguments: [...prompt.arguments] })), ...more }
  })
  server.setRequestHandler('prompts/get', async ({ params }, context) => {
    const { name, arguments: values = {} } = params
    const listed = library.prompts.find((prompt) => prompt.name === name)
    const missing = listed?.arguments.find((each) => each.required && !Object.hasOwn(values, each.name))
    if (missing) throw invalid(`The prompt ${name} needs the argument ${missing.name}.`)
    const answer = await library.prompt(name, values, readerFor(context))
    if (answer === undefined) throw invalid(`There is no prompt ${name}.`)
    if (isInputRequiredResult(answer) || isSpecType.GetPromptResult(answer)) return answer
    throw new TypeError(`The library gave no answer to the prompt ${name}`)
  })
  server.setRequestHandler('completion/complete', async ({ params }, context) => {
    const { ref, argument } = params
    const place: CompletionPlace = {
      ...(ref.type === 'ref/prompt' ? { prompt: ref.name } : { template: ref.uri }),
      argument: argument.name,
      chosen: params.context?.arguments ?? {},
    }
    const values = await library.complete(place, argument.value, readerFor(context))
    if (values === undefined) throw invalid('There is no such prompt or resource template.')
    return {
      completion: {
        values: values.slice(0, completionsMax),
        total: values.length,
        hasMore: values.length > completionsMax,
      },
    }
  })
}

function invalid(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message)
}
