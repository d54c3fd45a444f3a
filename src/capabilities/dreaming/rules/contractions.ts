import { isCapitalised, type Token } from './tokens.ts'

/** Words that are a contraction wherever they stand: `dont` is `don't`. */
const whole: ReadonlyMap<string, string> = new Map(
  `don't doesn't didn't isn't aren't wasn't weren't hasn't haven't hadn't can't couldn't wouldn't shouldn't won't ain't
  let's`
    .split(/\s+/)
    .map((word) => [word.replace("'", ''), word]),
)

/** The same of two tokens: `ive` is `I` and `'ve`. */
const split: ReadonlySet<string> = new Set(
  `ive youve weve theyve youre theyre thats theres heres whats wheres whos youll theyll itll youd theyd`.split(
    ' ',
  ),
)

const endings = ['ve', 're', 'll', 's', 'm', 'd'] as const

/** English words that may stand behind `I'm` and `it's`, but not behind the German `im` or the possessive `its`. */
const predicates: ReadonlySet<string> = new Set(
  `a an the in at on off up down over out with for from not no now never still back always also already just really all so
  gone done due based living using working employed moving writing coding allergic here there been being both
  through fed sick tired free fond fluent partial very fine sure glad happy into only officially finally currently completely entirely mostly your our my called
  hosted written deployed owned decided run backed`.split(/\s+/),
)

/** What stands behind `I'll` and `I'd`, but not behind `ill` and `id`. */
const verbs: ReadonlySet<string> = new Set(
  `be move switch use start join take go have get try need rather like love say prefer want give drop make keep never
  probably always also just soon live work leave stay do see ask check let`.split(' '),
)

const newness: ReadonlySet<string> = new Set(
  'now these nowadays instead again from since as not btw lol then today'.split(' '),
)

/** Contractions that are other words as well, by what stands around them. */
const open: ReadonlyMap<string, (tokens: readonly Token[], at: number) => boolean> = new Map([
  ['im', (tokens, at) => isPredicate(tokens, at + 1) || isParticiple(tokens, at)],
  ['its', (tokens, at) => isPredicate(tokens, at + 1) || isName(tokens, at + 1)],
  ['ill', (tokens, at) => isClauseStart(tokens, at) && isVerb(tokens, at + 1)],
  ['id', (tokens, at) => isClauseStart(tokens, at) && isVerb(tokens, at + 1)],
  ['hes', (tokens, at) => isPredicate(tokens, at + 1)],
  ['shes', (tokens, at) => isPredicate(tokens, at + 1)],
])

/** English contractions without their apostrophes become the tokens that they have with it. */
export function expandContractions(tokens: readonly Token[]): readonly Token[] {
  return tokens.flatMap((token, at) => {
    const { lower, kind } = token
    if (kind !== 'word') return [token]
    const contraction = whole.get(lower)
    if (contraction !== undefined) return [{ ...token, lower: contraction }]
    return split.has(lower) || open.get(lower)?.(tokens, at) ? splitToken(token) : [token]
  })
}

/** `Im` is `I` and `'m`. Both have their places in the text. */
function splitToken(token: Token): Token[] {
  const { text, lower, end } = token
  const ending = endings.find((one) => lower.endsWith(one))
  if (ending === undefined) return [token]
  const middle = end - ending.length
  const [first, last] = [text.slice(0, -ending.length), text.slice(-ending.length)]
  return [
    { ...token, text: first, lower: first.toLowerCase(), end: middle },
    { ...token, text: `'${last}`, lower: `'${ending}`, start: middle },
  ]
}

function isPredicate(tokens: readonly Token[], at: number): boolean {
  return predicates.has(tokens[at]?.text ?? '')
}

/** `im running`; German writes its nouns with capitals, and `im meeting` has a word before it. */
function isParticiple(tokens: readonly Token[], at: number): boolean {
  return isClauseStart(tokens, at) && /^[a-z]{3,}(?:ing|ed)$/.test(tokens[at + 1]?.text ?? '')
}

function isVerb(tokens: readonly Token[], at: number): boolean {
  return verbs.has(tokens[at]?.text ?? '')
}

/** `its Rust now`, `its 9104.`; not `its Kafka dependency`. */
function isName(tokens: readonly Token[], at: number): boolean {
  const end = tokens.findIndex((token, index) => index >= at && !isCapitalised(token))
  const next = tokens[end]
  if (end === at || at >= tokens.length) return false
  return next === undefined || next.kind === 'mark' || newness.has(next.lower)
}

function isClauseStart(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1]
  return (
    before === undefined ||
    before.kind === 'mark' ||
    /^(?:and|but|so|because|since|now|btw|fyi|cause|cos|ok|yeah|then)$/.test(before.lower)
  )
}
