/** What is needed where virtual users run: without what imports, exports and correlates them, and the packages for that. */
export { templateParts } from './model/template-parts.ts'
export { hasPages } from './outline/has-pages.ts'
export { holdsOthers } from './outline/holds-others.ts'
export { parseDocument } from './patch/parse-document.ts'
export { redactExchange } from './recording/redact-exchange.ts'
export { generatorLimits } from './report/generator-limits.ts'
export { decodeUri } from './text/decode-uri.ts'
export { Redactor } from './text/redactor.ts'
