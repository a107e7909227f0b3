import { compile } from 'json-p3'
import { type Extractor, extractor } from '../../model/extractor.ts'
import { escapeRegex } from '../../text/escape-regex.ts'
import { SourceError } from '../importer.ts'
import { flagOf, type JmxElement, textOf } from './jmx-element.ts'
import { readRegex, unescapeRegex } from './regex.ts'
import { noteOf, type Work } from './work.ts'

type Draft = Record<string, unknown> & { type: Extractor['type'] }

const extractorsMax = 200

/**
 * What a post-processor takes out of responses. `isShared`: it applies to several samplers, most of which have nothing of it.
 * Throws a SourceError where there is too much of it.
 */
export function readExtractors(work: Work, element: JmxElement, isShared: boolean): Extractor[] {
  const read = readers[element.type]
  if (read === undefined) return []
  const drafts = read(work, element).slice(0, extractorsMax + 1)
  if (drafts.length > extractorsMax)
    throw new SourceError(`It has more than ${extractorsMax} variables.`, element.place)
  return drafts.flatMap(({ default: standard = null, ...draft }) => {
    const variable = String(draft['variable'])
    const kept = isShared && standard === null ? `\${${variable}}` : standard
    if (isShared && standard === null) {
      work.unset.add(variable)
      work.fates.note(
        element,
        `Where nothing is found, ${variable} keeps the value it has; at first it is empty.`,
      )
    }
    const parsed = extractor.safeParse({ ...draft, id: work.context.newId('action'), default: kept })
    if (!parsed.success)
      work.fates.note(element, 'It is not complete: there is nothing to look for, or too much.')
    return parsed.success ? [parsed.data] : []
  })
}

/** Names of the variables of which an extractor takes all that it finds. */
export function listNames(element: JmxElement): string[] {
  const { properties } = element
  const all = (name: string) => textOf(properties, name)
  switch (element.type) {
    case 'RegexExtractor':
    case 'BoundaryExtractor':
    case 'HtmlExtractor':
      return Number(all(`${element.type}.match_number`)) < 0 ? [all(`${element.type}.refname`)] : []
    case 'XPathExtractor':
      return Number(xpathMatch(element)) < 0 ? [all('XPathExtractor.refname')] : []
    case 'XPath2Extractor':
      return Number(all('XPathExtractor2.matchNumber')) < 0 ? [all('XPathExtractor2.refname')] : []
    case 'JSONPostProcessor': {
      const numbers = all('JSONPostProcessor.match_numbers').split(';')
      return all('JSONPostProcessor.referenceNames')
        .split(';')
        .filter((_, index) => Number(numbers[index]) < 0)
        .map((name) => name.trim())
    }
    case 'ForeachController':
      return [all('ForeachController.inputVal')]
    default:
      return []
  }
}

const readers: Readonly<Record<string, (work: Work, element: JmxElement) => Draft[]>> = {
  RegexExtractor: (work, element) => {
    const note = noteOf(work, element)
    const text = (name: string) => textOf(element.properties, `RegexExtractor.${name}`)
    const { pattern, flags, isValid } = readRegex(work.texts.plain(text('regex'), note))
    const group = groupOf(text('template'), note)
    const part = partOf(text('useHeaders'))
    const name = text('refname')
    if (part === undefined || name === '') return missing(work, element, name)
    const common = commonOf(work, element, name, text('match_number'), text('default'), 'RegexExtractor.')
    const known = part === 'headers' && group === 1 ? headerOrCookie(pattern, flags) : undefined
    if (known !== undefined) return [{ ...common, ...known }]
    const regex = {
      type: 'regex' as const,
      pattern,
      flags,
      part,
      enabled: element.isEnabled && valid(isValid, note),
    }
    // ${token_g2} is what the second group found.
    const groups = [...Array(10).keys()].filter((at) => work.referenced.has(`${name}_g${at}`))
    return [
      { ...common, ...regex, group },
      ...groups.map((at) => ({
        ...common,
        ...regex,
        group: at,
        variable: work.texts.nameOf(`${name}_g${at}`),
      })),
    ]
  },
  BoundaryExtractor: (work, element) => {
    const note = noteOf(work, element)
    const text = (name: string) => textOf(element.properties, `BoundaryExtractor.${name}`)
    const part = partOf(text('useHeaders'))
    const name = text('refname')
    if (part === undefined || name === '') return missing(work, element, name)
    const common = commonOf(work, element, name, text('match_number'), text('default'), 'BoundaryExtractor.')
    const [left, right] = [
      work.texts.plain(text('lboundary'), note),
      work.texts.plain(text('rboundary'), note),
    ]
    return [{ type: 'boundaries', ...common, left, right, part }]
  },
  HtmlExtractor: (work, element) => {
    const text = (name: string) => textOf(element.properties, `HtmlExtractor.${name}`)
    const name = text('refname')
    if (name === '') return missing(work, element, name)
    const common = commonOf(work, element, name, text('match_number'), text('default'), 'HtmlExtractor.')
    const selector = work.texts.plain(text('expr'), noteOf(work, element))
    return [{ type: 'css', ...common, selector, attribute: text('attribute').trim() || null }]
  },
  XPathExtractor: (work, element) => xpath(work, element, 'XPathExtractor', xpathMatch(element)),
  XPath2Extractor: (work, element) => {
    work.fates.note(element, 'XPath 1.0 reads it: what only XPath 2 and 3 know has to be written anew.')
    return xpath(work, element, 'XPathExtractor2', textOf(element.properties, 'XPathExtractor2.matchNumber'))
  },
  JSONPostProcessor: (work, element) => {
    const note = noteOf(work, element)
    const list = (name: string) => textOf(element.properties, `JSONPostProcessor.${name}`).split(';', 1000)
    const [names, paths, numbers, defaults] = [
      list('referenceNames'),
      list('jsonPathExprs'),
      list('match_numbers'),
      list('defaultValues'),
    ]
    if (flagOf(element.properties, 'JSONPostProcessor.compute_concat') === true)
      note('There is no variable with all values in one text: read them as ${name[0]}, ${name[1]}, ….')
    if (names.length !== paths.length) note('It has not as many paths as names.')
    const known = names.flatMap((name, index) => (name.trim() === '' ? [] : [{ name: name.trim(), index }]))
    if (known.length === 0) return missing(work, element, '')
    return known.map(({ name, index }) => {
      const path = jsonPath(work.texts.plain(paths[index] ?? '', note).trim(), note)
      const common = commonOf(work, element, name, numbers[index] ?? '', defaults[index] ?? '', '')
      return { type: 'json_path', ...common, path: path.text, enabled: element.isEnabled && path.isValid }
    })
  },
  JSONPathExtractor: (work, element) => {
    const note = noteOf(work, element)
    const text = (name: string) => textOf(element.properties, name)
    if (text('VAR') === '') return missing(work, element, '')
    if (text('SUBJECT') === 'VAR')
      return missing(work, element, text('VAR'), 'It reads a variable, not a response.')
    const path = jsonPath(work.texts.plain(text('JSONPATH'), note).trim(), note)
    const common = commonOf(work, element, text('VAR'), '1', text('DEFAULT'), '')
    return [{ type: 'json_path', ...common, path: path.text, enabled: element.isEnabled && path.isValid }]
  },
  JMESPathExtractor: (work, element) => {
    const note = noteOf(work, element)
    const text = (name: string) => textOf(element.properties, `JMESExtractor.${name}`)
    const path = text('jmesPathExpr').trim()
    // a.b[0].c means the same in both languages.
    if (!/^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*|\[\d+\])*$/.test(path))
      return missing(
        work,
        element,
        text('referenceName'),
        'JMESPath is not read: write the path as JSONPath.',
      )
    note('The path was JMESPath, and is JSONPath now.')
    const common = commonOf(
      work,
      element,
      text('referenceName'),
      text('matchNumber'),
      text('defaultValue'),
      '',
    )
    return [{ type: 'json_path', ...common, path: `$.${path}` }]
  },
}

/** Plans of before there was a match number have none, which stands for all matches; XPath2Extractor, which is younger, takes any then. */
function xpathMatch({ properties }: JmxElement): string {
  const name = 'XPathExtractor.matchNumber'
  return properties.has(name) ? textOf(properties, name) : '-1'
}

function xpath(work: Work, element: JmxElement, prefix: string, match: string): Draft[] {
  const text = (name: string) => textOf(element.properties, `${prefix}.${name}`)
  if (text('refname') === '') return missing(work, element, '')
  if (flagOf(element.properties, `${prefix}.fragment`) === true)
    work.fates.note(element, 'The text of an element is taken, not its XML.')
  const common = commonOf(work, element, text('refname'), match, text('default'), '')
  return [
    { type: 'xpath', ...common, expression: work.texts.plain(text('xpathQuery'), noteOf(work, element)) },
  ]
}

function missing(work: Work, element: JmxElement, name: string, why?: string): Draft[] {
  work.fates.note(
    element,
    why ?? (name === '' ? 'It names no variable.' : 'Only of responses can values be taken.'),
  )
  return []
}

function commonOf(
  work: Work,
  element: JmxElement,
  name: string,
  matchNumber: string,
  standard: string,
  prefix: string,
): { variable: string; match: number | 'random' | 'all'; default: string | null; enabled: boolean } {
  const note = noteOf(work, element)
  const scope = textOf(element.properties, 'Sample.scope')
  if (scope !== '' && scope !== 'parent') note('It looks at the response of the request itself only.')
  const isEmptyDefault = prefix !== '' && flagOf(element.properties, `${prefix}default_empty_value`) === true
  const value = standard === '' ? null : work.texts.template(standard, note)
  return {
    variable: work.texts.nameOf(name.trim()),
    match: matchOf(matchNumber, note),
    default: isEmptyDefault ? '' : value,
    enabled: element.isEnabled,
  }
}

function matchOf(text: string, note: (text: string) => void): number | 'random' | 'all' {
  const trimmed = text.trim()
  if (trimmed === '' || trimmed === '0') return 'random'
  if (/^-\d+$/.test(trimmed)) return 'all'
  if (/^\d{1,9}$/.test(trimmed)) return Number(trimmed)
  note(`Which match is meant by ${trimmed.slice(0, 100)} is not known: it is the first.`)
  return 1
}

/** `$1$`: the first group. */
function groupOf(template: string, note: (text: string) => void): number {
  const groups = [...template.matchAll(/\$(\d{1,2})\$/g)]
  const whole = /^\s*\$?(\d{1,2})\$?\s*$/.exec(template)
  if (whole !== null) return Number(whole[1])
  if (template !== '')
    note(`The template ${template.slice(0, 100)} is more than one group: the first of them is taken.`)
  return Number(groups[0]?.[1] ?? 1)
}

function partOf(useHeaders: string): 'body' | 'headers' | 'url' | 'status_line' | undefined {
  switch (useHeaders.trim()) {
    case '':
    case 'false':
    case 'unescaped':
    case 'as_document':
      return 'body'
    case 'true':
      return 'headers'
    case 'URL':
      return 'url'
    case 'code':
    case 'message':
      return 'status_line'
    default:
      return undefined
  }
}

function valid(isValid: boolean, note: (text: string) => void): boolean {
  if (!isValid) note('Its regular expression is not one of JavaScript: write it anew and enable it.')
  return isValid
}

/** JMeter reads the dialect of Jayway. */
export function jsonPath(path: string, note: (text: string) => void): { text: string; isValid: boolean } {
  try {
    compile(path)
    return { text: path, isValid: path !== '' }
  } catch {
    note(`${path.slice(0, 100)} is no JSONPath of RFC 9535: write it anew and enable it.`)
    return { text: path === '' ? '$' : path, isValid: false }
  }
}

/** Regular expression that finds a header, or a cookie that is set, among the headers. */
export function headerPattern(name: string): string {
  return `^${escapeRegex(name)}:[ \\t]*(.*)$`
}

export function cookiePattern(name: string): string {
  return `^Set-Cookie:[ \\t]*${escapeRegex(name)}=([^;]*)`
}

function headerOrCookie(
  pattern: string,
  flags: string,
): { type: 'header' | 'cookie'; name: string } | undefined {
  if (flags !== 'im' || pattern.length > 1000) return undefined
  const cookie = /^\^Set-Cookie:\[ \\t\]\*(.+)=\(\[\^;\]\*\)$/.exec(pattern)?.[1]
  const header = /^\^(.+):\[ \\t\]\*\(\.\*\)\$$/.exec(pattern)?.[1]
  const name = unescapeRegex(cookie ?? header ?? '')
  return name === undefined || name === ''
    ? undefined
    : { type: cookie === undefined ? 'header' : 'cookie', name }
}
