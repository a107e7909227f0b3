import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeMetrics, decodeTraces } from './messages.ts'
import { OtlpError } from './protobuf.ts'
import { otlpReceived } from './received.ts'

/** @throws whatever is no OtlpError with words */
function outcomeOf(read: () => unknown): 'read' | 'refused' {
  try {
    read()
    return 'read'
  } catch (error) {
    if (error instanceof OtlpError && error.message.length > 10) return 'refused'
    throw error
  }
}

test.each(['metrics', 'traces'] as const)('any bytes are read as %s, or refused in words', (signal) => {
  const seen = new Set<string>()
  const decode = signal === 'metrics' ? decodeMetrics : decodeTraces
  // Fields of messages within messages, so that it gets beyond the first byte.
  const field = fc.tuple(
    fc.integer({ min: 1, max: 15 }),
    fc.constantFrom(0, 1, 2, 5),
    fc.uint8Array({ maxLength: 12 }),
  )
  const message = fc.array(field, { maxLength: 4 }).map((fields) =>
    fields.flatMap(([number, type, content]) => {
      const body =
        type === 2
          ? [content.length, ...content]
          : type === 1
            ? [...content, ...Array(8).fill(1)].slice(0, 8)
            : [...content]
      return [number * 8 + type, ...body]
    }),
  )
  const nested = fc
    .tuple(message, fc.constantFrom(1, 2), fc.constantFrom(1, 2), fc.constantFrom(1, 2))
    .map(([inner, ...numbers]) =>
      Uint8Array.from(
        numbers.reduce<number[]>(
          (bytes, number) => [number * 8 + 2, Math.min(127, bytes.length), ...bytes],
          inner,
        ),
      ),
    )
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array({ maxLength: 200 }), nested), (bytes) => {
      seen.add(outcomeOf(() => otlpReceived(signal, decode(bytes))))
    }),
    { numRuns: 3000 },
  )
  expect([...seen].toSorted()).toEqual(['read', 'refused'])
})

test.each(['metrics', 'traces'] as const)('any JSON is read as %s, or refused in words', (signal) => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      for (const content of [value, { resourceSpans: [value] }, { resourceMetrics: [value] }]) {
        expect(['read', 'refused']).toContain(outcomeOf(() => otlpReceived(signal, content)))
      }
    }),
  )
  const wrong = { resourceSpans: [{ scopeSpans: [{ spans: [{ endTimeUnixNano: 'soon' }] }] }] }
  expect(() => otlpReceived('traces', wrong)).toThrow(
    'This is no ExportTraceServiceRequest. Look at resourceSpans.0.scopeSpans.0.spans.0.endTimeUnixNano.',
  )
})

test('what is cut off, and what would take too much memory, is refused', () => {
  expect(() => decodeTraces(Uint8Array.of(0x0a, 0x7f, 0x01))).toThrow('cut off')
  expect(() => decodeTraces(Uint8Array.of(0x0b))).toThrow('no such type')
  expect(() => decodeTraces(new Uint8Array(20).fill(0xff))).toThrow('too long')
  const empty = Uint8Array.from({ length: 2_200_000 }, (_, index) => (index % 2 === 0 ? 0x0a : 0))
  expect(() => decodeTraces(empty)).toThrow('more than 1000000 messages')
})
