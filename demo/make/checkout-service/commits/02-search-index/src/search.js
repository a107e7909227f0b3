/** Lower-case words of at least two letters or digits, without accents. */
export function tokenise(text) {
  return (
    text
      .normalize('NFD')
      .replaceAll(/\p{M}/gu, '')
      .toLowerCase()
      .match(/[\p{L}\p{N}]{2,}/gu) ?? []
  )
}

/** What `searchCatalogue` looks things up in: each word, and the products that have it in their name. */
export function buildIndex(products) {
  const index = new Map()
  for (const product of products.values()) {
    for (const word of new Set(tokenise(product.name))) {
      if (!index.has(word)) index.set(word, new Set())
      index.get(word).add(product)
    }
  }
  return index
}

/** Products whose name has a word starting with each word of the query, by sku. */
export function searchCatalogue(index, query) {
  const [first, ...others] = tokenise(query).map((word) => productsWithPrefix(index, word))
  if (!first) return []
  return [...first]
    .filter((product) => others.every((products) => products.has(product)))
    .toSorted((a, b) => a.sku.localeCompare(b.sku))
}

function productsWithPrefix(index, prefix) {
  const found = new Set()
  for (const [word, products] of index) {
    if (word.startsWith(prefix)) for (const product of products) found.add(product)
  }
  return found
}
