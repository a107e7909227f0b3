export { default } from '../src/site.ts'
