import type { HttpRequest } from '../../model/action.ts'
import type { RequestBody } from '../../model/request.ts'
import type { Field } from '../../model/template.ts'
import { decodeQuery } from '../address.ts'
import { SourceError } from '../importer.ts'
import { flagOf, itemsOf, type JmxElement, propertiesOf, textOf } from './jmx-element.ts'
import type { Option } from './sampler-options.ts'
import { projectFile } from './texts.ts'
import { noteOf, type Work } from './work.ts'

/** What of the parameters and files of a sampler goes into the query, and what into the body. */
export interface Sent {
  query: Field[]
  body: RequestBody | null
}

interface Argument {
  name: string
  value: string
  contentType: string
  isEncoded: boolean
  hasEquals: boolean
}

const argumentsMax = 2000

export function readSent(
  work: Work,
  sampler: JmxElement,
  option: Option,
  method: HttpRequest['method'],
  defaults: readonly JmxElement[],
): Sent {
  const note = noteOf(work, sampler)
  if (sampler.type === 'SoapSampler') {
    const text = work.texts.template(textOf(sampler.properties, 'HTTPSamper.xml_data'), note)
    return { query: [], body: { type: 'raw', text, content_type: 'text/xml; charset=utf-8' } }
  }
  const written = [sampler, ...defaults].flatMap(argumentsOf)
  if (written.length > argumentsMax)
    throw new SourceError(`It has more than ${argumentsMax} parameters.`, sampler.place)
  const files = filesOf(work, sampler)
  const isRaw = flagOf(sampler.properties, 'HTTPSampler.postBodyRaw') === true
  const hasBody = method === 'POST' || method === 'PUT' || method === 'PATCH'
  const areNameless = hasBody && written.length > 0 && written.every(({ name }) => name === '')
  if (files.length === 0 && (isRaw || areNameless)) {
    const text = work.texts.template(written.map(({ value }) => value).join(''), note)
    return { query: [], body: text === '' ? null : { type: 'raw', text, content_type: null } }
  }
  // Parameters without a name are left out, as JMeter does.
  const fields = written.filter(({ name }) => name !== '').map((argument) => fieldOf(work, argument, note))
  if (!hasBody) {
    if (files.length > 0) note(`Files cannot be sent with ${method}.`)
    return { query: fields, body: null }
  }
  const [file] = files
  if (files.length === 1 && file !== undefined && file.name === '' && fields.length === 0)
    return { query: [], body: { type: 'file', path: file.path, content_type: file.content_type } }
  if (files.length === 0 && flagOf(sampler.properties, 'HTTPSampler.DO_MULTIPART_POST') !== true)
    return { query: [], body: fields.length === 0 ? null : { type: 'form', fields } }
  const parts = fields.map((field, index) => {
    const type = written.filter(({ name }) => name !== '')[index]!.contentType
    return {
      type: 'field' as const,
      ...field,
      content_type: type === '' || type === 'text/plain' ? null : type,
    }
  })
  return { query: [], body: { type: 'multipart', parts: [...parts, ...files] } }
}

function fieldOf(
  work: Work,
  { name, value, isEncoded, hasEquals }: Argument,
  note: (text: string) => void,
): Field {
  if (!hasEquals && value === '') note(`${name.slice(0, 100)} is sent with an = behind it.`)
  const field = { name: work.texts.template(name, note), value: work.texts.template(value, note) }
  // What JMeter does not encode is encoded already.
  return isEncoded ? field : { name: decodeQuery(field.name), value: decodeQuery(field.value) }
}

function argumentsOf({ properties, place }: JmxElement): Argument[] {
  const holder = properties.get('HTTPsampler.Arguments')
  if (holder === undefined) return []
  return itemsOf({ properties: propertiesOf(holder), place }, 'Arguments.arguments', argumentsMax)
    .filter(({ attributes }) => attributes.get('enabled') !== 'false')
    .map(propertiesOf)
    .map((argument) => ({
      name: textOf(argument, 'Argument.name'),
      value: textOf(argument, 'Argument.value'),
      contentType: textOf(argument, 'HTTPArgument.content_type').slice(0, 200),
      isEncoded: flagOf(argument, 'HTTPArgument.always_encode') === true,
      hasEquals: flagOf(argument, 'HTTPArgument.use_equals') !== false,
    }))
}

type FilePart = Extract<Extract<RequestBody, { type: 'multipart' }>['parts'][number], { type: 'file' }>

function filesOf(work: Work, sampler: JmxElement): FilePart[] {
  const note = noteOf(work, sampler)
  const holder = sampler.properties.get('HTTPsampler.Files')
  const listed =
    holder === undefined
      ? []
      : itemsOf({ properties: propertiesOf(holder), place: sampler.place }, 'HTTPFileArgs.files', 500)
          .map(propertiesOf)
          .map((file) => [
            textOf(file, 'File.path'),
            textOf(file, 'File.paramname'),
            textOf(file, 'File.mimetype'),
          ])
  // Plans of JMeter 2.3 and before have one file at most.
  const old = ['FILE_NAME', 'FILE_FIELD', 'mimetype'].map((name) =>
    textOf(sampler.properties, `HTTPSampler.${name}`),
  )
  return [...listed, old]
    .filter(([path]) => path !== '')
    .map(([path = '', name = '', type = '']) => {
      const own = projectFile(work.texts.plain(path, note), note)
      note(`Upload ${own} to the project: the plan only names the file.`)
      return {
        type: 'file',
        name: work.texts.template(name, note),
        path: own,
        file_name: null,
        content_type: type.slice(0, 200) || 'application/octet-stream',
      }
    })
}
