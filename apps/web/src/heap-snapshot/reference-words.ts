interface Reference {
  edge_type: string
  edge_name: string
}

/** How an object is reached from the one that refers to it: `.cache`, `[3]`, `variable cache`, `{table}`. */
export function referenceWords({ edge_type: type, edge_name: name }: Reference): string {
  if (type === 'property') return `.${name}`
  if (type === 'element') return `[${name}]`
  return type === 'context' ? `variable ${name}` : `{${name}}`
}
