/**
 * How much a value looks as if a machine had made it: from 0 for words to 1 for what has 64 random bits or more. Entropy of its
 * characters, less where it reads like words.
 */
export function randomnessOf(value: string): number {
  if (/^[\w-]{10,}\.[\w-]{10,}\.[\w-]*$/.test(value) || uuid.test(value)) return 1
  const sample = value.slice(0, 200)
  const counts = new Map<string, number>()
  for (const character of sample) counts.set(character, (counts.get(character) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values()) bits -= count * Math.log2(count / sample.length)
  const digits = sample.match(/\d/g)?.length ?? 0
  const changes = sample.match(/[a-z](?=[A-Z\d])|[A-Z](?=[a-z\d])|\d(?=[A-Za-z])/g)?.length ?? 0
  const mixed = Math.min(1, (changes + digits / 2) / 4)
  const words = sample.match(/[a-z]{5,}|[A-Z][a-z]{4,}/g)?.filter((word) => /[aeiouy]/i.test(word)) ?? []
  const isWordy = words.join('').length > sample.length / 2
  return Math.min(1, bits / 64) * (0.4 + 0.6 * mixed) * (isWordy ? 0.4 : 1)
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Seconds or milliseconds since 1970, within two days of a time that is ISO 8601. */
export function isTimeNear(value: string, time: string): boolean {
  if (!/^\d{10}(?:\d{3})?$/.test(value)) return false
  const ms = value.length === 10 ? Number(value) * 1000 : Number(value)
  return Math.abs(ms - Date.parse(time)) < 2 * 86_400_000
}
