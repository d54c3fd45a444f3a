import { format, type SecretFormat } from './formats.ts'

/** The end of a secret's name, such as `DB_PASSWORD` or `clientSecret`, with any prefix. */
const secretNames =
  '(?:api|access|secret|private|account)[_ -]?key|secret|token|password|passwd|passphrase'

/** Every name of a secret contains one of these. */
const nameParts = /key|secret|token|pass|pwd/i

/** A token count is not a secret. */
const strictNames = secretNames.replace(
  '|token|',
  `|token(?!s?["']?[ \\t]{0,4}[:=][ \\t]{0,4}[0-9]{1,12}(?![A-Za-z0-9_-]))|_pwd|_pass(?=["']?[ \\t]{0,4}=)|`,
)

/** A literal or keyword of code, which is not a secret. */
const codeWord =
  '(?:string|number|boolean|unknown|any|null|none|nil|undefined|true|false|await|new|typeof)'
/** A function call, which is not a secret. */
const callee = '[A-Za-z_$][A-Za-z0-9_$.]{0,100}\\('

/** Type names of common languages. */
const types =
  'str|int|bool|bytes|bytearray|char|object|void|never|readonly|buffer|uint8array|arraybuffer|date|option(?:al)?|array|list|vec|promise|record|map|set|secretstr|secretstring|securestring'
/**
 * A type name that ends like a secret's name, such as `AccessToken`. Its letter case differs from a
 * passphrase.
 */
const secretType =
  '(?-i:(?:[A-Z][a-z]{1,20}){0,4}(?:(?:Api|Access|Secret|Private|Account)?Key|Secret|Token|Password|Passwd|Passphrase)s?)'

/** Code after a colon: the type of a field or parameter, or a variable of the same name. */
const typeValue = `(?<=:[ \\t]{0,4})(?:[&*]{0,2}(?:(?:${types})|${secretType})|\\k<name>)(?=$|[\\s,;)}\\]<>|]|\\[\\]|\\.(?:\\s|$))`

/** Words that follow the name of a secret in a sentence and are not its value. */
const plainWords = [
  ...[
    '[a-z]{2,20}(?:ed|ing|able|ible|less|ful)',
    'not|never|no|yes|always|also|only|already|often',
  ],
  ...['now|then|here|there|still|just|even|too|very|quite|so|really|simply|currently|actually'],
  ...['a|an|the|this|that|these|those|its|it|my|your|our|his|her|their|one|what|which|where|when'],
  ...['how|why|who|we|you|they|because|if|whether|as|like|same|different|similar|another|and|or'],
  ...['but|in|on|at|of|for|from|to|by|with|without|within|inside|under|over|behind|between|up|out'],
  ...['off|down|about|via|wrong|incorrect|correct|invalid|valid|empty|blank|unset|set|weak|strong'],
  ...['long|short|old|new|fresh|stale|secure|insecure|safe|unsafe|public|private|secret|unknown'],
  ...['known|unique|optional|mandatory|necessary|essential|ok|okay|fine|good|bad|right|plain'],
  ...['plaintext|clear|common|default|temporary|permanent|present|absent|easy|hard|simple|complex'],
  ...['opaque|immutable|constant|stable|sent|read|kept|held|lost|gone|written|given|taken|shown'],
  ...['seen|hidden|broken|stolen|forgotten|chosen|spent|built|put|made|found|part|all|any|both'],
  ...[
    'either|more|less|enough|mine|yours|ours|theirs|base64|ascii|hex|utf-?8|jwt|json|text|bcrypt',
  ],
  ...['argon2(?:id?)?|hmac|md5|sha-?\\d{1,3}|case-(?:in)?sensitive|read-only|up-to-date|\\d{1,12}'],
].join('|')
/** Words that follow the name of an option in a sentence. */
const optionWords =
  'is|was|are|option|flag|argument|parameter|values?|prompts?|takes|needs|sets|reads|requires|must|can|should|may|will|has|have|gives|works|names|instead|file|path|string|\\k<name>'
const noWord = '(?![A-Za-z0-9_-])'

const quoteMark = '["\'`]'
const space = '[ \\t]'

/** A value on its own line that is not a name of another value, a list or a comment. */
const nextLine = `(?:${space}{0,8}\\r?\\n){1,2}${space}{0,40}(?=${quoteMark}|(?![-#*/}>|]|[a-z_][a-z0-9_.-]{0,100}[:=])[^\\s"'\`,;]{4,512}(?<!:)${space}{0,8}(?:$|[\\r\\n]))`
/** `NAME=`, `"name": `, `config['name'] =` and `**Name:** `. */
const assigned = `(?:\\\\{0,3}${quoteMark}\\]?|\\*{1,2})?${space}{0,4}(?::|=>?)\\*{0,2}${space}{0,4}(?:${nextLine}|(?=\\\\{0,3}${quoteMark}|[>|]|[^\\s"'\`,;]{4}))`
/** `--name value`. */
const option = `(?=[ \\t=])(?<=(?:^|[\\s"'\`(])-{1,2}[a-z][a-z0-9_-]{0,60})(?:=|${space}{1,4})(?:\\\\\\r?\\n${space}{0,40})?(?![-|&>#)(\\\\=:.]|(?:${plainWords}|${optionWords})${noWord})`
const link = `(?:${space}{1,3}(?:for|of|on|to|at|in)(?:${space}{1,3}[a-z0-9_.@/-]{1,40}){1,4}?)?${space}{1,3}(?:is|was)(?:${space}{1,3}(?:now|still|actually|currently|just|(?:set|changed|reset|updated)${space}{1,3}to))?:?${space}{1,3}(?!(?:${plainWords})${noWord}|[-(*.\\u2026\\u2022\\u2013\\u2014])`
const ownName = `(?=${space})(?<=(?:pass(?:word|wd|phrase)|\\b(?:my|our)${space}(?:[a-z0-9_-]{1,20}${space}){0,2}(?:${secretNames}))s?)`
/**
 * `my password for the server is value`. Names other than passwords need a value that looks secret.
 */
const inProse = `(?:${link}(?=${quoteMark}|[^\\s"'\`,;]{0,200}[0-9])|${ownName}${link}(?=[^\\s"'\`,;]{3}))`

interface Value {
  readonly names: string
  /** A value of one token. */
  readonly token: string
  /** A quoted value. Looks ahead. */
  readonly quoted: string
  readonly others?: string
}

/** A value assigned to the name of a secret in code, settings, commands or prose. */
function assignment({ names, token, quoted, others = '' }: Value): SecretFormat {
  const prefix = `(?<prefix>(?<name>(?:${names})s?(?:[_-]?[0-9]{1,3})?)(?:${assigned}|${option}|${inProse}))`
  const inQuotes = `(?<quote>\\\\{0,3}(?:"""|'''|${quoteMark}))(?![$<{]|\\[REDACTED|(?:${codeWord}|${callee}[^\\n"'\`]{0,100}\\))\\k<quote>)${quoted}(?:(?!\\k<quote>)(?:\\\\[^\\n]|[^\\\\\\n])){4,512}\\k<quote>`
  const pattern = new RegExp(`${prefix}(?:${inQuotes}|${quoteMark}?${token}${others})`, 'gi')
  return { ...format('assignment', [''], pattern), words: nameParts }
}

const quotedLetter = '(?:\\\\.|[^\\\\\\n"\'`])'
/** At least eight characters, with both letters and digits. */
export const likelyAssignment = assignment({
  names: secretNames,
  quoted: `(?=${quotedLetter}{0,200}[0-9])(?=${quotedLetter}{0,200}[A-Za-z])(?=${quotedLetter}{8})`,
  token:
    '(?=[^\\s"\'`,;]{0,200}[0-9])(?=[^\\s"\'`,;]{0,200}[A-Za-z])(?![$<{\\[])[^\\s"\'`,;]{8,512}',
})

/** A YAML block: all lines with the indentation of the first one. */
const block = `[>|][-+0-9]{0,2}${space}{0,8}\\r?\\n(?<indent>${space}{1,40})[^\\s][^\\n]*(?:\\n{1,3}\\k<indent>[^\\n]*)*`

/** Contract 1, 11: assignments of keys, secrets, tokens and passwords, with any value. */
export const anyAssignment = assignment({
  names: strictNames,
  quoted: '',
  token: `(?![$<{[=\\\\]|${codeWord}(?![A-Za-z0-9_])|${callee}|${typeValue}|[>|](?:[-+0-9]|\\s))[^\\s"'\`,;]{1,512}`,
  others: `|${block}`,
})
