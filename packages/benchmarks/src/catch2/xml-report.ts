import type { BenchmarkResult } from '../benchmark-result.ts'
import { FormatError } from '../format-error.ts'
import { wallTime } from '../measure.ts'
import { printedNumber } from '../printed-number.ts'
import { quote } from '../quote.ts'
import { textReader } from '../reader.ts'
import type { Reading } from '../reader.ts'
import type { WarningList } from '../warning-list.ts'

/** The XML reporter of Catch2, `--reporter xml`, versions 2 and 3; times in ns. */
export const catch2Xml = textReader(isXmlReport, readXmlReport)

function isXmlReport(text: string): boolean {
  return /<BenchmarkResults\b/.test(text) && /<Catch2?(?:TestRun)?\b/.test(text)
}

/** A tag as the reporter writes it, one on each line; it writes nothing between tags that we read. */
interface Tag {
  name: string
  isEnd: boolean
  isEmpty: boolean
  attributes: Map<string, string>
  lineNumber: number
}

function readXmlReport(text: string, warnings: WarningList): Reading {
  if (!isXmlReport(text)) throw new FormatError('There is no benchmark of Catch2 in the file', 1)
  const results: BenchmarkResult[] = []
  const parents: string[] = []
  let current: BenchmarkResult | undefined
  // With --benchmark-no-analysis the deviation is 0, and the bounds are the mean.
  let isAnalysed = true
  for (const tag of readTags(text)) {
    if (/^(Catch|Catch2TestRun|TestCase|Section)$/.test(tag.name) && !tag.isEmpty) {
      if (tag.isEnd) parents.pop()
      else parents.push(attribute(tag, 'name'))
    } else if (tag.name === 'BenchmarkResults') {
      if (!tag.isEnd) current = beginBenchmark(tag, parents)
      else if (current) results.push(current)
      if (tag.isEnd) current = undefined
    } else if (current && tag.name === 'failed') {
      warnings.add(tag.lineNumber, `${quote(current.name)} failed: ${quote(attribute(tag, 'message'))}.`)
      current = undefined
    } else if (current && tag.name === 'mean') {
      current.value = amount(tag, 'value')
      current.stats.mean = current.value
      isAnalysed = tag.attributes.get('ci') !== '0'
      if (isAnalysed) {
        Object.assign(current.stats, { low: amount(tag, 'lowerBound'), high: amount(tag, 'upperBound') })
      }
    } else if (current && isAnalysed && tag.name === 'standardDeviation') {
      current.stats.stdev = amount(tag, 'value')
    } else if (current && isAnalysed && tag.name === 'outliers') {
      const kinds = ['lowMild', 'lowSevere', 'highMild', 'highSevere']
      current.stats.outlierRounds = kinds.reduce((sum, kind) => sum + amount(tag, kind), 0)
    }
  }
  return { environment: {}, results }
}

/** A benchmark that failed has no samples. */
function beginBenchmark(tag: Tag, parents: string[]): BenchmarkResult {
  const name = attribute(tag, 'name')
  return {
    uri: [...parents, name].join('::'),
    name,
    ...wallTime,
    value: 0,
    statistic: 'mean',
    stats: tag.attributes.has('samples')
      ? { rounds: amount(tag, 'samples'), iterationsPerRound: amount(tag, 'iterations') }
      : {},
    metrics: [],
  }
}

function readTags(text: string): Tag[] {
  let lineNumber = 1
  let counted = 0
  return [...text.matchAll(/<(\/?)([A-Za-z]\w*)((?:\s+[\w-]+="[^"]*")*)\s*(\/?)>/g)].map((match) => {
    lineNumber += text.slice(counted, match.index).split('\n').length - 1
    counted = match.index
    const [, end, name = '', attributes = '', empty] = match
    return {
      name,
      isEnd: end === '/',
      isEmpty: empty === '/',
      attributes: new Map(
        [...attributes.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, key = '', value = '']) => [
          key,
          replaceEntities(value),
        ]),
      ),
      lineNumber,
    }
  })
}

const ENTITIES: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

function replaceEntities(text: string): string {
  return text.replaceAll(/&(\w+);/g, (whole, name: string) => ENTITIES[name] ?? whole)
}

function attribute(tag: Tag, key: string): string {
  const value = tag.attributes.get(key)
  if (value === undefined) throw new FormatError(`Expected ${key} in <${tag.name}>`, tag.lineNumber)
  return value
}

function amount(tag: Tag, key: string): number {
  return printedNumber(attribute(tag, key), tag.lineNumber)
}
