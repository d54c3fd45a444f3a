import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { removeLater } from './reaper.ts'

/** The home folder of every process that a test starts: none of them reads or writes that of a person. */
export const testHome = mkdtempSync(join(tmpdir(), 'reverie-home-'))
removeLater(testHome)

/** Precede the variables of the person who runs the tests. */
export const homeVariables = { HOME: testHome, CODEX_HOME: join(testHome, '.codex') }
