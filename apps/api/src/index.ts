export { apiPlugin, type ApiOptions } from './api-plugin.ts'
export { operationDeps } from './operation-deps.ts'
