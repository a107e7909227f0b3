/** Of the work of the reference: times of another version are not compared with it. */
export const referenceVersion = '1'
