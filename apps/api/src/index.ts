export { apiConfig, operationSettings } from './api-config.ts'
export { apiPlugin, type ApiOptions } from './api-plugin.ts'
export { operationDeps } from './operation-deps.ts'
