/** Seconds since midnight, of this day or of another, as `14:03:20`. */
export function clockText(seconds: number): string {
  const ofDay = ((Math.round(seconds) % 86_400) + 86_400) % 86_400
  return [ofDay / 3600, (ofDay / 60) % 60, ofDay % 60]
    .map((part) => String(Math.floor(part)).padStart(2, '0'))
    .join(':')
}
