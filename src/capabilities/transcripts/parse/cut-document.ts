import { type Fields, toFields } from './fields.ts'

/** As `JSON.stringify` indents the items of a list in a document. */
const opens = '    {'
const closes = ['    }', '    },']

/** Of one indented document that has lost its beginning, the messages that are still whole. */
export function readCutDocument(lines: Iterable<string>): Fields[] | undefined {
  const messages: Fields[] = []
  let open: string[] | undefined
  for (const line of lines) {
    if (line === opens) open = []
    open?.push(line)
    if (!open || !closes.includes(line)) continue
    const fields = parseItem(open.join('\n'))
    if (fields) messages.push(fields)
    open = undefined
  }
  return messages.length > 0 ? messages : undefined
}

function parseItem(text: string): Fields | undefined {
  try {
    return toFields(JSON.parse(text.replace(/,$/, '')))
  } catch {
    // A piece of something else that is indented alike.
    return undefined
  }
}
