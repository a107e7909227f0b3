import type { Library } from '@flamegate/surfaces'
import { acceptedContent, askFor, elicit, textIn } from './asking-tools.ts'
import { png, textContent } from './fixture.ts'

const described = (name: string) => ({ name, title: name, description: `Fixture ${name}` })
const argument = (name: string) => ({ name, description: `Fixture ${name}`, required: true })
const fromUser = (...contents: readonly object[]) => ({
  messages: contents.map((content) => ({ role: 'user', content })),
})

/** Resources, a template, prompts and completion as the conformance suite asks for them. */
export const fixtureLibrary: Library = {
  resources: [
    { ...described('static-text'), uri: 'test://static-text', mimeType: 'text/plain' },
    { ...described('static-binary'), uri: 'test://static-binary', mimeType: 'image/png' },
  ],
  templates: [
    { ...described('template'), uriTemplate: 'test://template/{id}/data', mimeType: 'application/json' },
  ],
  prompts: [
    { ...described('test_simple_prompt'), arguments: [] },
    { ...described('test_prompt_with_arguments'), arguments: [argument('arg1'), argument('arg2')] },
    { ...described('test_prompt_with_embedded_resource'), arguments: [argument('resourceUri')] },
    { ...described('test_prompt_with_image'), arguments: [] },
    { ...described('test_input_required_result_prompt'), arguments: [] },
  ],
  skills: [],
  async read(uri) {
    if (uri === 'test://static-text') {
      return [{ uri, mimeType: 'text/plain', text: 'This is the content of the static text resource.' }]
    }
    if (uri === 'test://static-binary') return [{ uri, mimeType: 'image/png', blob: png }]
    const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1]
    if (id === undefined) return undefined
    const text = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` })
    return [{ uri, mimeType: 'application/json', text }]
  },
  async prompt(name, values, { inputResponses }) {
    switch (name) {
      case 'test_simple_prompt':
        return fromUser(textContent('This is a simple prompt for testing.'))
      case 'test_prompt_with_arguments':
        return fromUser(
          textContent(`Prompt with arguments: arg1='${values['arg1']}', arg2='${values['arg2']}'`),
        )
      case 'test_prompt_with_embedded_resource': {
        const text = 'Embedded resource content for testing.'
        const resource = { uri: values['resourceUri'], mimeType: 'text/plain', text }
        return fromUser(
          { type: 'resource', resource },
          textContent('Please process the embedded resource above.'),
        )
      }
      case 'test_prompt_with_image':
        return fromUser(
          { type: 'image', data: png, mimeType: 'image/png' },
          textContent('Please analyze the image above.'),
        )
      case 'test_input_required_result_prompt': {
        const context = textIn(acceptedContent(inputResponses?.['user_context']), 'context')
        return context === undefined
          ? askFor({
              user_context: elicit('What context should the prompt use?', { context: { type: 'string' } }),
            })
          : fromUser(textContent(`The context is ${context}.`))
      }
      default:
        return undefined
    }
  },
  async complete(place, value) {
    if (!('prompt' in place) || place.prompt !== 'test_prompt_with_arguments') return undefined
    return ['paris', 'park', 'party'].filter((each) => each.startsWith(value))
  },
}
