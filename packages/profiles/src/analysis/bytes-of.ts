/** About how much memory plain data takes. */
export function bytesOf(data: unknown): number {
  let bytes = 0
  const pending = [data]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (ArrayBuffer.isView(next)) bytes += next.byteLength
    else if (typeof next === 'string') bytes += 24 + 2 * next.length
    else if (typeof next === 'object' && next !== null) {
      bytes += 48
      for (const each of Object.values(next)) if (each !== undefined && each !== null) pending.push(each)
    }
  }
  return bytes
}
