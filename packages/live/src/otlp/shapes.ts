import { z } from 'zod'
import { OtlpError } from './protobuf.ts'

/** What an attribute says, where it is one word or number. */
export type Attributes = ReadonlyMap<string, string | number | boolean>

/**
 * Whole numbers of 64 bits are texts in JSON, and so is what is no number (`NaN`, `Infinity`), which programs tell where nothing
 * was measured: https://protobuf.dev/programming-guides/json/
 */
export const number = z
  .union([z.number(), z.nan(), z.literal([Infinity, -Infinity]), z.string(), z.null()])
  .transform((value) => (value === null ? Number.NaN : Number(value)))

/** Lists, and what is made of more than one value, are left out. */
export const attributes = z
  .array(
    z.object({
      key: z.string(),
      value: z
        .object({
          stringValue: z.string().optional(),
          boolValue: z.boolean().optional(),
          intValue: number.optional(),
          doubleValue: number.optional(),
        })
        .default({}),
    }),
  )
  .default([])
  .transform(
    (list): Attributes =>
      new Map(
        list.flatMap(({ key, value: { stringValue, boolValue, intValue, doubleValue } }) => {
          const value = stringValue ?? boolValue ?? intValue ?? doubleValue
          return value === undefined ? [] : [[key, value] as const]
        }),
      ),
  )

export const resource = z
  .object({ attributes })
  .optional()
  .transform((of): Attributes => of?.attributes ?? new Map())

/** @throws OtlpError that names what is wrong, and where */
export function parsed<T extends z.ZodType>(schema: T, content: unknown, what: string): z.output<T> {
  const result = schema.safeParse(content)
  if (result.success) return result.data
  const [issue] = result.error.issues
  const place = issue === undefined || issue.path.length === 0 ? '' : ` Look at ${issue.path.join('.')}.`
  throw new OtlpError(`This is no ${what}.${place}`)
}
