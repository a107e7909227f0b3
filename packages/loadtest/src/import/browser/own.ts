/** What a table says of a name that comes from a source: names like `constructor` are in no table. */
export function own<Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}
