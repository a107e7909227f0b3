/** JSON as editors let people write it: with comments and commas at the end. */
export function relaxedJson(text: string): unknown {
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
