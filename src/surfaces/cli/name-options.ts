import { ReverieError } from '../../client/public/reverie-error.ts'
import type { RequestField } from './command.ts'

/** A refused request, with the options of the command in place of the fields of the request. */
export function nameOptions(error: unknown, fields: readonly RequestField[]): unknown {
  if (!(error instanceof ReverieError) || error.code !== 'invalid_request') return error
  const { code, details, requestId, retryAfterSeconds } = error
  const message = renameFields(error.message, fields)
  const status = error.status ?? 400
  return new ReverieError({ code, details, message, requestId, retryAfterSeconds, status })
}

/**
 * A name that is also a word, such as `type`, is renamed at the beginning of the message and in a list
 * with other fields.
 */
function renameFields(message: string, fields: readonly RequestField[]): string {
  const flags = new Map(
    fields.flatMap(({ name, part, source }) =>
      part !== 'path' && typeof source === 'string' && /^\w+$/.test(name)
        ? [[name, toFlag(source)]]
        : [],
    ),
  )
  if (flags.size === 0) return message
  const name = `(?:${[...flags.keys()].join('|')})`
  const lists = new RegExp(`\\b${name}(?:(?:, | or | and )${name})*\\b`, 'g')
  return message.replaceAll(lists, (list, index: number) =>
    index === 0 || /[A-Z_]/.test(list)
      ? list.replaceAll(new RegExp(`\\b${name}\\b`, 'g'), (field) => flags.get(field) ?? field)
      : list,
  )
}

function toFlag(option: string): string {
  return `--${option.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}
