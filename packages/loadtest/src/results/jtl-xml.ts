import { isTransaction, putJmeterSample, type JmeterFields } from './jmeter-sample.ts'
import type { ResultReader } from './result-sink.ts'
import { readXmlTags } from './xml-tags.ts'
import { SourceError } from '../import/importer.ts'

/** Samples within samples, at most. */
const depthMax = 50

/** A sample of which the end tag has not come. */
interface OpenSample {
  fields: JmeterFields
  isHttp: boolean
  number: number
  hasInner: boolean
}

/**
 * Reads the [results of JMeter as XML](https://jmeter.apache.org/usermanual/listeners.html#xmlformat2.1). A `sample` that holds
 * others is a transaction; what is within an `httpSample` (redirects, what a page embeds) is a part of it, as in JMeter's own
 * reports.
 */
export const readJtlXml: ResultReader = async (content, sink) => {
  const open: OpenSample[] = []
  let number = 0
  let parts = 0
  let isWhole = false
  await readXmlTags(content, {
    open(tag, attributes) {
      if (tag !== 'httpSample' && tag !== 'sample') return
      if (open.length === depthMax)
        throw new SourceError(`Samples are within one another more than ${depthMax} times.`)
      const outer = open.at(-1)
      if (outer !== undefined) outer.hasInner = true
      open.push({
        fields: fieldsOf(attributes),
        isHttp: tag === 'httpSample',
        number: ++number,
        hasInner: false,
      })
    },
    close(tag, text) {
      if (tag === 'testResults') isWhole = true
      const sample = open.at(-1)
      if (sample === undefined) return
      if (tag === 'failureMessage') sample.fields.failureMessage ||= text
      else if (tag === 'java.net.URL') sample.fields.url = text
      else if (tag === 'httpSample' || tag === 'sample') {
        open.pop()
        if (open.some(({ isHttp }) => isHttp)) parts++
        else {
          const { fields, isHttp, hasInner } = sample
          const isContainer = (hasInner && !isHttp) || isTransaction(fields)
          putJmeterSample(
            fields,
            {
              type: isContainer ? 'container' : 'http_request',
              path: open.map(({ fields: { label } }) => label),
            },
            `sample ${sample.number}`,
            sink,
          )
        }
      }
    },
  })
  if (parts > 0)
    sink.note(
      `${parts} samples are parts of others (redirects, embedded resources); as in JMeter's own reports, they count with those only.`,
    )
  if (!isWhole) sink.note('The JTL is cut off. What was complete was read.')
}

/** [Attributes](https://jmeter.apache.org/usermanual/listeners.html#attributes) are short names of the columns. */
function fieldsOf(attributes: ReadonlyMap<string, string>): JmeterFields {
  const at = (name: string) => attributes.get(name) ?? ''
  return {
    timeStamp: at('ts'),
    elapsed: at('t'),
    label: at('lb'),
    threadName: at('tn'),
    responseCode: at('rc'),
    responseMessage: at('rm'),
    success: at('s'),
    failureMessage: '',
    errorCount: at('ec'),
    sampleCount: at('sc'),
    bytes: at('by'),
    sentBytes: at('sby'),
    allThreads: at('na'),
    latency: at('lt'),
    connect: at('ct'),
    url: '',
    hostname: at('hn'),
    errorClass: '',
    responseTimeUs: '',
  }
}
