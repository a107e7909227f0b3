import { FormatError } from './format-error.ts'

/** A number that is not negative, as tools print it for people: `1,431,759`, `0.32`, `1e-7`. */
export function printedNumber(text: string, place: number | string): number {
  const amount = Number(text.replaceAll(',', ''))
  if (text === '' || !Number.isFinite(amount) || amount < 0) {
    throw new FormatError('Expected a number that is not negative', place)
  }
  return amount
}
