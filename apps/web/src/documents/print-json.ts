import { inside } from './json.ts'

export interface PrintedJson {
  text: string
  /** Lines, from 0, of everything in it by its JSON pointer. */
  lineOf: ReadonlyMap<string, number>
}

/** Writes JSON as `JSON.stringify` with two spaces does, and tells where what is. */
export function printJson(value: unknown): PrintedJson {
  const lines: string[] = ['']
  const lineOf = new Map<string, number>()
  const write = (words: string) => {
    lines[lines.length - 1] += words
  }
  const print = (part: unknown, pointer: string, indent: string) => {
    lineOf.set(pointer, lines.length - 1)
    if (typeof part !== 'object' || part === null) {
      write(JSON.stringify(part) ?? 'null')
      return
    }
    const isList = Array.isArray(part)
    const entries = Object.entries(part).filter(([, each]) => each !== undefined)
    if (entries.length === 0) {
      write(isList ? '[]' : '{}')
      return
    }
    write(isList ? '[' : '{')
    for (const [index, [name, each]] of entries.entries()) {
      lines.push(`${indent}  ${isList ? '' : `${JSON.stringify(name)}: `}`)
      print(each, inside(pointer, name), `${indent}  `)
      if (index < entries.length - 1) write(',')
    }
    lines.push(`${indent}${isList ? ']' : '}'}`)
  }
  print(value, '', '')
  return { text: lines.join('\n'), lineOf }
}
