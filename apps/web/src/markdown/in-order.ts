import { createElement, Fragment, type ReactNode } from 'react'

/** Parts of a text, one after the other. A text is read anew as a whole: its parts need no keys. */
export function inOrder<Part>(
  parts: readonly Part[],
  render: (part: Part, index: number) => ReactNode,
): ReactNode {
  return createElement(Fragment, null, ...parts.map(render))
}
