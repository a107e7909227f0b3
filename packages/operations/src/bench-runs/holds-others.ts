export { holdsOthers } from '@flamegate/loadtest'
