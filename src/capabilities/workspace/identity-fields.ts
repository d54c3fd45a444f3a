/** Who an agent is stands at the top of its file, in short lines. */
const mostLines = 200
const mostCharacters = 200

/** From lines such as `- **Name:** Ada`: the first value of each name, which is in small letters. */
export function readIdentityFields(text: string): ReadonlyMap<string, string> {
  const fields = new Map<string, string>()
  for (const line of text.split('\n', mostLines)) {
    const [name = '', ...rest] = line.slice(0, mostCharacters).split(':')
    const value = unmarked(rest.join(':'))
    const key = unmarked(name).toLowerCase()
    if (value !== '' && !fields.has(key)) fields.set(key, value.toWellFormed())
  }
  return fields
}

function unmarked(text: string): string {
  return text.replaceAll(/^[\s*_-]+|[\s*_]+$/g, '')
}
