import { claudeCode } from './claude-code.ts'
import { codex } from './codex.ts'
import { cursor } from './cursor.ts'
import { gemini } from './gemini.ts'
import { generic } from './generic.ts'
import type { Harness } from './harness.ts'
import { opencode } from './opencode.ts'

export const harnesses: readonly Harness[] = [claudeCode, codex, gemini, opencode, cursor, generic]
