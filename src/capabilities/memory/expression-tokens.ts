/** A punctuator or an operator. Words and quoted strings are `text`. */
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

/** Splits an FTS5 expression into tokens. Returns undefined for an invalid character. */
export function readTokens(expression: string): readonly Token[] | undefined {
  const tokens: Token[] = []
  let offset = 0
  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = offset
    const [matched] = pattern.exec(expression) ?? []
    offset += matched?.length ?? 0
    return matched
  }
  while (offset < expression.length) {
    if (match(space) !== undefined) continue
    const token = readToken(match)
    if (!token) return undefined
    tokens.push(token)
  }
  return tokens
}

function readToken(match: (pattern: RegExp) => string | undefined): Token | undefined {
  const punctuator = match(sign)
  if (punctuator !== undefined) return { kind: punctuator as Sign, text: punctuator, quoted: false }
  const quoted = match(quotation)
  if (quoted !== undefined)
    return { kind: 'text', text: quoted.slice(1, -1).replaceAll('""', '"'), quoted: true }
  const text = match(bareword)
  return text === undefined ? undefined : { kind: toKind(text), text, quoted: false }
}

function toKind(word: string): Token['kind'] {
  return word === 'AND' || word === 'OR' || word === 'NOT' ? word : 'text'
}
