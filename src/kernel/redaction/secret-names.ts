/** The end of a secret's name, such as `DB_PASSWORD` or `clientSecret`, with any prefix. */
export const secretNames =
  '(?:api|access|secret|private|account)[_ -]?key|secret|token|password|passwd|passphrase'

/** Every name of a secret contains one of these. */
export const nameParts = /key|secret|token|pass|pwd/i

/** A token count is not a secret. */
export const strictNames = secretNames.replace(
  '|token|',
  `|token(?!s?["']?[ \\t]{0,4}[:=][ \\t]{0,4}[0-9]{1,12}(?![A-Za-z0-9_-]))|_pwd|_pass(?=["']?[ \\t]{0,4}=)|`,
)

/** A literal or keyword of code, which is not a secret. */
export const codeWord =
  '(?:string|number|boolean|unknown|any|null|none|nil|undefined|true|false|await|new|typeof)'
/** A function call, which is not a secret. */
export const callee = '[A-Za-z_$][A-Za-z0-9_$.]{0,100}\\('

/** Type names of common languages. */
const types =
  'str|int|bool|bytes|bytearray|char|object|void|never|readonly|buffer|uint8array|arraybuffer|date|option(?:al)?|array|list|vec|promise|record|map|set|secretstr|secretstring|securestring'
const typeEnd = '(?=$|[\\s,;)}\\]<>|]|\\[\\]|\\.(?:\\s|$))'
const afterColon = '(?<=(?::|->)[ \\t]{0,4})'

/** Code after a colon: the type of a field or parameter, or a variable of the same name. */
export const typeValue = `${afterColon}(?:[&*]{0,2}(?:${types})|\\k<name>)${typeEnd}`
/** A word after a colon. It may be the name of a type. */
export const typeName = `(?:(?=${afterColon}[&*]{0,2}(?<type>[a-z]{3,120})${typeEnd})|)`
/**
 * A type name that ends like a secret's name, such as `AccessToken`. Its letter case differs from a
 * passphrase.
 */
const secretType =
  /^(?:[A-Z][a-z]{1,20}){0,4}(?:(?:Api|Access|Secret|Private|Account)?Key|Secret|Token|Password|Passwd|Passphrase)s?$/

/** Words that follow the name of a secret in a sentence and are not its value. */
export const plainWords = [
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
export const optionWords =
  'is|was|are|option|flag|argument|parameter|values?|prompts?|takes|needs|sets|reads|requires|must|can|should|may|will|has|have|gives|works|names|instead|file|path|string|\\k<name>'
export const noWord = '(?![A-Za-z0-9_-])'

/** An expression of code that names a value and does not contain it. */
const roots =
  'process\\.env|import\\.meta\\.env|deno\\.env|os\\.environ|environ|env|config|cfg|settings|options|opts|this|self|props|params|args|secrets|vars'
/** `process.env.DB_PASSWORD`, `os.environ[`, `user.password`. */
export const reference = `(?:(?:${roots})(?:\\[|(?:[?!]?\\.[a-z_$][a-z0-9_$]{0,60}){1,6})|(?:[a-z_$][a-z0-9_$]{0,40}[?!]?\\.){1,5}[a-z0-9_$]{0,40}?(?:${secretNames})s?)(?=$|[\\s"'\`,;)}\\]?!|&([])`

/** A sentence after a colon, such as `Secret: always salt the water.` */
export const sentence = `(?:${plainWords})(?:[ \\t]{1,2}[a-z'-]{1,30}){2,30}[.!?](?=$|\\s)`

/** Values of examples. */
const placeholders = [
  ...[
    'change_?-?me',
    'example',
    'placeholder',
    'redacted',
    'dummy',
    'todo',
    'replace[a-z_-]{0,20}',
  ],
  ...[
    'your[a-z0-9_-]{0,60}',
    'my[_-]?[a-z]{1,20}',
    'x{3,60}',
    '\\*{3,60}',
    '\\.{3,60}',
    '[a-z_-]{0,40}here',
  ],
].join('|')
const valueEnd = '(?=$|[\\s"\'`,;)}\\]&<>|]|\\.(?:\\s|$))'
/** A word that is no credential although it is assigned to the name of one. */
export const exampleValue = `(?:(?:${placeholders}|${plainWords}|${codeWord}|${types}|[a-z0-9_.-]{0,60}?(?:${secretNames}|credential)s?)${valueEnd}|[$<{[\\\\*]|%[a-z({]|${callee})`

/** A long word. Its letter case shows whether it is a credential. */
export const longWord = '(?=(?<word>[a-z]{12,200})(?![a-z0-9_.(]))'
/** Mixed case unlike a name in code: a capital, one small letter and a capital. */
const randomLetters = /[A-Z][a-z][A-Z]|[A-Z]{2}[a-z]{1,2}[A-Z]|[a-z][A-Z](?![A-Za-z])/

/**
 * Returns whether the letter case of a value fits a credential. The patterns ignore case and have
 * no modifiers: V8 loses the flags of a pattern with `(?-i:)` in a process with much code.
 */
export function hasSecretCase(readGroup: (name: string) => string): boolean {
  const word = readGroup('word')
  return !secretType.test(readGroup('type')) && (word === '' || randomLetters.test(word))
}

const letter = '[a-z0-9\\u00c0-\\u024f]'
/** Owners and purposes of a key: other keys, such as `sort_key`, are no secrets. */
const keyOwners = [
  ...['stripe', 'openai', 'anthropic', 'gemini', 'mistral', 'groq', 'github', 'gitlab', 'aws'],
  ...['azure', 'google', 'sendgrid', 'twilio', 'datadog', 'sentry', 'encryption', 'signing'],
  ...['master', 'auth', 'hmac', 'jwt', 'aes', 'license', 'deploy', 'webhook'],
].join('|')
/** The condition precedes the name: a lookbehind reads from the right. */
const nameBefore = (name: string, condition: string) => `(?=${name}${condition})${name}`
const gap = '[ \\t]{0,4}'
const otherKeys =
  'primary|foreign|sort|cache|public|session|partition|idempotency|row|index|group|map|hash'
/**
 * Names that are also parts of common words. Each is a whole word or the last word of a name.
 */
export const wholeNames = [
  `(?<!${letter})${nameBefore('pwd', `(?!s?=["']?(?:[/~.$]|[a-z]:[\\\\/]))`)}`,
  `(?<!${letter})pw`,
  `(?<!${letter}|-)${nameBefore('pass', `[*]{0,2}${gap}:[*]{0,2}(?!${gap}(?:[0-9]{1,12}|${plainWords})(?![a-z0-9]))`)}`,
  `(?<!${letter})${nameBefore('pin', `["'\`*]{0,3}${gap}[:=][*]{0,2}${gap}["']?[0-9]{4,12}(?![a-z0-9./-])`)}`,
  nameBefore('credential', '(?!s(?!=))'),
  '_pat',
  `(?:${keyOwners})_?key`,
  `(?<=[a-z]_)(?<!(?:${otherKeys})_)${nameBefore('key', '=')}`,
  // Other languages
  ...['passwort', 'kennwort', 'contrase(?:\u00f1|n\u0303?)a', 'senha', 'mots? de passe', 'parola'],
  ...['wachtwoord', 'l\u00f6senord', 'adgangskode', 'passord', 'salasana', 'has\u0142o', 'heslo'],
  ...[
    '\u015fifre',
    '\u043f\u0430\u0440\u043e\u043b\u044c',
    '\u5bc6\u7801',
    '\u5bc6\u78bc',
    '\u53e3\u4ee4',
  ],
  ...[
    '\u30d1\u30b9\u30ef\u30fc\u30c9',
    '\u6697\u8a3c\u756a\u53f7',
    '\ube44\ubc00\ubc88\ud638',
    '\uc554\ud638',
  ],
].join('|')
