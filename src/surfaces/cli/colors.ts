import picocolors from 'picocolors'
import { isColorOff } from './environment.ts'

/** The library reads any `FORCE_COLOR` as yes; `0` and `false` mean no colour, as in Node. */
export const colors = picocolors.createColors(picocolors.isColorSupported && !isColorOff())
