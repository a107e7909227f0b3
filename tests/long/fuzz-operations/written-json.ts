/** Something to be written into JSON as it is: a number that JavaScript cannot hold, nesting that it could not build. */
export class Verbatim {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  toJSON(): string {
    return `@verbatim ${this.text}@`
  }
}

/** As JSON.stringify does, but for what is verbatim. */
export function writtenJson(value: unknown): string {
  const json = JSON.stringify(value) ?? 'null'
  return json.replaceAll(/"@verbatim ((?:[^"\\]|\\.)*)@"/g, (_, quoted: string) =>
    String(JSON.parse(`"${quoted}"`)),
  )
}

/** A property as any other, even `__proto__`. */
export function putKey(container: object, key: string | number, value: unknown): void {
  // Of a list it is no property as any other.
  if (key === 'length' && Array.isArray(container)) return
  Object.defineProperty(container, key, { value, writable: true, enumerable: true, configurable: true })
}
