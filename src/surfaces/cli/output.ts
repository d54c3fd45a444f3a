import picocolors from 'picocolors'
import { neutralize } from '../../kernel/redaction/neutralize.ts'
import { sliceText } from '../../kernel/redaction/slice-text.ts'
import { isColorOff } from './environment.ts'
import type { Failure } from './failure.ts'

/** The library reads any `FORCE_COLOR` as yes; `0` and `false` mean no colour, as in Node. */
export const colors = picocolors.createColors(picocolors.isColorSupported && !isColorOff())

/** Results go to stdout, everything else to stderr. With `json`, stdout gets one document. */
export interface Output {
  readonly json: boolean
  result(data: unknown, render: () => string): void
  /** For people only. */
  note(text: string): void
  /** Writes text that is itself the result. */
  write(text: string): Promise<void>
  fail(failure: Failure): void
}

export function createOutput(json: boolean): Output {
  const { stdout, stderr } = process
  return {
    json,
    result: (data, render) =>
      void stdout.write(json ? `${JSON.stringify(data, null, 2)}\n` : `${render()}\n`),
    note: (text) => {
      if (!json) stderr.write(`${text}\n`)
    },
    write: (text) => new Promise((resolve) => stdout.write(text, () => resolve())),
    fail: ({ error, code, hint = null }) => {
      if (json) return void stderr.write(`${JSON.stringify({ error, code, hint })}\n`)
      stderr.write(
        `${colors.red('✗')} ${neutralize(error)}\n${hint ? `  ${colors.dim(hint)}\n` : ''}`,
      )
    },
  }
}

export function toLine(text: string, width = 100): string {
  const line = neutralize(text).replaceAll(/\s+/g, ' ')
  return line.length > width ? `${sliceText(line, 0, width - 1)}…` : line
}
