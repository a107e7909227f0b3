/** By the rule of thumb of four characters for a token; models differ. */
export function estimatedTokens(text: string): number {
  return Math.ceil(text.length / 4)
}
