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

/** What `searchCatalogue` looks things up in. */
export function buildIndex(products) {
  return [...products.values()].map((product) => ({ product, words: tokenise(product.name) }))
}

/** Products whose name has a word starting with each word of the query; most words first. */
export function searchCatalogue(index, query) {
  const wanted = tokenise(query)
  return index
    .filter(({ words }) => wanted.every((word) => words.some((own) => own.startsWith(word))))
    .map(({ product }) => product)
    .toSorted((a, b) => a.sku.localeCompare(b.sku))
}
