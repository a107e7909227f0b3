import { cookiePattern, headerPattern } from '../../import/jmx/extractors.ts'
import type { Extractor } from '../../model/extractor.ts'
import { property, type TestElement, testElement, type XmlElement } from './jmx-writer.ts'
import { plain, toJmeter, type Work } from './work.ts'

const text = (name: string, value: string) => property('string', name, value)
const flag = (name: string, value: boolean) => property('bool', name, value)

export function toExtractor(work: Work, extractor: Extractor, note: (text: string) => void): TestElement {
  return { ...written(work, extractor, note), isEnabled: extractor.enabled }
}

function written(work: Work, extractor: Extractor, note: (text: string) => void): TestElement {
  const { variable } = extractor
  const standard = toJmeter(work, extractor.default ?? '')
  const number =
    extractor.match === 'random' ? '0' : extractor.match === 'all' ? '-1' : String(extractor.match)
  // JMeter knows three kinds of default: a value, the empty text, and none.
  const common = (prefix: string, numberName: string): XmlElement[] => [
    text(`${prefix}.refname`, variable),
    text(`${prefix}.default`, standard),
    text(`${prefix}.${numberName}`, number),
    ...(extractor.default === '' ? [flag(`${prefix}.default_empty_value`, true)] : []),
  ]
  const regex = (pattern: string, group: number, useHeaders: string) =>
    testElement('RegexExtractor', 'RegexExtractorGui', variable, [
      text('RegexExtractor.useHeaders', useHeaders),
      text('RegexExtractor.regex', plain(pattern)),
      text('RegexExtractor.template', `$${group}$`),
      ...common('RegexExtractor', 'match_number'),
    ])
  if (extractor.default === '' && (extractor.type === 'json_path' || extractor.type === 'xpath'))
    note(`The variable ${variable} has the empty text for a default, which JMeter does not tell from none.`)
  switch (extractor.type) {
    case 'regex':
      return regex(
        withFlags(extractor.pattern, extractor.flags),
        extractor.group,
        partOf(extractor.part, note),
      )
    case 'header':
      return regex(`(?im)${headerPattern(extractor.name)}`, 1, 'true')
    case 'cookie':
      return regex(`(?im)${cookiePattern(extractor.name)}`, 1, 'true')
    case 'boundaries':
      return testElement('BoundaryExtractor', 'BoundaryExtractorGui', variable, [
        text('BoundaryExtractor.useHeaders', partOf(extractor.part, note)),
        text('BoundaryExtractor.lboundary', plain(extractor.left)),
        text('BoundaryExtractor.rboundary', plain(extractor.right)),
        ...common('BoundaryExtractor', 'match_number'),
      ])
    case 'css':
      return testElement('HtmlExtractor', 'HtmlExtractorGui', variable, [
        text('HtmlExtractor.expr', plain(extractor.selector)),
        text('HtmlExtractor.attribute', plain(extractor.attribute ?? '')),
        text('HtmlExtractor.extractor_impl', ''),
        ...common('HtmlExtractor', 'match_number'),
      ])
    case 'xpath':
      return testElement('XPathExtractor', 'XPathExtractorGui', variable, [
        text('XPathExtractor.xpathQuery', plain(extractor.expression)),
        flag('XPathExtractor.validate', false),
        // Tolerant: HTML is read too.
        flag('XPathExtractor.tolerant', true),
        flag('XPathExtractor.namespace', false),
        ...common('XPathExtractor', 'matchNumber'),
      ])
    default:
      if (extractor.path.includes(';')) note('JMeter takes the ; in its JSONPath for the end of it.')
      return testElement('JSONPostProcessor', 'JSONPostProcessorGui', variable, [
        text('JSONPostProcessor.referenceNames', variable),
        text('JSONPostProcessor.jsonPathExprs', plain(extractor.path)),
        text('JSONPostProcessor.match_numbers', number),
        text('JSONPostProcessor.defaultValues', standard),
      ])
  }
}

/** Flags are written in front of a pattern. */
export function withFlags(pattern: string, flags: string): string {
  const letters = flags.replaceAll(/[^ims]/g, '')
  return letters === '' ? pattern : `(?${letters})${pattern}`
}

function partOf(part: 'body' | 'headers' | 'url' | 'status_line', note: (text: string) => void): string {
  if (part === 'status_line') note('JMeter looks at the status code, where it was the status line.')
  return { body: 'false', headers: 'true', url: 'URL', status_line: 'code' }[part]
}
