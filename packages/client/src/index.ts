export * from './api-problem.ts'
export * from './create-client.ts'
export { buildRequest, type BuiltRequest } from './build-request.ts'
