// `npm run docs`: the documentation as a site, in apps/docs/dist; a link that leads nowhere ends it. Built by `npm start` too.
import { prepare } from './lib/prepare.mjs'

await prepare()
