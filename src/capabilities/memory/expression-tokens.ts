/** A sign or an operator by itself; words and quoted texts are `text`. */
export interface Token {
  readonly kind: 'text' | 'AND' | 'OR' | 'NOT' | Sign
  readonly text: string
  readonly quoted: boolean
}

type Sign = '(' | ')' | '{' | '}' | ':' | ',' | '+' | '*' | '-' | '^'

const space = /[ \t\r\n]+/y
const sign = /[(){}:,+*^-]/y
const quotation = /"[^"]*(?:""[^"]*)*"/y
const bareword = /[A-Za-z0-9_\cZ\u{80}-\u{10ffff}]+/uy

/** What an expression of FTS5 consists of; undefined where something stands in it that means nothing there. */
export function readTokens(expression: string): readonly Token[] | undefined {
  const tokens: Token[] = []
  let at = 0
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at
    const [taken] = pattern.exec(expression) ?? []
    at += taken?.length ?? 0
    return taken
  }
  while (at < expression.length) {
    if (take(space) !== undefined) continue
    const token = readToken(take)
    if (!token) return undefined
    tokens.push(token)
  }
  return tokens
}

function readToken(take: (pattern: RegExp) => string | undefined): Token | undefined {
  const found = take(sign)
  if (found !== undefined) return { kind: found as Sign, text: found, quoted: false }
  const quoted = take(quotation)
  if (quoted !== undefined)
    return { kind: 'text', text: quoted.slice(1, -1).replaceAll('""', '"'), quoted: true }
  const text = take(bareword)
  return text === undefined ? undefined : { kind: toKind(text), text, quoted: false }
}

function toKind(word: string): Token['kind'] {
  return word === 'AND' || word === 'OR' || word === 'NOT' ? word : 'text'
}
