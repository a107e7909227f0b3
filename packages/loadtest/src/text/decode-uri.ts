/** What percent codes stand for; a text in which one stands for nothing is as it is meant. */
export function decodeUri(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
