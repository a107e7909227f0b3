import { unzipSync } from '../../../packages/loadtest/src/testing/zip.ts'

/** How many elements the report of a source has to tell of, counted without its importer; undefined where that is not known. */
export function countElements(bytes: Uint8Array, format: string): number | undefined {
  const count = counters[format]
  return count?.(bytes)
}

const counters: Readonly<Record<string, (bytes: Uint8Array) => number | undefined>> = {
  archive(bytes) {
    // Readers differ in which of the two counts of entries at the end of a ZIP file they believe (APPNOTE.TXT 4.3.16).
    const file = Buffer.from(bytes)
    const end = file.lastIndexOf(Buffer.from('PK\u0005\u0006', 'latin1'))
    try {
      if (file.readUInt16LE(end + 8) !== file.readUInt16LE(end + 10)) return undefined
      const names: string[] = []
      unzipSync(bytes, { filter: ({ name }) => names.push(name) < 0 })
      return names.filter((name) => !name.endsWith('/') && name !== 'manifest.json').length
    } catch {
      return undefined
    }
  },
  har(bytes) {
    const { log } = objectIn(parsed(bytes))
    // What is left out of a recording may be no JSON.
    if (log === undefined) return undefined
    const { entries, pages } = objectIn(log)
    // Messages of WebSockets are told of one by one.
    const messages = listIn(entries).flatMap((entry) => listIn(objectIn(entry)['_webSocketMessages']))
    return messages.length > 0 ? undefined : listIn(entries).length + listIn(pages).length
  },
  jmx(bytes) {
    const text = Buffer.from(bytes).toString()
    if (/<!|<\?(?!xml )/.test(text)) return undefined
    const stack: string[] = []
    let count = 0
    for (const [, close, name = '', empty] of text.matchAll(
      /<(\/?)([A-Za-z_][\w.-]*)(?:"[^"]*"|'[^']*'|[^>"'])*?(\/?)>/g,
    )) {
      if (close === '/') stack.pop()
      else {
        if (stack.at(-1) === 'hashTree' && name !== 'hashTree') count += 1
        if (empty !== '/') stack.push(name)
      }
    }
    return count
  },
  side(bytes) {
    const { tests, suites } = objectIn(parsed(bytes))
    const commands = listIn(tests).flatMap((test) => listIn(objectIn(test)['commands']))
    return commands.length + listIn(tests).length + listIn(suites).length
  },
  urls(bytes) {
    const lines = new TextDecoder().decode(bytes).split(/\r\n|\r|\n/)
    return lines.filter((line) => !/^(?:#|$)/.test(line.trim())).length
  },
  webdriver(bytes) {
    const value = parsed(bytes)
    const { steps, commands } = objectIn(value)
    return listIn(Array.isArray(value) ? value : (steps ?? commands)).length
  },
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return undefined
  }
}

function objectIn(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}

function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
