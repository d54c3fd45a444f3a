import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { removeLater } from './reaper.ts'

/** The home folder of every process that tests start, so that none uses a person's home. */
export const testHome = mkdtempSync(join(tmpdir(), 'reverie-home-'))
removeLater(testHome)

/** Override the variables of the person who runs the tests. */
export const homeVariables = { HOME: testHome, CODEX_HOME: join(testHome, '.codex') }
