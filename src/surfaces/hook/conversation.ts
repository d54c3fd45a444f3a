/** Who speaks in records that name the speaker as their type. */
const speakers: Readonly<Record<string, string>> = { user: 'user', gemini: 'assistant' }

type Fields = Readonly<Record<string, unknown>>

/** Lines of `{role, content}`, for the harnesses whose own records say it otherwise; else as it is. */
export function toConversation(harness: string, text: string): string {
  if (harness !== 'gemini' && harness !== 'cursor') return text
  const document = parse(text)
  const records = isList(document?.['messages'])
    ? document['messages'].map(Object)
    : text.split('\n').flatMap((line) => parse(line) ?? [])
  return records.map((record: Fields) => `${JSON.stringify(toTurn(record))}\n`).join('')
}

function toTurn(record: Fields): Fields {
  const role = record['role'] ?? speakers[String(record['type'])]
  const message = Object(record['message']) as Fields
  return role === undefined ? record : { role, content: record['content'] ?? message['content'] }
}

function parse(text: string): Fields | undefined {
  try {
    const parsed: unknown = JSON.parse(text)
    return typeof parsed === 'object' && parsed !== null ? (parsed as Fields) : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value)
}
