/** ZIP files that no archive of ours would be: for tests outside of this package, which has the library. */
export { unzipSync, Zip, ZipDeflate, type ZipInputFile, ZipPassThrough } from 'fflate'
