import { parseArgs } from 'node:util'
import { type EventName, isEventName } from './events.ts'
import { HookSkipped } from './hook-skipped.ts'

export interface Arguments {
  readonly event: EventName
  readonly harness: string
  readonly runtimePath: string
  readonly debug: boolean
  readonly project: string | undefined
  readonly summary: string | undefined
  readonly workspace: string | undefined
  readonly url: string | undefined
}

/** What stands after `reverie hook`. Throws `NoAnswer` for what cannot be understood. */
export function parseArguments(argv: readonly string[]): Arguments {
  const { values, positionals } = parse(argv)
  const [event = ''] = positionals
  if (!isEventName(event)) throw new HookSkipped('usage', `unknown event ${event}`)
  return {
    event,
    harness: values.harness ?? 'generic',
    runtimePath: values['runtime-path'] ?? 'legacy',
    debug: values.debug ?? false,
    project: values.project,
    summary: values.summary,
    workspace: values.workspace,
    url: values.url,
  }
}

function parse(argv: readonly string[]) {
  const text = { type: 'string' } as const
  const options = {
    harness: { type: 'string', short: 'H' },
    'runtime-path': text,
    project: text,
    summary: text,
    workspace: text,
    url: text,
    debug: { type: 'boolean' },
  } as const
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: true, strict: false }) as {
      readonly values: {
        readonly harness?: string
        readonly project?: string
        readonly summary?: string
        readonly workspace?: string
        readonly url?: string
        readonly debug?: boolean
        readonly 'runtime-path'?: string
      }
      readonly positionals: readonly string[]
    }
  } catch (error) {
    throw new HookSkipped('usage', String(error))
  }
}
