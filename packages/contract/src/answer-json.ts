const made = new WeakMap<object, string>()

/** An answer as JSON, made once: the audit log counts its bytes, and the edges send it. */
export function answerJson(answer: object): string {
  const known = made.get(answer)
  if (known !== undefined) return known
  const json = JSON.stringify(answer)
  made.set(answer, json)
  return json
}
