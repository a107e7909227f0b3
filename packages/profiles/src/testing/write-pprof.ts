/** A field of a protocol buffer: a number is a varint, a string or list of bytes has a length, a list of both is a message. */
export type Field = [number: number, value: number | bigint | string | Uint8Array | Field[]]

/** Encodes fields as they are given, right or wrong, so that tests can write what no tool would. */
export function protobuf(fields: Field[]): Uint8Array<ArrayBuffer> {
  const bytes: number[] = []
  for (const [number, value] of fields) {
    if (typeof value === 'number' || typeof value === 'bigint') {
      bytes.push(...varint(BigInt(number * 8)), ...varint(BigInt(value)))
      continue
    }
    const body =
      typeof value === 'string'
        ? new TextEncoder().encode(value)
        : Array.isArray(value)
          ? protobuf(value)
          : value
    bytes.push(...varint(BigInt(number * 8 + 2)), ...varint(BigInt(body.length)), ...body)
  }
  return Uint8Array.from(bytes)
}

/** Numbers one after the other, as in a packed field. Negative ones take ten bytes. */
export function packed(...values: (number | bigint)[]): Uint8Array {
  return Uint8Array.from(values.flatMap((value) => varint(BigInt(value))))
}

function varint(value: bigint): number[] {
  const bytes: number[] = []
  let rest = BigInt.asUintN(64, value)
  while (rest > 127n) {
    bytes.push(Number(rest & 127n) | 128)
    rest >>= 7n
  }
  return [...bytes, Number(rest)]
}

export interface PprofParts {
  sampleTypes?: [type: string, unit: string][]
  /** `ids` innermost first. */
  samples: {
    ids: (number | bigint)[]
    values: (number | bigint)[]
    labels?: Record<string, string | number>
  }[]
  /** Per location id, its functions innermost first; `[]` for an address without functions. */
  locations: { id: number | bigint; functions: string[]; lines?: number[]; binary?: string }[]
  /** Numbers of a sample packed into one field, or a field each; Go does both. */
  isPacked?: boolean
  dropFrames?: string
  keepFrames?: string
  defaultSampleType?: string
  more?: Field[]
}

/** A pprof file. A function is written as `name` or `name@file`. */
export function writePprof(parts: PprofParts): Uint8Array<ArrayBuffer> {
  const strings = ['']
  const string = (text: string) => {
    if (!strings.includes(text)) strings.push(text)
    return strings.indexOf(text)
  }
  const { isPacked = true, sampleTypes = [['samples', 'count']] } = parts
  const numbers = (field: number, values: (number | bigint)[]): Field[] =>
    isPacked ? [[field, packed(...values)]] : values.map((value): Field => [field, value])

  const functionNames = [...new Set(parts.locations.flatMap(({ functions }) => functions))]
  const binaries = [...new Set(parts.locations.flatMap(({ binary }) => binary ?? []))]
  const fields: Field[] = [
    ...sampleTypes.map(([type, unit]): Field => [
      1,
      [
        [1, string(type)],
        [2, string(unit)],
      ],
    ]),
    ...parts.samples.map(({ ids, values, labels = {} }): Field => [
      2,
      [
        ...numbers(1, ids),
        ...numbers(2, values),
        ...Object.entries(labels).map(([key, value]): Field => [
          3,
          [[1, string(key)], typeof value === 'string' ? [2, string(value)] : [3, value]],
        ]),
      ],
    ]),
    ...binaries.map((binary, index): Field => [
      3,
      [
        [1, index + 1],
        [5, string(binary)],
      ],
    ]),
    ...parts.locations.map(({ id, functions, lines = [], binary }): Field => [
      4,
      [
        [1, id],
        ...(binary === undefined ? [] : [[2, binaries.indexOf(binary) + 1] as Field]),
        ...functions.map((name, index): Field => [
          4,
          [
            [1, functionNames.indexOf(name) + 1],
            [2, lines[index] ?? 0],
          ],
        ]),
      ],
    ]),
    ...functionNames.map((name, index): Field => {
      const [functionName = '', file = ''] = name.split('@')
      return [
        5,
        [
          [1, index + 1],
          [2, string(functionName)],
          [4, string(file)],
        ],
      ]
    }),
  ]
  const tail: Field[] = [
    [7, string(parts.dropFrames ?? '')],
    [8, string(parts.keepFrames ?? '')],
    [14, string(parts.defaultSampleType ?? '')],
  ]
  return protobuf([...fields, ...strings.map((text): Field => [6, text]), ...tail, ...(parts.more ?? [])])
}
