import { withoutByteOrderMark } from '../without-byte-order-mark.ts'

/** JSON as editors let people write it: with comments, commas at the end, and a mark before it. */
export function relaxedJson(marked: string): unknown {
  const text = withoutByteOrderMark(marked)
  try {
    return JSON.parse(text)
  } catch (error) {
    const plain = text.replaceAll(
      /("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g,
      (_all, string?: string) => string ?? '',
    )
    try {
      return JSON.parse(
        plain.replaceAll(/("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])/g, (_all, string?: string) => string ?? ''),
      )
    } catch {
      throw error
    }
  }
}
