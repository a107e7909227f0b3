/** Rejects when the process there does not answer. */
export async function askHealth(url: string): Promise<void> {
  const answer = await fetch(`${url}/healthz`)
  await answer.body?.cancel()
  if (!answer.ok) throw new Error(`${url} answers ${answer.status}`)
}
